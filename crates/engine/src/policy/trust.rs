//! How far a tool is trusted. Nothing that nobody accepted runs, and nothing that has changed since.

use super::case::Case;
use super::decision::{Reason, Verdict};
use super::facts::Trust;
use super::wording::plain;

pub(super) const DRIFT: &str = "trust.drift";
pub(super) const UNTRUSTED: &str = "trust.untrusted";

/// Says whether trust stands against it.
pub(super) fn reasons(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let (rule, effect) = match &case.facts.trust {
        Trust::Unpinned | Trust::Accepted => return,
        Trust::Denied => ("trust.denied", "a person said no".to_owned()),
        Trust::Drift(what) => (DRIFT, plain(what)),
        Trust::Untrusted => (UNTRUSTED, "nobody accepted the project".to_owned()),
    };
    reasons.push(Reason {
        rule,
        origin: "trust".to_owned(),
        effect,
        verdict: Verdict::Deny,
    });
}
