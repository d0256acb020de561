//! The gate: what comes out of it was approved, and nothing else can make an [`Approved`].

use argrail_spec::atip::Certainty;

use super::case::Case;
use super::decide::decide;
use super::decision::{Agreed, Confinement, Decision, Terms, Verdict};
use super::facts::Facts;
use super::grant::GrantId;
use super::refusal::effects;
use super::rules::Rules;
use crate::policy::HumanApproval;
use crate::policy::{Approver, RequestId};

/// A call that may run. Only [`check`] and a person's yes make one, so what wants one cannot be reached without a
/// decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Approved {
    facts: Facts,
    decision: Decision,
    consent: Consent,
}

/// Whose yes it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consent {
    /// That of the rules.
    Policy,
    /// A person's, given beforehand.
    Grants(Vec<GrantId>),
    /// A person's, to this one call.
    Once(RequestId, Approver),
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

    /// Gives it up, and returns what it was decided from.
    pub fn into_facts(self) -> Facts {
        self.facts
    }

    /// Returns whose yes it was.
    pub fn consent(&self) -> &Consent {
        &self.consent
    }

    /// Returns where it runs. Who was asked said yes to the effects that were shown, and it runs by them.
    pub fn confinement(&self) -> Confinement {
        self.terms().confinement
    }

    /// Returns on what terms it runs.
    pub fn terms(&self) -> Terms {
        let (confinement, agreed) = match self.consent {
            Consent::Policy => (self.decision.confinement, Agreed::Rules),
            Consent::Grants(_) => (self.decision.confinement, Agreed::Grant),
            Consent::Once(..) => (Confinement::Effects, Agreed::Person),
        };
        Terms { confinement, agreed }
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

    /// Returns what the call and those inside it do, in words, each once.
    pub fn effects(&self) -> Vec<String> {
        effects(self.facts())
    }

    /// Returns the hosts that only the words of the call and of those inside it name, each once.
    pub fn new_hosts(&self, rules: &Rules) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut levels = vec![self.facts()];
        while let Some(facts) = levels.pop() {
            let case = Case::new(facts, rules, Certainty::Whole);
            for host in case.new_hosts() {
                if !found.iter().any(|known| known == host) {
                    found.push(host.to_owned());
                }
            }
            levels.extend(&facts.inner);
        }
        found.sort();
        found
    }

    /// Decides again, by other rules.
    ///
    /// # Errors
    /// As [`check`].
    pub fn again(self, rules: &Rules) -> Result<Approved, Self> {
        check(self.0.facts, rules)
    }

    /// Makes an approved call of it, by a person's yes. What is denied stays denied.
    ///
    /// # Errors
    /// Itself, if no person can say yes to it.
    pub fn approved(self, given: HumanApproval) -> Result<Approved, Self> {
        let Parts { facts, decision } = *self.0;
        match decision.verdict {
            Verdict::Allow | Verdict::Ask => {
                let (request, approver) = given.into_parts();
                let consent = Consent::Once(request, approver);
                Ok(Approved {
                    facts,
                    decision,
                    consent,
                })
            }
            Verdict::Deny => Err(Self(Box::new(Parts { facts, decision }))),
        }
    }
}

/// Decides, and lets pass what is allowed.
///
/// # Errors
/// When a person has to be asked, or the answer is no.
pub fn check(facts: Facts, rules: &Rules) -> Result<Approved, Refused> {
    let decision = decide(&facts, rules);
    match decision.verdict {
        Verdict::Allow => Ok(Approved {
            facts,
            consent: match decision.grants.is_empty() {
                true => Consent::Policy,
                false => Consent::Grants(decision.grants.clone()),
            },
            decision,
        }),
        Verdict::Ask | Verdict::Deny => Err(Refused(Box::new(Parts { facts, decision }))),
    }
}
