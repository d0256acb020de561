//! One call as the rules see it: its facts, with what follows from them.

use std::borrow::Cow;

use argrail_spec::atip::{Certainty, Effects, claim};

use super::facts::{Basis, Egress, Facts};
use super::program::Purity;
use super::rules::Rules;
use super::stranger::says;
use super::wording::CHANGES;
use super::{aip14, host};

/// One call under its rules.
pub(super) struct Case<'a> {
    pub(super) facts: &'a Facts,
    pub(super) rules: &'a Rules,
    /// The effects, with what its author and its hosts add.
    pub(super) effects: Cow<'a, Effects>,
    pub(super) reach: Reach,
    /// Whether words of it come from elsewhere.
    pub(super) words: Certainty,
}

/// How far it talks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Nowhere: the sandbox has no network.
    Nowhere,
    /// To hosts with names.
    Named,
    /// To any public host.
    Public,
}

impl<'a> Case<'a> {
    pub(super) fn new(facts: &'a Facts, rules: &'a Rules, words: Certainty) -> Self {
        let mut effects = aip14::raise(&facts.invoked.effects, &facts.approval);
        let named = match &facts.egress {
            Egress::None => None,
            Egress::Names(names) if names.is_empty() => None,
            Egress::Names(names) if names.iter().any(|name| name == "*") => Some(Reach::Public),
            Egress::Names(_) => Some(Reach::Named),
            Egress::Public => Some(Reach::Public),
        };
        let reach = match (named, effects.network) {
            (Some(reach), _) => reach,
            // Nobody says where to, so it is anywhere.
            (None, Some(true)) => Reach::Public,
            (None, Some(false) | None) => Reach::Nowhere,
        };
        if reach != Reach::Nowhere && effects.network != Some(true) {
            effects.to_mut().network = Some(true);
        }
        Self {
            facts,
            rules,
            effects,
            reach,
            words,
        }
    }

    /// The hosts, and names at shared services, that only the caller's words name. This machine itself is none of them,
    /// nor what the user's configuration names.
    pub(super) fn new_hosts(&self) -> impl Iterator<Item = &str> {
        let named = match self.reach {
            Reach::Nowhere => &[],
            Reach::Named | Reach::Public => self.facts.invoked.caller_named.as_slice(),
        };
        let known = |name: &str| host::is_loopback(name) || host::any_covers(&self.rules.hosts, name);
        named.iter().map(String::as_str).filter(move |name| !known(name))
    }

    /// Whether something is said to be created, changed or deleted.
    pub(super) fn changes(&self) -> bool {
        CHANGES
            .iter()
            .any(|(key, _)| claim(&self.effects, key) == Some(true))
    }

    /// Whether somebody says what it does. Who does not say whether it is safe to repeat does not say enough.
    pub(super) fn is_known(&self) -> bool {
        match self.facts.basis {
            Basis::Settled | Basis::Claimed => self.effects.idempotent.is_some(),
            Basis::Undescribed => false,
        }
    }

    /// Whether it shows secrets (`x-prints`). A value that nobody knows counts.
    pub(super) fn prints_credentials(&self) -> bool {
        says(&self.effects, "x-prints")
    }

    /// Whether it runs code that it finds (`x-runs`). A value that nobody knows counts.
    pub(super) fn runs_workspace_code(&self) -> bool {
        says(&self.effects, "x-runs")
    }

    /// What each program text among its words does.
    pub(super) fn programs(&self) -> impl Iterator<Item = (&str, Purity)> {
        let judged = self.facts.programs.iter();
        let judged = judged.map(|(language, purity)| (language.as_str(), *purity));
        let rest = self.facts.invoked.programs.iter().skip(self.facts.programs.len());
        judged.chain(rest.map(|program| (program.language.as_str(), Purity::Unknown)))
    }

    /// Whether a program text among its words may do more than read and print.
    pub(super) fn has_impure_program(&self) -> bool {
        self.programs().any(|(_, purity)| match purity {
            Purity::Pure => false,
            Purity::Changes(_) | Purity::Unknown => true,
        })
    }

    /// Whether every word of it is understood.
    pub(super) fn certainty(&self) -> Certainty {
        let described = self.facts.basis != Basis::Undescribed;
        let verified = self.facts.invoked.unverified.is_empty() && !self.has_impure_program();
        match self.words {
            Certainty::Whole if described && verified => Certainty::Whole,
            Certainty::Whole | Certainty::Open => Certainty::Open,
        }
    }

    /// Who says so about an effect.
    pub(super) fn origin(&self, effect: &str) -> String {
        match (self.facts.origins.get(effect), self.facts.basis) {
            (Some(origin), _) => origin.clone(),
            (None, Basis::Settled) => "settled".to_owned(),
            (None, Basis::Claimed) => "claimed".to_owned(),
            (None, Basis::Undescribed) => "nobody".to_owned(),
        }
    }
}
