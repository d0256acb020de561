//! Annotations of a tool as effects: claims, of which none is read as more than it says.
//!
//! | hint | `true` | `false` |
//! |---|---|---|
//! | `readOnlyHint` | writes, deletes and destroys nothing; twice is as good as once | changes something |
//! | `destructiveHint` | destroys | does not destroy |
//! | `idempotentHint` | twice is as good as once | it is not |
//! | `openWorldHint` | talks to the network | nothing: a closed world may still lie behind a network |
//!
//! A hint that is absent says nothing, whatever MCP takes as its default. Of two that contradict each other the
//! stricter one counts, and the other one says nothing.

use serde_json::{Map, Value};

use crate::atip::{Effects, Filesystem};

/// What a tool that says it is no reader changes: MCP has no word for it.
const SOMETHING: &str = "environment";

/// The hints that were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Hints {
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
}

/// The claims of a tool.
#[derive(Debug, PartialEq, Default)]
pub(super) struct Claims {
    /// What they mean, unless they mean nothing.
    pub(super) effects: Option<Effects>,
    /// The hints as they were given, to be kept.
    pub(super) given: Map<String, Value>,
    /// Hints that are neither true nor false.
    pub(super) unreadable: Vec<&'static str>,
    /// Whether it says that it only reads and that it destroys.
    pub(super) contradiction: bool,
}

/// Reads the annotations of a tool.
pub(super) fn claims(annotations: Option<&Value>) -> Claims {
    let mut claims = Claims::default();
    let mut hint = |name: &'static str| match annotations?.get(name)? {
        Value::Bool(truth) => {
            claims.given.insert(name.to_owned(), (*truth).into());
            Some(*truth)
        }
        Value::Null => None,
        Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            claims.unreadable.push(name);
            None
        }
    };
    let hints = Hints {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
    };
    claims.contradiction = hints.read_only == Some(true) && hints.destructive == Some(true);
    claims.effects = Some(effects(hints)).filter(|effects| *effects != Effects::default());
    claims
}

fn effects(hints: Hints) -> Effects {
    let reads = hints.read_only == Some(true) && hints.destructive != Some(true);
    let changes = hints.read_only == Some(false);
    Effects {
        filesystem: reads.then(|| Filesystem {
            write: Some(false),
            delete: Some(false),
            ..Filesystem::default()
        }),
        network: hints.open_world.filter(|open| *open),
        idempotent: hints.idempotent.or(reads.then_some(true)),
        destructive: hints.destructive.or(reads.then_some(false)),
        modifies: changes.then(|| vec![SOMETHING.to_owned()]),
        ..Effects::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// All combinations of the four hints, absent ones included.
    fn all() -> impl Iterator<Item = Hints> {
        let three = [None, Some(false), Some(true)];
        (0..81_usize).map(move |n| {
            let pick = |step: usize| three.get(n / step % 3).copied().flatten();
            Hints {
                read_only: pick(1),
                destructive: pick(3),
                idempotent: pick(9),
                open_world: pick(27),
            }
        })
    }

    #[test]
    fn each_hint_claims_what_it_says_and_no_more() {
        let check = |annotations: Value, want: Value| {
            let effects = claims(Some(&annotations)).effects;
            assert_eq!(serde_json::to_value(effects).unwrap(), want, "{annotations}");
        };
        let reads = json!({"filesystem": {"write": false, "delete": false}, "idempotent": true, "destructive": false});
        check(json!({}), Value::Null);
        check(json!({"readOnlyHint": true}), reads.clone());
        check(
            json!({"readOnlyHint": false}),
            json!({"modifies": ["environment"]}),
        );
        check(json!({"destructiveHint": true}), json!({"destructive": true}));
        check(json!({"destructiveHint": false}), json!({"destructive": false}));
        check(json!({"idempotentHint": true}), json!({"idempotent": true}));
        check(json!({"idempotentHint": false}), json!({"idempotent": false}));
        check(json!({"openWorldHint": true}), json!({"network": true}));
        check(json!({"openWorldHint": false}), Value::Null);
        // Contradictions: the stricter word counts.
        check(
            json!({"readOnlyHint": true, "destructiveHint": true}),
            json!({"destructive": true}),
        );
        check(
            json!({"readOnlyHint": true, "idempotentHint": false}),
            json!({"filesystem": {"write": false, "delete": false}, "idempotent": false, "destructive": false}),
        );
        check(json!({"readOnlyHint": true, "destructiveHint": false}), reads);
        // What is no boolean is no claim.
        for odd in [json!("true"), json!(1), json!([true]), json!({})] {
            check(json!({"readOnlyHint": odd}), Value::Null);
        }
        check(json!([]), Value::Null);
        check(json!("readOnlyHint"), Value::Null);
        assert_eq!(
            claims(Some(&json!({"readOnlyHint": "true"}))).unreadable,
            ["readOnlyHint"]
        );
    }

    #[test]
    fn no_combination_invents_safety() {
        for hints in all() {
            let Effects {
                filesystem,
                network,
                subprocess,
                idempotent,
                reversible,
                destructive,
                creates,
                modifies,
                deletes,
                cost,
                ..
            } = effects(hints);
            let files = filesystem.unwrap_or_default();
            // Nothing that no hint speaks of.
            assert_eq!(
                (subprocess, reversible, files.read),
                (None, None, None),
                "{hints:?}"
            );
            assert_eq!((creates, deletes, cost), (None, None, None), "{hints:?}");
            // Every safe word has a hint that says it.
            assert_ne!(network, Some(false), "{hints:?}");
            let says_reads = hints.read_only == Some(true);
            if files.write == Some(false) || files.delete == Some(false) {
                assert!(says_reads && hints.destructive != Some(true), "{hints:?}");
            }
            if destructive == Some(false) {
                assert!(hints.destructive == Some(false) || says_reads, "{hints:?}");
            }
            if idempotent == Some(true) {
                assert!(hints.idempotent == Some(true) || says_reads, "{hints:?}");
            }
            // Every dangerous word is heard.
            assert_eq!(
                hints.destructive == Some(true),
                destructive == Some(true),
                "{hints:?}"
            );
            assert_eq!(
                hints.idempotent == Some(false),
                idempotent == Some(false),
                "{hints:?}"
            );
            assert_eq!(hints.open_world == Some(true), network == Some(true), "{hints:?}");
            assert_eq!(hints.read_only == Some(false), modifies.is_some(), "{hints:?}");
        }
    }
}
