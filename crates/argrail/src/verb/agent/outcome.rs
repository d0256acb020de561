//! How a turn ended, and what this program ends with.

use argrail_acli::{Code, Error, Text};
use argrail_agents::EventKind;

use crate::interrupt::INTERRUPTED;

/// Codes that an event of ours can bear.
const CODES: [Code; 15] = [
    Code::ParseError,
    Code::CommandNotFound,
    Code::PermissionDenied,
    Code::ValidationError,
    Code::ExecutionError,
    Code::Timeout,
    Code::RateLimited,
    Code::PathTraversalBlocked,
    Code::AuthRequired,
    Code::SetupRequired,
    Code::SetupFailed,
    Code::InstallFailed,
    Code::VersionMismatch,
    Code::OutputParseFailed,
    Code::SandboxUnavailable,
];

/// How a turn ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    /// The agent has finished.
    Done,
    /// It was cancelled.
    Cancelled,
    /// It stopped, or failed.
    Failed(Error),
    /// Somebody wants us to end now, with this exit number.
    Stopped(u8),
}

impl Outcome {
    /// Reads the last event of a turn.
    pub(super) fn of(kind: &EventKind, agent: &str) -> Option<Self> {
        match kind {
            EventKind::TurnEnd { reason, .. } => Some(match reason.as_str() {
                "end_turn" => Self::Done,
                "cancelled" => Self::Cancelled,
                _ => Self::Failed(stopped(reason, agent)),
            }),
            EventKind::Error { code, message, .. } => Some(Self::Failed(failed(code, message, agent))),
            EventKind::TextDelta { .. }
            | EventKind::Thought { .. }
            | EventKind::ToolCall { .. }
            | EventKind::ToolResult { .. }
            | EventKind::AgentPrompt(_) => None,
        }
    }

    /// A turn that has no end, which the session never lets happen.
    pub(super) fn unheard(agent: &str) -> Self {
        Self::Failed(failed(
            Code::ExecutionError.name(),
            "it was not heard of again",
            agent,
        ))
    }

    /// Returns the exit number.
    pub(super) fn exit(&self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Cancelled => INTERRUPTED,
            Self::Failed(error) => error.exit(),
            Self::Stopped(exit) => *exit,
        }
    }
}

fn stopped(reason: &str, agent: &str) -> Error {
    let (what, hint) = match reason {
        "refusal" => (
            "the agent {} refused",
            "Say it in another way, or ask another agent: argrail agent list",
        ),
        "max_tokens" => (
            "the agent {} stopped: the model's limit of tokens is reached",
            "Ask for less at a time, or choose another model with --model",
        ),
        "max_turn_requests" => (
            "the agent {} stopped: it has made as many requests as one turn may",
            "Ask for less at a time",
        ),
        _ => {
            let what = Text::new("the agent {} stopped for a reason of its own: {}")
                .value(agent)
                .value(reason);
            return Error::new(Code::ExecutionError, what)
                .hint("See what it said, and send the prompt again")
                .detail("stopReason", reason);
        }
    };
    Error::new(Code::ExecutionError, Text::new(what).value(agent))
        .hint(hint)
        .detail("stopReason", reason)
}

fn failed(code: &str, message: &str, agent: &str) -> Error {
    let known = CODES.into_iter().find(|known| known.name() == code);
    let error = Error::new(
        known.unwrap_or(Code::ExecutionError),
        Text::new("the agent {} failed: {}").value(agent).value(message),
    );
    match error.code() {
        Code::AuthRequired => error.hint("Sign in to it first; argrail agent list says how"),
        Code::Timeout => error.hint("Send the prompt again, or ask for less at a time"),
        _ => error.hint("See what it is called and whether it is ready: argrail agent list"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_end_has_its_number() {
        let ends = |reason: &str| {
            let kind = EventKind::TurnEnd {
                reason: reason.to_owned(),
                usage: None,
            };
            Outcome::of(&kind, "echo@1").unwrap().exit()
        };
        assert_eq!(ends("end_turn"), 0);
        assert_eq!(ends("cancelled"), 130);
        for reason in ["refusal", "max_tokens", "max_turn_requests", "whatever"] {
            assert_eq!(ends(reason), 1, "{reason}");
        }
        let fails = |code: &str| {
            let kind = EventKind::Error {
                code: code.to_owned(),
                message: "x".to_owned(),
                retryable: false,
            };
            Outcome::of(&kind, "echo@1").unwrap().exit()
        };
        let codes = [
            "AUTH_REQUIRED",
            "SANDBOX_UNAVAILABLE",
            "TIMEOUT",
            "PERMISSION_DENIED",
            "EXECUTION_ERROR",
            "NEW",
        ];
        assert_eq!(codes.map(fails), [4, 6, 124, 3, 1, 1]);
    }
}
