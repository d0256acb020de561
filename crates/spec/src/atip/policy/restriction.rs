//! One effect under one restriction. What is unknown does not meet it.

use serde_json::Value;

use super::super::model::Effects;

/// Effects that are a danger where they are true, and those that are a safeguard.
const DANGERS: [&str; 7] = [
    "network",
    "subprocess",
    "destructive",
    "filesystem.read",
    "filesystem.write",
    "filesystem.delete",
    "cost.billable",
];
const SAFEGUARDS: [&str; 2] = ["idempotent", "reversible"];
const LISTS: [&str; 3] = ["creates", "modifies", "deletes"];
/// Estimates from nothing to much. `free` is the later word for `none`; any other word counts as high.
const ESTIMATES: [&str; 4] = ["none", "low", "medium", "high"];

/// Returns the effect without the prefix that §5.2 writes, if there is such an effect and the value says something.
pub(super) fn known(effect: &str, value: &Value) -> Option<String> {
    let effect = effect.strip_prefix("effects.").unwrap_or(effect);
    let makes_sense = match effect {
        "cost.estimate" => value.as_str().is_some_and(|word| estimate(word).is_some()),
        _ if LISTS.contains(&effect) || DANGERS.contains(&effect) || SAFEGUARDS.contains(&effect) => {
            value.is_boolean()
        }
        _ => false,
    };
    makes_sense.then(|| effect.to_owned())
}

/// Whether a command with these effects stays within `effect: value`.
pub(super) fn holds(effects: &Effects, effect: &str, value: &Value) -> bool {
    let filesystem = effects.filesystem.as_ref();
    let cost = effects.cost.as_ref();
    let claim = match effect {
        "network" => effects.network,
        "subprocess" => effects.subprocess,
        "destructive" => effects.destructive,
        "idempotent" => effects.idempotent,
        "reversible" => effects.reversible,
        "filesystem.read" => filesystem.and_then(|filesystem| filesystem.read),
        "filesystem.write" => filesystem.and_then(|filesystem| filesystem.write),
        "filesystem.delete" => filesystem.and_then(|filesystem| filesystem.delete),
        "cost.billable" => cost.and_then(|cost| cost.billable),
        "creates" => effects.creates.as_ref().map(|list| !list.is_empty()),
        "modifies" => effects.modifies.as_ref().map(|list| !list.is_empty()),
        "deletes" => effects.deletes.as_ref().map(|list| !list.is_empty()),
        "cost.estimate" => {
            let most = value.as_str().and_then(estimate);
            let claimed = cost.and_then(|cost| cost.estimate.as_deref());
            return match (claimed, most) {
                (Some(word), Some(most)) => estimate(word).unwrap_or(ESTIMATES.len() - 1) <= most,
                (None, _) | (_, None) => false,
            };
        }
        _ => return false,
    };
    let safeguard = SAFEGUARDS.contains(&effect);
    match (value, safeguard) {
        // A danger that is permitted, a safeguard that is not asked for.
        (Value::Bool(true), false) | (Value::Bool(false), true) => true,
        (Value::Bool(false), false) => claim == Some(false),
        (Value::Bool(true), true) => claim == Some(true),
        _ => false,
    }
}

fn estimate(word: &str) -> Option<usize> {
    let word = if word == "free" { "none" } else { word };
    ESTIMATES.iter().position(|known| *known == word)
}
