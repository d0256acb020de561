//! What a grant does to a decision: questions about the call that it covers are answered, and nothing else.

use super::standing::Grant;
use crate::policy::case::Case;
use crate::policy::decision::{Confinement, Reason, Verdict};
use crate::policy::wording::new_host;

/// Questions that a standing yes does not answer: each call is another secret, or another command.
const EACH_TIME: [&str; 3] = ["default.credentials", "inner.unknown", "inner.open"];

/// Lets grants answer what the rules ask about a call: the first that covers the call answers all, those for hosts that
/// these are new. Returns the ones that answered anything.
pub(in crate::policy) fn answer<'a>(
    case: &Case<'a>,
    reasons: &mut Vec<Reason>,
    confinement: &mut Confinement,
) -> Vec<&'a Grant> {
    let asks = |reason: &Reason| reason.verdict == Verdict::Ask && !EACH_TIME.contains(&reason.rule);
    if !reasons.iter().any(asks) {
        return Vec::new();
    }
    let rules = case.rules;
    let covers = |grant: &&Grant| grant.pattern.covers(case.facts, &rules.directory, &rules.home);
    let Some(grant) = rules.grants.iter().find(covers) else {
        return hosts(case, reasons);
    };
    for reason in reasons.iter_mut().filter(|reason| asks(reason)) {
        say_yes(reason, grant);
    }
    // The closed sandbox is the price of not asking, and a person was asked.
    reasons.retain(|reason| !reason.rule.starts_with("closed."));
    *confinement = Confinement::Effects;
    vec![grant]
}

/// Answers that hosts are new, by the grants for hosts in this directory.
fn hosts<'a>(case: &Case<'a>, reasons: &mut [Reason]) -> Vec<&'a Grant> {
    let rules = case.rules;
    let here = |grant: &&Grant| {
        let pattern = &grant.pattern;
        // A host that somebody knows for reading pages is not yet one for passwords.
        let enough = pattern.credentials || !case.facts.uses_credentials();
        pattern.is_for_hosts() && enough && pattern.has_path(&rules.directory, &rules.home)
    };
    let grants: Vec<&Grant> = rules.grants.iter().filter(here).collect();
    let mut used: Vec<&Grant> = Vec::new();
    for host in case.new_hosts() {
        let Some(grant) = grants.iter().find(|grant| grant.pattern.names_host(host)) else {
            continue;
        };
        let effect = new_host(case, host);
        let asked = reasons
            .iter_mut()
            .filter(|reason| reason.rule == "default.network" && reason.effect == effect);
        asked.for_each(|reason| say_yes(reason, grant));
        if !used.iter().any(|known| known.id == grant.id) {
            used.push(grant);
        }
    }
    used
}

fn say_yes(reason: &mut Reason, grant: &Grant) {
    reason.rule = "grant";
    reason.origin = format!("grant {}", grant.id);
    reason.verdict = Verdict::Allow;
}
