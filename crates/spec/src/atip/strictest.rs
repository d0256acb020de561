//! Effects with more effects beside them, as a flag adds them to its command: the stricter, field by field.
//!
//! Adding never relaxes: a danger that one side tells of stays, a safeguard that one side denies is gone, and where one
//! side may reach anything, a list of the other does not narrow it.

use serde_json::Value;

use super::model::{Cost, Effects, Extra, Filesystem, Interactive};

impl Effects {
    /// Returns these effects with `added` happening, too.
    ///
    /// What `added` calls harmless changes nothing. Paths belong to the side that writes: where one side writes and the
    /// other only reads certain paths, those are kept as `x-reads`.
    #[must_use]
    pub fn with(&self, added: &Self) -> Self {
        let mut extra = extras(self, added);
        let filesystem = match (&self.filesystem, &added.filesystem) {
            (Some(own), Some(more)) => Some(own.with(more, &mut extra)),
            (None, Some(more)) => Some(Filesystem::default().with(more, &mut extra)),
            (own, None) => own.clone(),
        };
        Self {
            filesystem,
            network: danger(self.network, added.network),
            subprocess: danger(self.subprocess, added.subprocess),
            idempotent: safeguard(self.idempotent, added.idempotent),
            reversible: safeguard(self.reversible, added.reversible),
            destructive: danger(self.destructive, added.destructive),
            creates: union(&self.creates, &added.creates),
            modifies: union(&self.modifies, &added.modifies),
            deletes: union(&self.deletes, &added.deletes),
            cost: both(&self.cost, &added.cost, Cost::with),
            duration: self.duration.clone().or_else(|| added.duration.clone()),
            interactive: both(&self.interactive, &added.interactive, Interactive::with),
            extra,
        }
    }
}

/// What one side does to files, as far as its paths are concerned.
enum Touch<'a> {
    /// Nothing that is told.
    Nothing,
    /// It reads these, and changes none.
    Reads(&'a [String]),
    /// It reads anything, and changes none.
    ReadsAny,
    /// It changes these.
    Changes(&'a [String]),
    /// It changes anything.
    ChangesAny,
}

impl Filesystem {
    fn touch(&self) -> Touch<'_> {
        let changes = self.write == Some(true) || self.delete == Some(true);
        let paths = self.paths.as_deref().filter(|paths| !paths.is_empty());
        match (changes, paths) {
            (true, Some(paths)) => Touch::Changes(paths),
            (true, None) => Touch::ChangesAny,
            (false, Some(paths)) => Touch::Reads(paths),
            (false, None) if self.read == Some(true) => Touch::ReadsAny,
            (false, None) => Touch::Nothing,
        }
    }

    fn with(&self, added: &Self, effects: &mut Extra) -> Self {
        let mut also_reads = |paths: &[String]| {
            let paths = Value::from(paths);
            let known = effects.get("x-reads");
            effects.insert("x-reads".to_owned(), list_union(known, Some(&paths)));
        };
        let paths = match (self.touch(), added.touch()) {
            (Touch::ChangesAny, _) | (_, Touch::ChangesAny) => None,
            (Touch::Changes(own), Touch::Changes(more)) | (Touch::Reads(own), Touch::Reads(more)) => {
                Some(joined(own, more))
            }
            (Touch::Changes(changed), Touch::Reads(read)) | (Touch::Reads(read), Touch::Changes(changed)) => {
                also_reads(read);
                Some(changed.to_vec())
            }
            (Touch::Changes(paths), Touch::ReadsAny | Touch::Nothing)
            | (Touch::ReadsAny | Touch::Nothing, Touch::Changes(paths))
            | (Touch::Reads(paths), Touch::Nothing)
            | (Touch::Nothing, Touch::Reads(paths)) => Some(paths.to_vec()),
            (Touch::ReadsAny, Touch::Reads(_) | Touch::ReadsAny | Touch::Nothing)
            | (Touch::Reads(_) | Touch::Nothing, Touch::ReadsAny)
            | (Touch::Nothing, Touch::Nothing) => None,
        };
        Self {
            read: danger(self.read, added.read),
            write: danger(self.write, added.write),
            delete: danger(self.delete, added.delete),
            paths,
            extra: filled(&self.extra, &added.extra),
        }
    }
}

