//! Effects that somebody settles, tightened by claims of those who do not (ATIP §3.4.2, §5.1).
//!
//! A claim is heard where those who settle are silent, and only against the call. It names dangers and never places,
//! hosts or programs: those would open what nobody settled.

use serde_json::{Value, json};

use super::model::{Cost, Effects, Extra, Filesystem};

/// Our own keys by which a claim tightens.
const TIGHTENING: [&str; 2] = ["x-prints", "x-runs"];

impl Effects {
    /// Returns these settled effects with the dangers that `claims` tells of where `spoken`, all that is settled about
    /// the command, says nothing.
    #[must_use]
    pub fn tightened(&self, claims: &Self, spoken: &Self) -> Self {
        let added = claims.beside(spoken);
        let mut effects = self.with(&added);
        let paths = |effects: &Self| effects.filesystem.as_ref().and_then(|files| files.paths.clone());
        // Where anything may be changed now, what is settled to be read stays readable.
        if let (Some(read), None) = (paths(self), paths(&effects))
            && !self.changes_files()
        {
            let reads = effects.extra.entry("x-reads").or_insert_with(|| json!([]));
            if let Value::Array(known) = reads {
                let new = read.into_iter().map(Value::from);
                let new: Vec<Value> = new.filter(|path| !known.contains(path)).collect();
                known.extend(new);
            }
        }
        // A claim of starting programs is no leave to start them.
        if added.subprocess == Some(true) && self.subprocess != Some(true) {
            let own = self.extra.get("x-exec").cloned();
            effects
                .extra
                .insert("x-exec".to_owned(), own.unwrap_or_else(|| json!([])));
        }
        effects
    }

    fn changes_files(&self) -> bool {
        let files = self.filesystem.as_ref();
        files.is_some_and(|files| files.write == Some(true) || files.delete == Some(true))
    }

    /// The dangers that these claims tell of and that `spoken` is silent about.
    fn beside(&self, spoken: &Self) -> Self {
        let files = spoken.filesystem.clone().unwrap_or_default();
        let cost = spoken.cost.clone().unwrap_or_default();
        let mut extra = Extra::new();
        for key in TIGHTENING {
            if let (Some(value), None) = (self.extra.get(key), spoken.extra.get(key)) {
                extra.insert(key.to_owned(), value.clone());
            }
        }
        Self {
            filesystem: self.filesystem.as_ref().map(|own| Filesystem {
                read: silent(&own.read, &files.read),
                write: silent(&own.write, &files.write),
                delete: silent(&own.delete, &files.delete),
                paths: None,
                extra: Extra::new(),
            }),
            network: silent(&self.network, &spoken.network),
            subprocess: silent(&self.subprocess, &spoken.subprocess),
            idempotent: silent(&self.idempotent, &spoken.idempotent),
            reversible: silent(&self.reversible, &spoken.reversible),
            destructive: silent(&self.destructive, &spoken.destructive),
            creates: silent(&self.creates, &spoken.creates),
            modifies: silent(&self.modifies, &spoken.modifies),
            deletes: silent(&self.deletes, &spoken.deletes),
            cost: self.cost.as_ref().map(|own| Cost {
                estimate: silent(&own.estimate, &cost.estimate),
                billable: silent(&own.billable, &cost.billable),
                extra: Extra::new(),
            }),
            duration: None,
            interactive: None,
            extra,
        }
    }
}

/// The claim, where nobody who settles says anything.
fn silent<T: Clone>(claim: &Option<T>, spoken: &Option<T>) -> Option<T> {
    match spoken {
        Some(_) => None,
        None => claim.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atip::decode::effects_of;

    #[track_caller]
    fn check(settled: Value, claims: Value, want: Value) {
        let own = effects_of(&settled);
        let tightened = own.tightened(&effects_of(&claims), &own);
        assert_eq!(
            serde_json::to_value(tightened).unwrap(),
            want,
            "{settled} tightened by {claims}"
        );
    }

    #[test]
    fn a_claim_counts_where_nobody_settles_and_only_against_the_call() {
        check(
            json!({"destructive": false, "network": false, "idempotent": true}),
            json!({"destructive": true, "creates": ["x"], "cost": {"billable": true}, "idempotent": false}),
            json!({
                "destructive": false, "network": false, "idempotent": true,
                "creates": ["x"], "cost": {"billable": true},
            }),
        );
        check(
            json!({"network": true}),
            json!({"network": false, "idempotent": true, "reversible": true, "cost": {"estimate": "none"}}),
            json!({"network": true, "cost": {}}),
        );
        check(
            json!({"cost": {"estimate": "low"}}),
            json!({"cost": {"estimate": "high", "billable": true}}),
            json!({"cost": {"estimate": "low", "billable": true}}),
        );
    }

    #[test]
    fn a_claim_opens_nothing() {
        check(
            json!({"filesystem": {"read": true, "paths": ["~/.config/x"]}}),
            json!({"filesystem": {"write": true, "paths": ["~/.ssh"]}, "x-secrets": ["~/.ssh"]}),
            json!({"filesystem": {"read": true, "write": true}, "x-reads": ["~/.config/x"]}),
        );
        check(
            json!({"network": false}),
            json!({"filesystem": {"read": true, "paths": ["~/.ssh"]}}),
            json!({"filesystem": {"read": true}, "network": false}),
        );
        check(
            json!({"idempotent": true}),
            json!({"subprocess": true, "x-exec": "any", "x-egress": ["evil.example"]}),
            json!({"idempotent": true, "subprocess": true, "x-exec": []}),
        );
    }
}
