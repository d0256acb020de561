//! A refusal as an agent reads it: whether a person can help, and with which command.

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::Certainty;
use serde_json::{Value, json};

use super::case::Case;
use super::check::Refused;
use super::decision::{Decision, Reason, Verdict};
use super::facts::{Facts, Trust};
use super::rules::Rules;
use super::trust::{DRIFT, UNTRUSTED};
use super::wording;

/// The most reasons that an error tells.
const REASONS: usize = 24;

/// What stands in the way.
enum Obstacle<'a> {
    /// A person has to accept this tool.
    Trust(&'a str),
    /// A person has to approve this call.
    Approval,
    /// A rule of the user's.
    Policy,
    /// A lead agent's delegation.
    Delegation,
}

impl Refused {
    /// Returns the error for the agent. `command` is what it asked for, as it was written.
    pub fn error(&self, command: &str) -> Error {
        let (facts, decision) = (self.facts(), self.decision());
        let reason = |error: Error, reason: &'static str| error.detail("reason", reason);
        let error = match obstacle(facts, decision) {
            Obstacle::Trust(tool) => {
                let message = Text::new("setup required for {}: nobody has accepted {} as it is now");
                let error = Error::new(Code::SetupRequired, message.value(command).value(tool));
                let hint = Text::new("A person has to look at it and run: argrail trust {}").value(tool);
                error.hint(hint).detail("pending", json!(["trust"]))
            }
            Obstacle::Approval => {
                let message = Text::new("Permission denied for {}: a person has to approve it");
                let hint = "Check your access level: a person can see why with: argrail why -- {}";
                let error = Error::new(Code::PermissionDenied, message.value(command));
                reason(error.hint(Text::new(hint).value(command)), "approval_required")
            }
            Obstacle::Policy => {
                let message = Text::new("Permission denied for {}: a rule of this machine forbids it");
                let hint = "Check your access level: a person can see which rule with: argrail why -- {}";
                let error = Error::new(Code::PermissionDenied, message.value(command));
                reason(error.hint(Text::new(hint).value(command)), "denied_by_policy")
            }
            Obstacle::Delegation => {
                let message = Text::new("Permission denied for {}: it was not delegated to you");
                let hint = "Check your access level: a person can see which rule with: argrail why -- {}";
                let error = Error::new(Code::PermissionDenied, message.value(command));
                reason(error.hint(Text::new(hint).value(command)), "delegation")
            }
        };
        let told = decision
            .reasons
            .iter()
            .filter(|reason| reason.verdict != Verdict::Allow);
        let told: Vec<Value> = told.take(REASONS).map(Reason::to_json).collect();
        error.detail("effects", effects(facts)).detail("reasons", told)
    }
}

impl Reason {
    /// Returns it with these words shown otherwise, where it is about one of them.
    pub(crate) fn without(&self, words: &[(String, String)]) -> Self {
        let mut reason = self.clone();
        for (word, shown) in words {
            let (word, shown) = (wording::plain(word), wording::plain(shown));
            if let Some(before) = reason.effect.strip_suffix(&word)
                && (before.is_empty() || before.ends_with(' '))
            {
                reason.effect = format!("{before}{shown}");
            }
        }
        reason
    }

    /// Returns the reason as `why` and refusals show it.
    pub fn to_json(&self) -> Value {
        json!({
            "rule": self.rule,
            "origin": self.origin,
            "effect": self.effect,
            "decision": self.verdict.as_str(),
        })
    }
}

fn obstacle<'a>(facts: &'a Facts, decision: &Decision) -> Obstacle<'a> {
    let denied = |wanted: fn(&str) -> bool| {
        let mut reasons = decision.reasons.iter();
        reasons.any(|reason| reason.verdict == Verdict::Deny && wanted(reason.rule))
    };
    let to_trust = |rule: &str| rule == DRIFT || rule == UNTRUSTED;
    if denied(|rule| rule != DRIFT && rule != UNTRUSTED && !rule.starts_with("delegation.")) {
        return Obstacle::Policy;
    }
    // Accepting a tool is no use to whom it was not delegated.
    if denied(|rule| rule.starts_with("delegation.")) {
        return Obstacle::Delegation;
    }
    if denied(to_trust) {
        return Obstacle::Trust(unaccepted(facts).unwrap_or(&facts.invoked.tool));
    }
    match decision.verdict {
        Verdict::Allow | Verdict::Ask => Obstacle::Approval,
        Verdict::Deny => Obstacle::Policy,
    }
}

/// Returns the first tool of the call that somebody has to accept.
fn unaccepted(facts: &Facts) -> Option<&str> {
    match facts.trust {
        Trust::Drift(_) | Trust::Untrusted => Some(&facts.invoked.tool),
        Trust::Unpinned | Trust::Accepted | Trust::Denied => facts.inner.iter().find_map(unaccepted),
    }
}

/// Returns what the call and those inside it do, in words, each once.
pub(super) fn effects(facts: &Facts) -> Vec<String> {
    let rules = Rules::default();
    let mut words = wording::effects(&Case::new(facts, &rules, Certainty::Whole));
    for inner in &facts.inner {
        for word in effects(inner) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}
