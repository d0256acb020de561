//! The built-in rules: what reads runs, what changes asks, what is unknown asks.
//!
//! A read is what is known to be safe to repeat and to change nothing. Whatever else a description leaves out is fine,
//! because the sandbox makes it true. A tool's own word, and code that is found in the workspace, count as reads only
//! in the closed sandbox, which has no network: with one, they ask. It starts no programs for a tool's own word either.

use argrail_spec::atip::{Estimate, claim};

use super::case::{Case, Reach};
use super::decision::{Confinement, Reason, Verdict};
use super::facts::Basis;
use super::program::Purity;
use super::wording::{CHANGES, effect, new_host, plain};

/// Something that a person is asked about.
pub(super) struct Question {
    pub(super) reason: Reason,
    pub(super) lift: Lift,
}

/// What a permission policy can do about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lift {
    /// Nothing.
    Never,
    /// Answer it, if it names this effect.
    Named(&'static str),
    /// Answer it for the closed sandbox, if nothing is said to change.
    Closed,
    /// Either.
    NamedOrClosed(&'static str),
}

/// Returns what the built-in rules ask about.
pub(super) fn questions(case: &Case<'_>) -> Vec<Question> {
    let mut asked = Vec::new();
    let mut ask = |rule, key, effect, lift| {
        asked.push(Question {
            reason: Reason {
                rule,
                origin: case.origin(key),
                effect,
                verdict: Verdict::Ask,
            },
            lift,
        });
    };
    let claimed = |key| claim(&case.effects, key) == Some(true);
    for (key, _) in CHANGES.into_iter().filter(|(key, _)| claimed(key)) {
        ask("default.change", key, effect(case, key), Lift::Named(key));
    }
    if claimed("destructive") {
        ask(
            "default.destructive",
            "destructive",
            effect(case, "destructive"),
            Lift::Never,
        );
    }
    if claimed("cost.billable") {
        ask(
            "default.billable",
            "cost.billable",
            effect(case, "cost.billable"),
            Lift::Never,
        );
    }
    let estimate = case
        .effects
        .cost
        .as_ref()
        .and_then(|cost| cost.estimate.as_deref());
    if estimate.is_some_and(|word| Estimate::of(word) > Estimate::Low) {
        ask(
            "default.cost",
            "cost.estimate",
            effect(case, "cost.estimate"),
            Lift::Never,
        );
    }
    if !case.is_known() {
        let lift = match case.facts.basis {
            Basis::Settled | Basis::Claimed => Lift::Closed,
            Basis::Undescribed => Lift::Never,
        };
        ask("default.unknown", "idempotent", "unknown".to_owned(), lift);
    } else if case.effects.idempotent == Some(false) {
        let lift = Lift::NamedOrClosed("idempotent");
        ask("default.repeat", "idempotent", effect(case, "idempotent"), lift);
    }
    match network(case) {
        Some(lift) => ask("default.network", "network", effect(case, "network"), lift),
        None => {
            for host in case.new_hosts() {
                ask(
                    "default.network",
                    "network",
                    new_host(case, host),
                    Lift::Named("network"),
                );
            }
        }
    }
    if case.facts.basis == Basis::Claimed && claimed("subprocess") {
        // The closed sandbox, which is what makes a claim true, starts nothing: there it could only fail.
        let starts = effect(case, "subprocess");
        ask("default.subprocess", "subprocess", starts, Lift::Never);
    }
    if case.prints_credentials() {
        ask(
            "default.credentials",
            "x-prints",
            "shows credentials".to_owned(),
            Lift::Never,
        );
    }
    for word in &case.facts.invoked.unverified {
        ask("default.unverified", "x-grammar", plain(&word.text), Lift::Never);
    }
    let mut said = Vec::new();
    for (language, purity) in case.programs() {
        let what = match purity {
            Purity::Pure => continue,
            Purity::Changes(what) => what,
            Purity::Unknown => "unknown",
        };
        // A text may be several words, and is one question.
        if said.contains(&(language, what)) {
            continue;
        }
        said.push((language, what));
        ask(
            "default.program",
            "x-program",
            format!("{}: {what}", plain(language)),
            Lift::Never,
        );
    }
    asked
}

/// Says whether talking to the network is something to ask about.
fn network(case: &Case<'_>) -> Option<Lift> {
    match (case.reach, needs_closed(case)) {
        (Reach::Nowhere, _) | (Reach::Named, false) => None,
        (Reach::Public, false) => Some(Lift::Named("network")),
        (Reach::Named | Reach::Public, true) => Some(Lift::Never),
    }
}

/// Whether only the closed sandbox makes it true what is said about it.
pub(super) fn needs_closed(case: &Case<'_>) -> bool {
    case.facts.basis != Basis::Settled || case.runs_workspace_code()
}

/// Returns where it may run, and says why it must be the closed sandbox.
pub(super) fn confinement(case: &Case<'_>, reasons: &mut Vec<Reason>) -> Confinement {
    let mut closed = Confinement::Effects;
    let mut close = |rule, key, effect: &str| {
        closed = Confinement::Closed;
        reasons.push(Reason {
            rule,
            origin: case.origin(key),
            effect: effect.to_owned(),
            verdict: Verdict::Allow,
        });
    };
    match case.facts.basis {
        Basis::Settled => {}
        Basis::Claimed => close(
            "closed.claimed",
            "idempotent",
            "nobody but the tool says what it does",
        ),
        Basis::Undescribed => close("closed.undescribed", "idempotent", "nobody says what it does"),
    }
    if case.runs_workspace_code() {
        close("closed.workspace-code", "x-runs", "runs code of the workspace");
    }
    if case.reach == Reach::Nowhere && case.programs().next().is_some() {
        close("closed.program", "x-program", "runs the text of a program");
    }
    closed
}
