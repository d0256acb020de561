//! The user's permission policy (ATIP §5.2), where it restricts: what never runs, and what asks.
//!
//! `deny` and `requireConfirmation` speak when any of their keys matches. A key or value that nobody knows matches
//! everything, and so does one that speaks against the absence of a danger: otherwise a call could get past it by
//! being more dangerous.

use argrail_spec::atip::{Estimate, claim};
use serde_json::Value;

use super::case::Case;
use super::decision::{Reason, Verdict};
use super::path_glob::{self, Width};
use super::wording::{effect, plain};

/// Says what `deny` and `requireConfirmation` say.
pub(super) fn reasons(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(policy) = &case.rules.permission_policy else {
        return;
    };
    let groups = [
        (&policy.deny, "permissionPolicy.deny", Verdict::Deny),
        (
            &policy.require_confirmation,
            "permissionPolicy.requireConfirmation",
            Verdict::Ask,
        ),
    ];
    for (group, rule, verdict) in groups {
        for (key, value) in group {
            if let Some(effect) = matched(case, key, value) {
                reasons.push(Reason {
                    rule,
                    origin: "config".to_owned(),
                    effect,
                    verdict,
                });
            }
        }
    }
}

/// Returns what a key speaks about, in words, if it speaks about this call.
fn matched(case: &Case<'_>, key: &str, value: &Value) -> Option<String> {
    let anything = || Some(format!("a rule about every call: {}", plain(key)));
    let kinds = |kinds: &Option<Vec<String>>| {
        let kinds = kinds.as_deref().unwrap_or_default();
        kinds
            .iter()
            .any(|kind| named(value, kind))
            .then(|| effect(case, key))
    };
    match (key, value) {
        ("filesystem.paths", Value::String(_) | Value::Array(_)) => path(case, value),
        ("mutates", Value::String(_) | Value::Array(_)) => {
            let mut mutates = case.facts.approval.mutates.iter();
            let entry = mutates.find(|entry| named(value, entry))?;
            Some(format!("mutates {}", plain(entry)))
        }
        ("creates", Value::String(_) | Value::Array(_)) => kinds(&case.effects.creates),
        ("modifies", Value::String(_) | Value::Array(_)) => kinds(&case.effects.modifies),
        ("deletes", Value::String(_) | Value::Array(_)) => kinds(&case.effects.deletes),
        ("cost.estimate", Value::String(word)) => {
            let claimed = case
                .effects
                .cost
                .as_ref()
                .and_then(|cost| cost.estimate.as_deref());
            let from = Estimate::known(word).unwrap_or(Estimate::None);
            (Estimate::of(claimed?) >= from).then(|| effect(case, key))
        }
        ("idempotent" | "reversible", Value::Bool(false)) => {
            (claim(&case.effects, key) == Some(false)).then(|| effect(case, key))
        }
        (
            "network" | "subprocess" | "destructive" | "filesystem.read" | "filesystem.write"
            | "filesystem.delete" | "cost.billable" | "creates" | "modifies" | "deletes",
            Value::Bool(true),
        ) => (claim(&case.effects, key) == Some(true)).then(|| effect(case, key)),
        _ => anything(),
    }
}

/// Returns the texts of a value that is one or a list of them. What is no text is the empty one, which is no name.
pub(super) fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    items.iter().map(|item| item.as_str().unwrap_or_default())
}

/// Whether a rule names this. What is no name in it names everything.
fn named(value: &Value, claim: &str) -> bool {
    texts(value).any(|wanted| wanted.is_empty() || path_glob::matches_text(wanted, claim))
}

fn path(case: &Case<'_>, value: &Value) -> Option<String> {
    let home = &case.rules.home;
    let declared = case
        .effects
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    let suspected = &case.facts.invoked.suspected_paths;
    let declared = declared.unwrap_or_default().iter().chain(suspected);
    let declared = declared.filter_map(|path| path_glob::declared(path, home));
    let mut all = case.facts.paths.iter().cloned().chain(declared);
    let speaks = |path: &std::path::PathBuf| {
        texts(value).any(|glob| path_glob::matches(glob, path, home, Width::Wide))
    };
    all.find(speaks).map(|path| plain(&path.to_string_lossy()))
}
