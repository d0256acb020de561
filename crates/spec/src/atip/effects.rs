//! What a command changes once its parents are counted in (ATIP §3.2.6): the nearest claim wins, field by field.
//!
//! The tool's own effects are the base. What nobody says stays unknown: inheriting never makes up a "no".

use super::model::{Cost, Duration, Effects, Extra, Filesystem, Interactive};

impl Effects {
    /// Returns these claims, with those of `parent` where these are silent.
    ///
    /// Files, cost, duration and interaction are merged inside; a list is one claim and is taken whole.
    #[must_use]
    pub fn inherit(&self, parent: &Self) -> Self {
        Self {
            filesystem: inside(&self.filesystem, &parent.filesystem, Filesystem::inherit),
            network: self.network.or(parent.network),
            subprocess: self.subprocess.or(parent.subprocess),
            idempotent: self.idempotent.or(parent.idempotent),
            reversible: self.reversible.or(parent.reversible),
            destructive: self.destructive.or(parent.destructive),
            creates: nearest(&self.creates, &parent.creates),
            modifies: nearest(&self.modifies, &parent.modifies),
            deletes: nearest(&self.deletes, &parent.deletes),
            cost: inside(&self.cost, &parent.cost, Cost::inherit),
            duration: inside(&self.duration, &parent.duration, Duration::inherit),
            interactive: inside(&self.interactive, &parent.interactive, Interactive::inherit),
            extra: extra(&self.extra, &parent.extra),
        }
    }
}

impl Filesystem {
    fn inherit(&self, parent: &Self) -> Self {
        Self {
            read: self.read.or(parent.read),
            write: self.write.or(parent.write),
            delete: self.delete.or(parent.delete),
            paths: nearest(&self.paths, &parent.paths),
            extra: extra(&self.extra, &parent.extra),
        }
    }
}

impl Cost {
    fn inherit(&self, parent: &Self) -> Self {
        Self {
            estimate: nearest(&self.estimate, &parent.estimate),
            billable: self.billable.or(parent.billable),
            extra: extra(&self.extra, &parent.extra),
        }
    }
}

impl Duration {
    fn inherit(&self, parent: &Self) -> Self {
        Self {
            typical: nearest(&self.typical, &parent.typical),
            timeout: nearest(&self.timeout, &parent.timeout),
            extra: extra(&self.extra, &parent.extra),
        }
    }
}

impl Interactive {
    fn inherit(&self, parent: &Self) -> Self {
        Self {
            stdin: nearest(&self.stdin, &parent.stdin),
            prompts: self.prompts.or(parent.prompts),
            tty: self.tty.or(parent.tty),
            extra: extra(&self.extra, &parent.extra),
        }
    }
}

fn nearest<T: Clone>(own: &Option<T>, parent: &Option<T>) -> Option<T> {
    own.as_ref().or(parent.as_ref()).cloned()
}

fn inside<T: Clone>(own: &Option<T>, parent: &Option<T>, merge: impl Fn(&T, &T) -> T) -> Option<T> {
    match (own, parent) {
        (Some(own), Some(parent)) => Some(merge(own, parent)),
        (own, parent) => nearest(own, parent),
    }
}

fn extra(own: &Extra, parent: &Extra) -> Extra {
    let mut merged = parent.clone();
    merged.extend(own.iter().map(|(key, value)| (key.clone(), value.clone())));
    merged
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Effects from the few fields that the cases use.
    fn effects(claims: &Value) -> Effects {
        let truth = |pointer: &str| claims.pointer(pointer).and_then(Value::as_bool);
        let text = |pointer: &str| claims.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let list = |pointer: &str| {
            let items = claims.pointer(pointer)?.as_array()?;
            Some(
                items
                    .iter()
                    .filter_map(|item| item.as_str().map(str::to_owned))
                    .collect(),
            )
        };
        Effects {
            filesystem: claims.get("filesystem").map(|_| Filesystem {
                read: truth("/filesystem/read"),
                write: truth("/filesystem/write"),
                paths: list("/filesystem/paths"),
                ..Filesystem::default()
            }),
            network: truth("/network"),
            destructive: truth("/destructive"),
            creates: list("/creates"),
            cost: claims.get("cost").map(|_| Cost {
                estimate: text("/cost/estimate"),
                billable: truth("/cost/billable"),
                ..Cost::default()
            }),
            duration: claims.get("duration").map(|_| Duration {
                typical: text("/duration/typical"),
                timeout: text("/duration/timeout"),
                ..Duration::default()
            }),
            ..Effects::default()
        }
    }

    #[test]
    fn the_nearest_claim_wins_field_by_field() {
        let check = |own: Value, parent: Value, want: Value| {
            let merged = effects(&own).inherit(&effects(&parent));
            assert_eq!(
                serde_json::to_value(merged).unwrap(),
                want,
                "{own} under {parent}"
            );
        };
        check(json!({}), json!({}), json!({}));
        check(json!({}), json!({"network": true}), json!({"network": true}));
        check(
            json!({"network": false}),
            json!({"network": true}),
            json!({"network": false}),
        );
        check(
            json!({"destructive": true}),
            json!({"network": true, "destructive": false}),
            json!({"network": true, "destructive": true}),
        );
        // A list is one claim: an empty one says "none" and is not added to.
        check(
            json!({"creates": []}),
            json!({"creates": ["issue"]}),
            json!({"creates": []}),
        );
        check(
            json!({"filesystem": {"write": true}, "cost": {"billable": true}}),
            json!({"filesystem": {"read": true, "write": false, "paths": ["./"]}, "cost": {"estimate": "low"}}),
            json!({
                "filesystem": {"read": true, "write": true, "paths": ["./"]},
                "cost": {"estimate": "low", "billable": true},
            }),
        );
        check(
            json!({"duration": {"timeout": "5s"}}),
            json!({"duration": {"typical": "1s", "timeout": "60s"}}),
            json!({"duration": {"typical": "1s", "timeout": "5s"}}),
        );
    }

    #[test]
    fn unknown_fields_are_inherited_too() {
        let own = Effects {
            extra: Extra::from_iter([("x-a".to_owned(), json!(1))]),
            ..Effects::default()
        };
        let parent = Effects {
            extra: Extra::from_iter([("x-a".to_owned(), json!(2)), ("x-b".to_owned(), json!(3))]),
            ..Effects::default()
        };
        let merged = own.inherit(&parent).extra;
        assert_eq!(Value::Object(merged), json!({"x-a": 1, "x-b": 3}));
    }
}
