//! The gate: what comes out of it was approved, and nothing else can make an [`Approved`].

use super::decide::decide;
use super::decision::{Decision, Verdict};
use super::facts::Facts;
use super::rules::Rules;

/// A call that may run. Only [`check`] makes one, so what wants one cannot be reached without a decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Approved {
    facts: Facts,
    decision: Decision,
}

impl Approved {
    /// Returns what it was decided from.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the decision.
    pub fn decision(&self) -> &Decision {
        &self.decision
    }
}

/// A call that may not run, or not yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused(Box<Parts>);

#[derive(Debug, Clone, PartialEq)]
struct Parts {
    facts: Facts,
    decision: Decision,
}

impl Refused {
    /// Returns what it was decided from.
    pub fn facts(&self) -> &Facts {
        &self.0.facts
    }

    /// Returns the decision.
    pub fn decision(&self) -> &Decision {
        &self.0.decision
    }
}

/// Decides, and lets pass what is allowed.
///
/// # Errors
/// When a person has to be asked, or the answer is no.
pub fn check(facts: Facts, rules: &Rules) -> Result<Approved, Refused> {
    let decision = decide(&facts, rules);
    match decision.verdict {
        Verdict::Allow => Ok(Approved { facts, decision }),
        Verdict::Ask | Verdict::Deny => Err(Refused(Box::new(Parts { facts, decision }))),
    }
}
