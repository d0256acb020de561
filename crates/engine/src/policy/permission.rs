//! The user's permission policy (ATIP §5.2): what never runs, what asks, and which questions it answers.
//!
//! `deny` and `requireConfirmation` speak when any key matches, `autoApprove` when all do. A key that nobody knows
//! matches everything in the first two and nothing in the last. Only what is settled is approved by itself: a tool's
//! own word about its changes answers no question.

use argrail_spec::atip::{Estimate, PermissionPolicy, claim};
use serde_json::Value;

use super::case::Case;
use super::decision::{Confinement, Reason, Verdict};
use super::defaults::{Lift, Question};
use super::path_glob::{self, Width};
use super::wording::{effect, plain};

/// Which way a doubt falls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Towards a match: `deny`, `requireConfirmation`.
    Restricts,
    /// Away from one: `autoApprove`.
    Permits,
}

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
            if let Some(effect) = matched(case, key, value, Side::Restricts) {
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

/// What `autoApprove` makes of the questions about one call.
pub(super) struct Approval<'a> {
    policy: Option<&'a PermissionPolicy>,
    confinement: Confinement,
}

impl<'a> Approval<'a> {
    /// Looks whether `autoApprove` speaks about this call. `confinement` is where it may run without it.
    pub(super) fn of(case: &Case<'a>, confinement: Confinement) -> Self {
        let policy = case.rules.permission_policy.as_ref();
        let policy = policy.filter(|policy| !policy.auto_approve.is_empty());
        let all = |policy: &&PermissionPolicy| {
            let mut keys = policy.auto_approve.iter();
            keys.all(|(key, value)| matched(case, key, value, Side::Permits).is_some())
        };
        Self {
            policy: policy.filter(all),
            confinement,
        }
    }

    /// Whether it speaks about this call at all.
    pub(super) fn speaks(&self) -> bool {
        self.policy.is_some()
    }

    /// Whether it answers a question.
    pub(super) fn answers(&self, case: &Case<'_>, question: &Question) -> bool {
        let Some(policy) = self.policy else {
            return false;
        };
        let names = |key: &str| policy.auto_approve.contains_key(key);
        match question.lift {
            Lift::Never => false,
            Lift::Closed => true,
            Lift::Effect(key) => {
                let for_good = claim(&case.effects, "reversible") == Some(false);
                self.confinement == Confinement::Effects && names(key) && (!for_good || names("reversible"))
            }
        }
    }
}

/// Returns what a key speaks about, in words, if it speaks about this call.
fn matched(case: &Case<'_>, key: &str, value: &Value, side: Side) -> Option<String> {
    let of_kind = |kinds: &Option<Vec<String>>| {
        let kinds = kinds.as_deref().unwrap_or_default();
        same(kinds, value, side).then(|| effect(case, key))
    };
    match (key, value) {
        ("filesystem.paths", Value::String(_) | Value::Array(_)) => paths(case, value, side),
        ("mutates", Value::String(_) | Value::Array(_)) => {
            let mutates = &case.facts.approval.mutates;
            same(mutates, value, side).then(|| format!("mutates {}", plain(&mutates.join(", "))))
        }
        ("creates", Value::String(_) | Value::Array(_)) => of_kind(&case.effects.creates),
        ("modifies", Value::String(_) | Value::Array(_)) => of_kind(&case.effects.modifies),
        ("deletes", Value::String(_) | Value::Array(_)) => of_kind(&case.effects.deletes),
        ("cost.estimate", Value::String(word)) => {
            let claimed = case
                .effects
                .cost
                .as_ref()
                .and_then(|cost| cost.estimate.as_deref());
            let claimed = Estimate::of(claimed?);
            let matches = match side {
                Side::Restricts => claimed >= Estimate::known(word).unwrap_or(Estimate::None),
                Side::Permits => claimed <= Estimate::known(word).unwrap_or(Estimate::None),
            };
            matches.then(|| effect(case, key))
        }
        (
            "network" | "subprocess" | "destructive" | "idempotent" | "reversible" | "filesystem.read"
            | "filesystem.write" | "filesystem.delete" | "cost.billable" | "creates" | "modifies" | "deletes",
            Value::Bool(wanted),
        ) => (claim(&case.effects, key) == Some(*wanted)).then(|| match wanted {
            true => effect(case, key),
            false => format!("{}: false", plain(key)),
        }),
        _ => match side {
            Side::Restricts => Some(format!("a rule that nobody understands: {}", plain(key))),
            Side::Permits => None,
        },
    }
}

/// Returns the texts of a value that is one or a list of them. What is no text is the empty one, which is no name.
fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        other => std::slice::from_ref(other),
    };
    items.iter().map(|item| item.as_str().unwrap_or_default())
}

/// Whether a list of claims is one that a rule speaks about: any of them, or all.
fn same(claims: &[String], value: &Value, side: Side) -> bool {
    let named = |claim: &String| {
        texts(value).any(|wanted| match side {
            Side::Restricts => wanted.is_empty() || path_glob::matches_text(wanted, claim),
            Side::Permits => path_glob::matches_text(wanted, claim),
        })
    };
    match side {
        Side::Restricts => claims.iter().any(named),
        Side::Permits => !claims.is_empty() && claims.iter().all(named),
    }
}

fn paths(case: &Case<'_>, value: &Value, side: Side) -> Option<String> {
    let home = &case.rules.home;
    let declared = case
        .effects
        .filesystem
        .as_ref()
        .and_then(|files| files.paths.as_deref());
    let declared = declared.unwrap_or_default();
    let expanded = declared.iter().filter_map(|path| path_glob::declared(path, home));
    match side {
        Side::Restricts => {
            let mut all = case.facts.paths.iter().cloned().chain(expanded);
            let hit =
                all.find(|path| texts(value).any(|glob| path_glob::matches(glob, path, home, Width::Wide)))?;
            Some(plain(&hit.to_string_lossy()))
        }
        Side::Permits => {
            let within = |path: &std::path::Path| {
                texts(value).any(|glob| path_glob::matches(glob, path, home, Width::Narrow))
            };
            // A tool that writes and does not say where may write wherever its sandbox lets it.
            let bounded = !case.facts.paths.is_empty() && !declared.is_empty();
            let all = bounded
                && case.facts.paths.iter().all(|path| within(path))
                && expanded.into_iter().all(|path| within(&path));
            all.then(|| "paths that are approved".to_owned())
        }
    }
}
