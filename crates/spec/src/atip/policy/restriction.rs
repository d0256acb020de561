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

/// How dear. `free` is the later word for `none`; a word that nobody knows counts as high.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Estimate {
    /// Nothing.
    None,
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl Estimate {
    /// Reads one of the draft's words.
    pub fn known(word: &str) -> Option<Self> {
        match word {
            "none" | "free" => Some(Self::None),
            "low" => Some(Self::Low),
            "medium" => Some(Self::Medium),
            "high" => Some(Self::High),
            _ => None,
        }
    }

    /// Reads any word.
    pub fn of(word: &str) -> Self {
        Self::known(word).unwrap_or(Self::High)
    }
}

/// Returns the effect without the prefix that §5.2 writes, if there is such an effect and the value says something.
pub(super) fn known(effect: &str, value: &Value) -> Option<String> {
    let effect = effect.strip_prefix("effects.").unwrap_or(effect);
    let makes_sense = match effect {
        "cost.estimate" => value.as_str().is_some_and(|word| Estimate::known(word).is_some()),
        _ if LISTS.contains(&effect) || DANGERS.contains(&effect) || SAFEGUARDS.contains(&effect) => {
            value.is_boolean()
        }
        _ => false,
    };
    makes_sense.then(|| effect.to_owned())
}

/// Returns the key of a permission policy without its prefix, if it names something and the value says something. Beside
/// the effects of a delegation it may list kinds of thing, paths, and what an AIP-14 tool says it changes.
pub(super) fn policy_key(key: &str, value: &Value) -> Option<String> {
    let bare = key.strip_prefix("effects.").unwrap_or(key);
    let lists = LISTS.contains(&bare) || matches!(bare, "filesystem.paths" | "mutates");
    let texts = match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => {
            let text = |item: &Value| item.as_str().is_some_and(|text| !text.is_empty());
            !items.is_empty() && items.iter().all(text)
        }
        _ => false,
    };
    known(key, value).or_else(|| (lists && texts).then(|| bare.to_owned()))
}

/// Returns what is claimed about an effect that is either so or not, by its name with dots. A list is a claim that there
/// is something in it.
pub fn claim(effects: &Effects, effect: &str) -> Option<bool> {
    let filesystem = effects.filesystem.as_ref();
    let cost = effects.cost.as_ref();
    let listed = |list: &Option<Vec<String>>| list.as_ref().map(|list| !list.is_empty());
    match effect {
        "network" => effects.network,
        "subprocess" => effects.subprocess,
        "destructive" => effects.destructive,
        "idempotent" => effects.idempotent,
        "reversible" => effects.reversible,
        "filesystem.read" => filesystem.and_then(|filesystem| filesystem.read),
        "filesystem.write" => filesystem.and_then(|filesystem| filesystem.write),
        "filesystem.delete" => filesystem.and_then(|filesystem| filesystem.delete),
        "cost.billable" => cost.and_then(|cost| cost.billable),
        "creates" => listed(&effects.creates),
        "modifies" => listed(&effects.modifies),
        "deletes" => listed(&effects.deletes),
        _ => None,
    }
}

/// Whether a command with these effects stays within `effect: value`.
pub(super) fn holds(effects: &Effects, effect: &str, value: &Value) -> bool {
    if effect == "cost.estimate" {
        let most = value.as_str().and_then(Estimate::known);
        let claimed = effects.cost.as_ref().and_then(|cost| cost.estimate.as_deref());
        return match (claimed, most) {
            (Some(word), Some(most)) => Estimate::of(word) <= most,
            (None, _) | (_, None) => false,
        };
    }
    let safeguard = SAFEGUARDS.contains(&effect);
    if !safeguard && !DANGERS.contains(&effect) && !LISTS.contains(&effect) {
        return false;
    }
    match (value, safeguard) {
        // A danger that is permitted, a safeguard that is not asked for.
        (Value::Bool(true), false) | (Value::Bool(false), true) => true,
        (Value::Bool(false), false) => claim(effects, effect) == Some(false),
        (Value::Bool(true), true) => claim(effects, effect) == Some(true),
        _ => false,
    }
}
