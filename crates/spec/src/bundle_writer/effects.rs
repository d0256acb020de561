//! What a tool claims, from what the metadata says about its command: never less.

use serde_json::{Map, Value, json};

use crate::atip::{Extra, Leaf, claim};
use crate::help::Class;

/// Programs in an argument that change nothing by themselves.
const HARMLESS: [&str; 2] = ["jq", "regex"];

/// What a command amounts to, its arguments counted in.
pub(super) fn class(leaf: &Leaf<'_>) -> Class {
    let open = leaf.arguments.iter().any(|argument| is_open(&argument.extra));
    let class = Class::of(&leaf.effects);
    if open {
        class.max(Class::Destructive)
    } else {
        class
    }
}

/// Whether an option or an argument makes more of its command than the command is.
pub(super) fn is_open(extra: &Extra) -> bool {
    let program = extra.get("x-program").and_then(Value::as_str);
    extra.contains_key("x-command")
        || extra.contains_key("x-effects")
        || extra.contains_key("x-prints")
        || program.is_some_and(|program| !HARMLESS.contains(&program))
}

/// Adds `idempotent`, `mutates`, `approval` and `risk_level`.
pub(super) fn claims(leaf: &Leaf<'_>, out: &mut Map<String, Value>) {
    let effects = &leaf.effects;
    let class = class(leaf);
    let far = effects.network == Some(true);
    let irreversible = effects.reversible == Some(false);
    let shows = effects.extra.contains_key("x-prints");
    let (approval, risk) = match class {
        Class::Read if shows => ("always", 0),
        Class::Read => ("auto", 0),
        // Nothing is known, so everything may happen.
        Class::Unknown => ("always", 2),
        Class::Change if irreversible => ("always", 3),
        Class::Change if shows => ("always", 2),
        Class::Change if far => ("on-mutate", 2),
        Class::Change => ("on-mutate", 1),
        Class::Destructive => ("always", 3),
    };
    out.insert(
        "idempotent".to_owned(),
        json!(class == Class::Read && effects.idempotent == Some(true)),
    );
    if class >= Class::Change {
        let says = |key: &str| claim(effects, key) == Some(true);
        let local = says("filesystem.write") || says("filesystem.delete");
        let mut mutates = Vec::new();
        if local || !far {
            mutates.push("workspace:files");
        }
        if far {
            mutates.push("external:any");
        }
        out.insert("mutates".to_owned(), json!(mutates));
    }
    out.insert("approval".to_owned(), approval.into());
    out.insert("risk_level".to_owned(), risk.into());
}
