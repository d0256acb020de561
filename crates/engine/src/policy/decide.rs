//! The decision: every rule speaks, and the strictest word wins.
//!
//! No rule can take back what another said. `autoApprove` only answers questions of the built-in rules before they are
//! counted, and a grant those about the call that it covers, so adding a rule that restricts, or a claim of danger, never
//! makes a call freer.

use argrail_spec::atip::Certainty;

use super::auto_approve::AutoApprove;
use super::case::Case;
use super::decision::{Confinement, Decision, Reason, Verdict};
use super::facts::Facts;
use super::grant;
use super::rules::{CarriedOut, Rules};
use super::wording::plain;
use super::{aip14, defaults, delegation, permission, trust};

/// How deep calls may stand inside each other.
const DEEPEST: usize = 16;

/// Decides whether a call may run, where, and why.
pub fn decide(facts: &Facts, rules: &Rules) -> Decision {
    nested(facts, rules, Certainty::Whole, 0)
}

fn nested(facts: &Facts, rules: &Rules, words: Certainty, depth: usize) -> Decision {
    let case = Case::new(facts, rules, words);
    let mut reasons = Vec::new();
    trust::reasons(&case, &mut reasons);
    let mut confinement = built_in(&case, &mut reasons);
    permission::reasons(&case, &mut reasons);
    aip14::reasons(&case, &mut reasons);
    delegation::reasons(&case, &mut reasons);
    unread(facts, &mut reasons);
    elsewhere(rules, &mut reasons, &mut confinement);
    let grants = grant::answer(&case, &mut reasons, &mut confinement);
    let mut decision = Decision {
        verdict: Verdict::Ask,
        confinement,
        reasons,
        grants: grants.into_iter().map(|grant| grant.id.clone()).collect(),
    };
    inside(facts, rules, depth, &mut decision);
    let verdict = decision.reasons.iter().map(|reason| reason.verdict).max();
    decision.verdict = verdict.unwrap_or(Verdict::Ask);
    decision
}

/// Asks the built-in rules, and lets the user's `autoApprove` answer what it may.
fn built_in(case: &Case<'_>, reasons: &mut Vec<Reason>) -> Confinement {
    let mut confinement = defaults::confinement(case, reasons);
    let approval = AutoApprove::of(case);
    let questions = defaults::questions(case);
    if questions.is_empty() {
        reasons.push(Reason {
            rule: "default.read",
            origin: case.origin("idempotent"),
            effect: "changes nothing".to_owned(),
            verdict: Verdict::Allow,
        });
    }
    for question in questions {
        let Some(place) = approval.answers(case, question.lift) else {
            reasons.push(question.reason);
            continue;
        };
        confinement = confinement.max(place);
        reasons.push(Reason {
            rule: "permissionPolicy.autoApprove",
            origin: "config".to_owned(),
            effect: question.reason.effect,
            verdict: Verdict::Allow,
        });
    }
    confinement
}

/// What would only run in the closed sandbox asks where somebody else carries it out: there is none.
fn elsewhere(rules: &Rules, reasons: &mut Vec<Reason>, confinement: &mut Confinement) {
    match (rules.carried_out, *confinement) {
        (CarriedOut::Here, _) | (CarriedOut::ByAgent, Confinement::Effects) => {}
        (CarriedOut::ByAgent, Confinement::Closed) => {
            reasons.push(Reason {
                rule: "agent.closed",
                origin: "sandbox".to_owned(),
                effect: "only the closed sandbox makes it true, and the agent has its own".to_owned(),
                verdict: Verdict::Ask,
            });
            *confinement = Confinement::Effects;
        }
    }
}

/// Says which calls inside nobody could read, or not to their end.
fn unread(facts: &Facts, reasons: &mut Vec<Reason>) {
    let mut say = |rule, effect| reasons.push(about_inside(rule, effect, Verdict::Ask));
    for unread in facts.invoked.inner.iter().skip(facts.inner.len()) {
        let tool = unread.words.first().map_or("", String::as_str);
        say("inner.unknown", plain(tool));
    }
    for open in facts.invoked.inner.iter().filter(|inner| inner.open) {
        let tool = open.words.first().map_or("", String::as_str);
        say("inner.open", format!("{}: words from input", plain(tool)));
    }
}

/// Decides the calls inside as if each was made by itself. Their reasons name their tool.
fn inside(facts: &Facts, rules: &Rules, depth: usize, whole: &mut Decision) {
    if depth == DEEPEST && !facts.inner.is_empty() {
        let effect = "too many commands inside each other".to_owned();
        whole
            .reasons
            .push(about_inside("inner.depth", effect, Verdict::Deny));
        whole.confinement = Confinement::Closed;
        return;
    }
    for (index, inner) in facts.inner.iter().enumerate() {
        let words = match facts.invoked.inner.get(index) {
            Some(said) if said.open => Certainty::Open,
            Some(_) | None => Certainty::Whole,
        };
        let decision = nested(inner, rules, words, depth + 1);
        whole.confinement = whole.confinement.max(decision.confinement);
        let tool = plain(&inner.invoked.tool);
        whole
            .reasons
            .extend(decision.reasons.into_iter().map(|reason| Reason {
                effect: format!("{tool}: {}", reason.effect),
                ..reason
            }));
        for grant in decision.grants {
            if !whole.grants.contains(&grant) {
                whole.grants.push(grant);
            }
        }
    }
}

fn about_inside(rule: &'static str, effect: String, verdict: Verdict) -> Reason {
    Reason {
        rule,
        origin: "x-command".to_owned(),
        effect,
        verdict,
    }
}
