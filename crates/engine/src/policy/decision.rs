//! What was decided, and why.

use super::grant::GrantId;

/// May it run?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Yes.
    Allow,
    /// When a person says so.
    Ask,
    /// No, whoever says so.
    Deny,
}

impl Verdict {
    /// Returns the word that `why` prints.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// Where it may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confinement {
    /// In a sandbox made from its effects.
    Effects,
    /// Only in the closed one: no network, no write, no secrets, no programs.
    Closed,
}

/// Who has agreed that a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreed {
    /// The rules alone.
    Rules,
    /// A person, beforehand, to calls like it.
    Grant,
    /// A person, to this very call, after seeing what it gets.
    Person,
}

/// The terms on which a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// Where.
    pub confinement: Confinement,
    /// By whose word.
    pub agreed: Agreed,
}

impl From<Confinement> for Terms {
    /// Makes the terms of a call that the rules alone let run.
    fn from(confinement: Confinement) -> Self {
        Self {
            confinement,
            agreed: Agreed::Rules,
        }
    }
}

/// A decision with everything behind it. The strictest reason decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// May it run?
    pub verdict: Verdict,
    /// Where, as long as no person was asked. `Closed` is the price of not asking: who says yes says it to the effects
    /// that were shown, and the call runs by them.
    pub confinement: Confinement,
    /// Why, in the order the rules were asked.
    pub reasons: Vec<Reason>,
    /// The grants that answered something, each once. Each is used up by one use before the call runs.
    pub grants: Vec<GrantId>,
}

impl Decision {
    /// Returns on what terms the call runs once it may: by its effects as soon as a person was asked.
    pub fn terms(&self) -> Terms {
        let allowed = match self.grants.is_empty() {
            true => Agreed::Rules,
            false => Agreed::Grant,
        };
        let (confinement, agreed) = match self.verdict {
            Verdict::Allow => (self.confinement, allowed),
            Verdict::Ask | Verdict::Deny => (Confinement::Effects, Agreed::Person),
        };
        Terms { confinement, agreed }
    }
}

/// One rule that had something to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The rule: `default.read`, `permissionPolicy.deny`, `delegation.deniedCommands`, …
    pub rule: &'static str,
    /// Who says what it was judged by: `catalogue:git`, `config`, `override:~/…`.
    pub origin: String,
    /// The effect, word or path that it is about. Foreign text in it is bounded and visible.
    pub effect: String,
    /// What this rule alone would decide.
    pub verdict: Verdict,
}
