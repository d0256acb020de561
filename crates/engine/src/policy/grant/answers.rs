//! What a grant does to a decision: questions about the call that it covers are answered, and nothing else.

use super::standing::Grant;
use crate::policy::case::Case;
use crate::policy::decision::{Confinement, Reason, Verdict};

/// Questions that a standing yes does not answer: each call is another secret, or another command.
const EACH_TIME: [&str; 3] = ["default.credentials", "inner.unknown", "inner.open"];

/// Lets the first grant that covers the call answer what the rules ask about it. Returns it if it answered anything.
pub(in crate::policy) fn answer<'a>(
    case: &Case<'a>,
    reasons: &mut Vec<Reason>,
    confinement: &mut Confinement,
) -> Option<&'a Grant> {
    let asks = |reason: &Reason| reason.verdict == Verdict::Ask && !EACH_TIME.contains(&reason.rule);
    if !reasons.iter().any(asks) {
        return None;
    }
    let rules = case.rules;
    let covers = |grant: &&Grant| grant.pattern.covers(case.facts, &rules.directory, &rules.home);
    let grant = rules.grants.iter().find(covers)?;
    for reason in reasons.iter_mut().filter(|reason| asks(reason)) {
        reason.rule = "grant";
        reason.origin = format!("grant {}", grant.id);
        reason.verdict = Verdict::Allow;
    }
    // The closed sandbox is the price of not asking, and a person was asked.
    reasons.retain(|reason| !reason.rule.starts_with("closed."));
    *confinement = Confinement::Effects;
    Some(grant)
}