impl Cost {
    fn with(&self, added: &Self) -> Self {
        let estimate = if dearness(added.estimate.as_deref()) > dearness(self.estimate.as_deref()) {
            &added.estimate
        } else {
            &self.estimate
        };
        Self {
            estimate: estimate.clone(),
            billable: danger(self.billable, added.billable),
            extra: filled(&self.extra, &added.extra),
        }
    }
}

impl Interactive {
    fn with(&self, added: &Self) -> Self {
        let stdin = if demand(added.stdin.as_deref()) > demand(self.stdin.as_deref()) {
            &added.stdin
        } else {
            &self.stdin
        };
        Self {
            stdin: stdin.clone(),
            prompts: danger(self.prompts, added.prompts),
            tty: danger(self.tty, added.tty),
            extra: filled(&self.extra, &added.extra),
        }
    }
}

/// One side says yes: yes. Otherwise what was known stays.
fn danger(own: Option<bool>, added: Option<bool>) -> Option<bool> {
    if added == Some(true) { added } else { own }
}

/// One side says no: no. Otherwise what was known stays.
fn safeguard(own: Option<bool>, added: Option<bool>) -> Option<bool> {
    if added == Some(false) { added } else { own }
}

/// How dear; what nobody says is less than any word, since saying "none" takes nothing away.
fn dearness(estimate: Option<&str>) -> u8 {
    match estimate {
        None | Some("none" | "free") => 0,
        Some("low") => 1,
        Some("medium") => 2,
        Some(_) => 3,
    }
}

fn demand(stdin: Option<&str>) -> u8 {
    match stdin {
        None | Some("none") => 0,
        Some("optional") => 1,
        Some("required") => 2,
        Some(_) => 3,
    }
}

fn both<T: Clone + Default>(own: &Option<T>, added: &Option<T>, with: impl Fn(&T, &T) -> T) -> Option<T> {
    match (own, added) {
        (own, None) => own.clone(),
        (Some(own), Some(added)) => Some(with(own, added)),
        (None, Some(added)) => Some(with(&T::default(), added)),
    }
}

/// An empty list of the other side takes nothing away, and does not make "none" of what is unknown.
fn union(own: &Option<Vec<String>>, added: &Option<Vec<String>>) -> Option<Vec<String>> {
    match (own, added) {
        (own, None) => own.clone(),
        (Some(own), Some(added)) => Some(joined(own, added)),
        (None, Some(added)) => (!added.is_empty()).then(|| added.clone()),
    }
}

fn joined(own: &[String], more: &[String]) -> Vec<String> {
    let mut all = own.to_vec();
    for item in more {
        if !all.contains(item) {
            all.push(item.clone());
        }
    }
    all
}

/// Keys that list what a call needs or names: what both sides say holds.
const LISTS: [&str; 3] = ["x-reads", "x-secrets", "x-destinations"];

/// Keys that no draft defines: ours by their meaning, all others as they were, else as they are added.
fn extras(own: &Effects, added: &Effects) -> Extra {
    let mut extra = filled(&own.extra, &added.extra);
    let (base, more) = (&own.extra, &added.extra);
    for key in LISTS {
        if base.contains_key(key) && more.contains_key(key) {
            extra.insert(key.to_owned(), list_union(base.get(key), more.get(key)));
        }
    }
    let hosts = reach((own.network, base), (added.network, more), "x-egress");
    set(&mut extra, "x-egress", hosts);
    let programs = reach((own.subprocess, base), (added.subprocess, more), "x-exec");
    set(&mut extra, "x-exec", programs);
    extra
}

