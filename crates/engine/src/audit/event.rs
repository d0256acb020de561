//! Something that happened and is to be recorded: who, what, with what, and by which decision (AIP-7).

use argrail_acli::{KnownOnly, Mask, mask_fields};
use serde_json::{Map, Value};

use crate::policy::Verdict;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// A tool is about to be started. Without this record it is not.
    CliIntended,
    /// A call is over: answered, failed, refused or given up.
    CliInvoked,
    /// A person was asked.
    ApprovalAsked,
    /// A person said yes.
    ApprovalApproved,
    /// A person said no.
    ApprovalDenied,
    /// Nobody answered in time.
    ApprovalExpired,
    /// A grant was made.
    GrantGiven,
    /// A grant was taken back.
    GrantRevoked,
    /// A person trusts a project or a changed tool.
    TrustAccepted,
    /// An agent is about to be started. Without this record it is not.
    AgentStarted,
    /// It has answered the handshake.
    AgentReady,
    /// A turn begins.
    AgentTurn,
    /// It asked whether it may do something, and this is what it was told.
    AgentPermitted,
    /// Something is about to be done for it. Without this record it is not.
    AgentIntended,
    /// Something was done for it, or refused.
    AgentActed,
    /// It used a tool inside itself, by its own word.
    AgentObserved,
    /// Such a use is over.
    AgentReturned,
    /// A turn is over.
    AgentAnswered,
    /// Its process is gone.
    AgentEnded,
    /// Something about the record itself.
    AuditNote,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 20] = [
        Self::CliIntended,
        Self::CliInvoked,
        Self::ApprovalAsked,
        Self::ApprovalApproved,
        Self::ApprovalDenied,
        Self::ApprovalExpired,
        Self::GrantGiven,
        Self::GrantRevoked,
        Self::TrustAccepted,
        Self::AgentStarted,
        Self::AgentReady,
        Self::AgentTurn,
        Self::AgentPermitted,
        Self::AgentIntended,
        Self::AgentActed,
        Self::AgentObserved,
        Self::AgentReturned,
        Self::AgentAnswered,
        Self::AgentEnded,
        Self::AuditNote,
    ];

    /// Returns its name in the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CliIntended => "cli.intended",
            Self::CliInvoked => "cli.invoked",
            Self::ApprovalAsked => "approval.asked",
            Self::ApprovalApproved => "approval.approved",
            Self::ApprovalDenied => "approval.denied",
            Self::ApprovalExpired => "approval.expired",
            Self::GrantGiven => "grant.given",
            Self::GrantRevoked => "grant.revoked",
            Self::TrustAccepted => "trust.accepted",
            Self::AgentStarted => "agent.started",
            Self::AgentReady => "agent.ready",
            Self::AgentTurn => "agent.turn",
            Self::AgentPermitted => "agent.permitted",
            Self::AgentIntended => "agent.intended",
            Self::AgentActed => "agent.acted",
            Self::AgentObserved => "agent.observed",
            Self::AgentReturned => "agent.returned",
            Self::AgentAnswered => "agent.answered",
            Self::AgentEnded => "agent.ended",
            Self::AuditNote => "audit.note",
        }
    }
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// A caller's id, or a person.
    pub id: String,
    /// As what: `agent`, `approver`.
    pub role: Option<String>,
}

/// What it was done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// What kind of thing: `cli`, `approval`, `grant`, `agent`, `audit`.
    pub kind: &'static str,
    /// Which one.
    pub reference: Option<String>,
    /// Where it is.
    pub path: Option<String>,
}

/// What policy said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Which policy: its version.
    pub reference: String,
    /// What it decided.
    pub decision: Verdict,
}

/// What is to be recorded. No secret may be in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What happened.
    pub action: Action,
    /// Who did it.
    pub actor: Actor,
    /// What with.
    pub subject: Subject,
    /// What policy said, if it was asked.
    pub policy: Option<Policy>,
    /// Everything else. Numbers in it are whole.
    pub metadata: Map<String, Value>,
}

impl Event {
    /// An event about `subject`, without more.
    pub fn new(action: Action, actor: &str, kind: &'static str, reference: Option<&str>) -> Self {
        Self {
            action,
            actor: Actor {
                id: actor.to_owned(),
                role: None,
            },
            subject: Subject {
                kind,
                reference: reference.map(str::to_owned),
                path: None,
            },
            policy: None,
            metadata: Map::new(),
        }
    }

    /// Says as what the actor acts.
    #[must_use]
    pub fn role(mut self, role: &str) -> Self {
        self.actor.role = Some(role.to_owned());
        self
    }

    /// Returns it without what must not be told.
    pub(super) fn masked(mut self, mask: &dyn Mask) -> Self {
        let mut hide = |text: &mut String| *text = mask.mask_known(text).into_owned();
        hide(&mut self.actor.id);
        self.subject.reference.iter_mut().for_each(&mut hide);
        self.subject.path.iter_mut().for_each(&mut hide);
        mask_fields(&KnownOnly(mask), &mut self.metadata);
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.metadata.insert(name.to_owned(), value.into());
        self
    }
}

/// The words of AIP-7 for a decision.
pub(super) fn decision(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "require-approval",
        Verdict::Deny => "deny",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_actions_are_those_that_aip_7_allows() {
        for action in Action::ALL {
            let name = action.as_str();
            assert!(name.len() <= 128 && name.contains('.'), "{name}");
            assert!(
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'.'),
                "{name}"
            );
            assert!(
                name.starts_with(|c: char| c != '.') && name.ends_with(|c: char| c != '.'),
                "{name}"
            );
        }
    }
}
