//! Judging a call: by the rules, and by what people have said yes to beforehand.
//!
//! Grants are read when something asks, and not before: most calls are reads, and cost no look at the store. One use of
//! a grant is taken before the call runs, so that a grant that was taken back a moment ago answers nothing.

use argrail_acli::{Caller, Error};
use jiff::Timestamp;

use super::shop::Shop;
use crate::consent::{Petition, caller_key};
use crate::policy::{self, Approved, Decision, Facts, Grant, Refused, Rules, Verdict};

/// What was decided about a call.
pub(super) enum Judged {
    /// It may run.
    Approved(Box<Approved>),
    /// A person has to be asked. The rules are those that it was judged by.
    Asks(Refused, Box<Rules>),
}

impl Judged {
    /// Returns what it was decided from.
    pub(super) fn facts(&self) -> &Facts {
        match self {
            Self::Approved(approved) => approved.facts(),
            Self::Asks(refused, _) => refused.facts(),
        }
    }

    /// Returns on what terms it runs once it may.
    pub(super) fn terms(&self) -> policy::Terms {
        match self {
            Self::Approved(approved) => approved.terms(),
            Self::Asks(refused, _) => refused.decision().terms(),
        }
    }
}

impl Shop {
    /// Judges a call, or an act of an agent.
    ///
    /// # Errors
    /// That it may not run, whoever says so; or that the store cannot be used.
    pub(super) fn judge(&self, facts: Facts, call: &dyn Petition) -> Result<Judged, Error> {
        let mut rules = self.rules_for(call);
        let mut refused = match policy::check(facts, &rules) {
            Ok(approved) => return Ok(Judged::Approved(Box::new(approved))),
            Err(refused) => refused,
        };
        call.note("decision", refused.decision().verdict.as_str().into());
        call.note("policyVersion", self.policy_version().into());
        if refused.decision().verdict == Verdict::Deny {
            return Err(refused.error(&call.line()));
        }
        let now = call.host().now();
        rules.grants = self.grants(refused.facts(), call.caller(), now)?;
        loop {
            let approved = match refused.again(&rules) {
                Ok(approved) => approved,
                Err(refused) => return Ok(Judged::Asks(refused, Box::new(rules))),
            };
            let mut used = approved.decision().grants.iter();
            let ended = used.find_map(|id| match self.surroundings.store.use_grant(id, now) {
                Ok(true) => None,
                Ok(false) => Some(Ok(id.clone())),
                Err(error) => Some(Err(Error::from(&error))),
            });
            match ended.transpose()? {
                None => {
                    call.note("decision", approved.decision().verdict.as_str().into());
                    return Ok(Judged::Approved(Box::new(approved)));
                }
                // It was taken back, or its time was over, while we looked.
                Some(ended) => rules.grants.retain(|grant| grant.id != ended),
            }
            refused = match policy::check(approved.into_facts(), &self.rules_for(call)) {
                Ok(approved) => return Ok(Judged::Approved(Box::new(approved))),
                Err(refused) => refused,
            };
        }
    }

    fn rules_for(&self, call: &dyn Petition) -> Rules {
        Rules {
            carried_out: call.carried_out(),
            ..self.rules(call.caller())
        }
    }

    /// Decides about a call as [`judge`](Self::judge) does, and uses nothing up.
    ///
    /// # Errors
    /// When the store cannot be used.
    pub(super) fn decided(&self, facts: &Facts, caller: &Caller) -> Result<Decision, Error> {
        let mut rules = self.rules(caller);
        let decision = policy::decide(facts, &rules);
        if decision.verdict != Verdict::Ask {
            return Ok(decision);
        }
        rules.grants = self.grants(facts, caller, Timestamp::now())?;
        Ok(policy::decide(facts, &rules))
    }

    /// The grants that hold for a caller and could cover the call or one inside it.
    fn grants(&self, facts: &Facts, caller: &Caller, now: Timestamp) -> Result<Vec<Grant>, Error> {
        let key = caller_key(caller);
        let fits = |grant: &Grant| {
            let theirs = grant.caller.as_ref().is_none_or(|caller| *caller == key);
            let session = grant.session.as_ref();
            theirs && session.is_none_or(|session| *session == caller.id)
        };
        let store = &self.surroundings.store;
        let grants = store.grants_of(&policy::granted_tools(facts), now);
        let mut grants = grants.map_err(|error| Error::from(&error))?;
        grants.retain(fits);
        Ok(grants)
    }
}