/// A list that says how far something reaches. A side that does it without a list reaches anything.
fn reach(own: (Option<bool>, &Extra), added: (Option<bool>, &Extra), key: &str) -> Option<Value> {
    let is_open = |(does, extra): (Option<bool>, &Extra)| does == Some(true) && !extra.contains_key(key);
    let (base, more) = (own.1.get(key), added.1.get(key));
    let any = |list: &&Value| list.as_str() == Some("any");
    if is_open(own) || is_open(added) {
        return None;
    }
    match (base, more) {
        (None, None) => None,
        (Some(one), None) | (None, Some(one)) => Some(one.clone()),
        (Some(base), Some(more)) => {
            let whole = [base, more].into_iter().find(any).cloned();
            Some(whole.unwrap_or_else(|| list_union(Some(base), Some(more))))
        }
    }
}

fn set(extra: &mut Extra, key: &str, value: Option<Value>) {
    match value {
        Some(value) => drop(extra.insert(key.to_owned(), value)),
        None => drop(extra.remove(key)),
    }
}

fn list_union(own: Option<&Value>, more: Option<&Value>) -> Value {
    let mut all: Vec<Value> = Vec::new();
    for item in [own, more]
        .into_iter()
        .flatten()
        .filter_map(Value::as_array)
        .flatten()
    {
        if !all.contains(item) {
            all.push(item.clone());
        }
    }
    Value::Array(all)
}

