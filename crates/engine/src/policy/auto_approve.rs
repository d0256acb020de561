//! The user's permission policy (ATIP §5.2), where it permits: which questions `autoApprove` answers.
//!
//! It speaks about a call when every key of it matches. A key that permits (`"network": true`) matches whatever goes no
//! further, one that demands (`"network": false`) only what is known to be so; then it answers the questions about
//! effects that it names. Only what is settled is answered so: a tool's own word about its changes, code of the workspace
//! and the text of a program answer no question.

use argrail_spec::atip::{Estimate, PermissionPolicy, claim};
use serde_json::Value;

use super::case::{Case, Reach};
use super::decision::Confinement;
use super::defaults::{Lift, needs_closed};
use super::path_glob::{self, Width};
use super::permission::texts;

/// What `autoApprove` makes of the questions about one call.
pub(super) struct AutoApprove<'a> {
    policy: Option<&'a PermissionPolicy>,
}

impl<'a> AutoApprove<'a> {
    /// Looks whether it speaks about this call.
    pub(super) fn of(case: &Case<'a>) -> Self {
        let policy = case.rules.permission_policy.as_ref();
        let speaks = |policy: &&PermissionPolicy| {
            let mut keys = policy.auto_approve.iter();
            !policy.auto_approve.is_empty() && keys.all(|(key, value)| matches(case, key, value))
        };
        Self {
            policy: policy.filter(speaks),
        }
    }

    /// Returns where the call may run as far as this question goes, if it is answered.
    pub(super) fn answers(&self, case: &Case<'_>, lift: Lift) -> Option<Confinement> {
        let names = |key: &str| {
            self.policy
                .is_some_and(|policy| policy.auto_approve.contains_key(key))
        };
        let by_name = |key: &str| {
            let for_good = claim(&case.effects, "reversible") == Some(false);
            // Whether or not it has a network: otherwise one could be added to get an answer.
            let settled = !needs_closed(case) && case.programs().next().is_none();
            let answered = settled && names(key) && (!for_good || names("reversible"));
            answered.then_some(Confinement::Effects)
        };
        // Whoever can neither write nor talk nor start anything may be as unknown as it likes.
        let closed = || {
            let harmless = self.policy.is_some() && case.reach == Reach::Nowhere && !case.changes();
            harmless.then_some(Confinement::Closed)
        };
        match lift {
            Lift::Never => None,
            Lift::Named(key) => by_name(key),
            Lift::NamedOrClosed(key) => by_name(key).or_else(closed),
            Lift::Closed => closed(),
        }
    }
}

fn matches(case: &Case<'_>, key: &str, value: &Value) -> bool {
    let effects = &case.effects;
    let all = |claims: &[String]| claims.iter().all(|claim| named(value, claim));
    let kinds = |kinds: &Option<Vec<String>>| all(kinds.as_deref().unwrap_or_default());
    match (key, value) {
        ("filesystem.paths", Value::String(_) | Value::Array(_)) => paths(case, value),
        ("mutates", Value::String(_) | Value::Array(_)) => all(&case.facts.approval.mutates),
        ("creates", Value::String(_) | Value::Array(_)) => kinds(&effects.creates),
        ("modifies", Value::String(_) | Value::Array(_)) => kinds(&effects.modifies),
        ("deletes", Value::String(_) | Value::Array(_)) => kinds(&effects.deletes),
        ("cost.estimate", Value::String(word)) => {
            let claimed = effects.cost.as_ref().and_then(|cost| cost.estimate.as_deref());
            let most = Estimate::known(word).unwrap_or(Estimate::None);
            claimed.is_none_or(|claimed| Estimate::of(claimed) <= most)
        }
        ("idempotent" | "reversible", Value::Bool(wanted)) => !wanted || claim(effects, key) == Some(true),
        (
            "network" | "subprocess" | "destructive" | "filesystem.read" | "filesystem.write"
            | "filesystem.delete" | "cost.billable" | "creates" | "modifies" | "deletes",
            Value::Bool(wanted),
        ) => *wanted || claim(effects, key) == Some(false),
        _ => false,
    }
}

fn named(value: &Value, claim: &str) -> bool {
    texts(value).any(|wanted| path_glob::matches_text(wanted, claim))
}

/// Whether every path of the call is one that the rule names.
fn paths(case: &Case<'_>, value: &Value) -> bool {
    let home = &case.rules.home;
    let within =
        |path: &std::path::Path| texts(value).any(|glob| path_glob::matches(glob, path, home, Width::Narrow));
    let declared = case
        .effects
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    let declared = declared.unwrap_or_default();
    let claims = |key| claim(&case.effects, key) == Some(true);
    let writes = claims("filesystem.write") || claims("filesystem.delete");
    // A tool that writes and does not say where may write wherever its sandbox lets it.
    let bounded = !writes || (!declared.is_empty() && !case.facts.paths.is_empty());
    let mut expanded = declared.iter().filter_map(|path| path_glob::declared(path, home));
    bounded && case.facts.paths.iter().all(|path| within(path)) && expanded.all(|path| within(&path))
}