fn filled(own: &Extra, added: &Extra) -> Extra {
    let mut all = own.clone();
    for (key, value) in added {
        if !all.contains_key(key) {
            all.insert(key.clone(), value.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::atip::decode::effects_of;

    #[track_caller]
    fn check(own: Value, added: Value, want: Value) {
        let with = effects_of(&own).with(&effects_of(&added));
        assert_eq!(serde_json::to_value(with).unwrap(), want, "{own} with {added}");
    }

    #[test]
    fn a_danger_is_added_and_a_safeguard_is_lost() {
        check(json!({}), json!({"network": true}), json!({"network": true}));
        check(
            json!({"network": true}),
            json!({"network": false}),
            json!({"network": true}),
        );
        check(json!({}), json!({"network": false}), json!({}));
        check(
            json!({"idempotent": true}),
            json!({"idempotent": false}),
            json!({"idempotent": false}),
        );
        check(json!({}), json!({"idempotent": true}), json!({}));
        check(
            json!({"reversible": false}),
            json!({"reversible": true}),
            json!({"reversible": false}),
        );
        check(
            json!({"creates": ["a"], "deletes": []}),
            json!({"creates": ["b", "a"], "deletes": ["c"], "modifies": []}),
            json!({"creates": ["a", "b"], "deletes": ["c"]}),
        );
        check(
            json!({"cost": {"estimate": "low"}}),
            json!({"cost": {"estimate": "variable", "billable": true}}),
            json!({"cost": {"estimate": "variable", "billable": true}}),
        );
        check(
            json!({"interactive": {"stdin": "required", "tty": false}}),
            json!({"interactive": {"stdin": "none", "tty": true}}),
            json!({"interactive": {"stdin": "required", "tty": true}}),
        );
    }

    #[test]
    fn paths_are_those_of_the_side_that_changes_them() {
        let fs = |value: Value| json!({"filesystem": value});
        let writes = |paths: Value| fs(json!({"write": true, "paths": paths}));
        check(
            fs(json!({"read": true})),
            writes(json!(["o"])),
            fs(json!({"read": true, "write": true, "paths": ["o"]})),
        );
        check(
            writes(json!(["a"])),
            writes(json!(["b"])),
            writes(json!(["a", "b"])),
        );
        check(
            writes(json!(["a"])),
            fs(json!({"delete": true})),
            fs(json!({"write": true, "delete": true})),
        );
        check(
            writes(json!([])),
            writes(json!(["b"])),
            fs(json!({"write": true})),
        );
        check(json!({}), writes(json!(["b"])), writes(json!(["b"])));
        check(
            fs(json!({"read": true, "paths": ["in"]})),
            writes(json!(["out"])),
            json!({"filesystem": {"read": true, "write": true, "paths": ["out"]}, "x-reads": ["in"]}),
        );
        check(
            fs(json!({"read": true, "paths": ["in"]})),
            fs(json!({"read": true})),
            fs(json!({"read": true})),
        );
    }

    #[test]
    fn lists_of_hosts_and_programs_do_not_narrow_what_was_open() {
        check(
            json!({"network": true, "x-egress": ["a"]}),
            json!({"network": true, "x-egress": ["b"]}),
            json!({"network": true, "x-egress": ["a", "b"]}),
        );
        check(
            json!({"network": true}),
            json!({"network": true, "x-egress": ["b"]}),
            json!({"network": true}),
        );
        check(
            json!({"network": true, "x-egress": ["b"]}),
            json!({"network": true}),
            json!({"network": true}),
        );
        check(
            json!({"network": true, "x-egress": ["b"]}),
            json!({"destructive": true}),
            json!({"network": true, "x-egress": ["b"], "destructive": true}),
        );
        check(
            json!({"network": false}),
            json!({"network": true, "x-egress": ["b"]}),
            json!({"network": true, "x-egress": ["b"]}),
        );
        check(
            json!({"subprocess": true, "x-exec": ["git"]}),
            json!({"subprocess": true, "x-exec": "any"}),
            json!({"subprocess": true, "x-exec": "any"}),
        );
        check(
            json!({"x-reads": ["~/a"], "x-secrets": ["~/s"], "x-runs": "workspace-code"}),
            json!({"x-reads": ["~/b", "~/a"], "x-secrets": ["~/t"], "x-prints": "credentials"}),
            json!({
                "x-reads": ["~/a", "~/b"], "x-secrets": ["~/s", "~/t"],
                "x-runs": "workspace-code", "x-prints": "credentials",
            }),
        );
    }

    fn any_effects() -> impl Strategy<Value = Effects> {
        let truth = || prop::option::of(any::<bool>());
        let list = || prop::option::of(prop::collection::vec("[ab]", 0..3));
        let files = (truth(), truth(), truth(), list());
        (files, truth(), truth(), truth(), truth(), list(), list(), list()).prop_map(
            |(
                (read, write, delete, paths),
                network,
                idempotent,
                reversible,
                destructive,
                creates,
                hosts,
                reads,
            )| {
                let mut extra = Extra::new();
                extra.extend(hosts.map(|hosts| ("x-egress".to_owned(), hosts.into())));
                extra.extend(reads.map(|reads| ("x-reads".to_owned(), reads.into())));
                Effects {
                    filesystem: Some(Filesystem {
                        read,
                        write,
                        delete,
                        paths,
                        extra: Extra::new(),
                    }),
                    network,
                    idempotent,
                    reversible,
                    destructive,
                    creates,
                    extra,
                    ..Effects::default()
                }
            },
        )
    }

    proptest! {
        #[test]
        fn adding_never_relaxes(own in any_effects(), added in any_effects()) {
            let with = own.with(&added);
            for side in [&own, &added] {
                let (files, whole) = (side.filesystem.clone().unwrap(), with.filesystem.clone().unwrap());
                for (was, is) in [
                    (side.network, with.network), (side.destructive, with.destructive),
                    (files.write, whole.write), (files.delete, whole.delete), (files.read, whole.read),
                ] {
                    prop_assert!(was != Some(true) || is == Some(true));
                }
                prop_assert!(side.idempotent != Some(false) || with.idempotent == Some(false));
                prop_assert!(side.reversible != Some(false) || with.reversible == Some(false));
                for item in side.creates.iter().flatten() {
                    prop_assert!(with.creates.iter().flatten().any(|known| known == item));
                }
                let changes = files.write == Some(true) || files.delete == Some(true);
                if changes && let Some(paths) = &whole.paths {
                    let named = files.paths.clone().unwrap_or_default();
                    prop_assert!(!named.is_empty() && named.iter().all(|path| paths.contains(path)));
                }
                if side.network == Some(true) && let Some(hosts) = with.extra.get("x-egress") {
                    let named = side.extra.get("x-egress").and_then(Value::as_array).unwrap();
                    prop_assert!(named.iter().all(|host| hosts.as_array().unwrap().contains(host)));
                }
            }
            prop_assert!(own.idempotent == Some(true) || with.idempotent != Some(true), "nothing becomes safe");
            prop_assert_eq!(own.with(&Effects::default()), own);
        }
    }
}
