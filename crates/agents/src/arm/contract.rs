//! What every arm can do, and what it may want done.

use argrail_acli::{Code, Text};
use serde_json::Value;

use crate::event::{EventKind, Prompted};
use crate::governor::{
    Denied, Permission, ReadFile, Ruling, TerminalCommand, TerminalExit, TerminalOutput, ToolUse, WriteFile,
};

/// Speaks one protocol.
///
/// The session calls `open` once, then `hear` for each message, and the others as things happen. A turn begins with
/// `prompt` and is over with the step [`Step::TurnEnd`] or a [`Failure`].
pub(crate) trait Arm: Send {
    /// Begins the handshake. [`Step::Ready`] or a failure comes of it.
    fn open(&mut self) -> Vec<Step>;

    /// Hears one message of the agent.
    fn hear(&mut self, message: &[u8]) -> Vec<Step>;

    /// Hears what became of something that was asked.
    fn answered(&mut self, ask: AskId, answer: Answered) -> Vec<Step>;

    /// Begins a turn.
    fn prompt(&mut self, text: &str) -> Vec<Step>;

    /// Asks the agent to end the turn. What was asked for it is withdrawn.
    fn cancel(&mut self) -> Vec<Step>;

    /// Says goodbye. [`Step::Closed`] comes of it, at once where the agent knows no goodbye.
    fn close(&mut self) -> Vec<Step>;
}

/// One thing that is to be done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// To be said to the agent, as it is.
    Say(Vec<u8>),
    /// The session is open.
    Ready {
        /// What the agent calls itself.
        agent: Option<String>,
        /// The session, by the agent's id.
        session: String,
        /// What was wished for and is not offered.
        not_offered: Vec<String>,
    },
    /// A piece of the agent's message.
    Text(String),
    /// A piece of its reasoning.
    Thought(String),
    /// The agent uses a tool.
    Used(ToolUse),
    /// The tool has answered.
    UsedUp {
        /// The call.
        id: String,
        /// What it answered.
        output: Value,
        /// Whether it failed.
        is_error: bool,
    },
    /// The agent asks a person something, or whoever answers for one.
    Prompt(Prompted),
    /// To be asked of the host. The answer comes back with the same number.
    Ask(AskId, Ask),
    /// Everything that was asked is withdrawn, and is answered no more.
    Withdraw,
    /// The turn is over: an event that ends one.
    TurnEnd(EventKind),
    /// Something went wrong.
    Failed(Failure),
    /// The goodbye was heard.
    Closed,
    /// For the side channel.
    Note(Value),
}

/// A number that an arm gives what it asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct AskId(pub(crate) u64);

/// A command that was started for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TerminalId(pub(crate) u64);

/// What an agent asks of its host.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ask {
    Permit(Permission),
    Read(ReadFile),
    Write(WriteFile),
    Start(TerminalCommand),
    Output(TerminalId),
    Wait(TerminalId),
    Kill(TerminalId),
    Release(TerminalId),
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Answered {
    Ruled(Ruling),
    Read(String),
    /// Done, and there is nothing to say about it.
    Done,
    Started(TerminalId),
    Output(TerminalOutput),
    Exited(TerminalExit),
    Denied(Denied),
}

/// What went wrong, before the agent's last words are added to it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: Code,
    pub(crate) message: Text,
    pub(crate) hint: Text,
    pub(crate) retryable: bool,
    pub(crate) scope: Scope,
}

/// What is over with a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The turn.
    Turn,
    /// The session, and the agent with it.
    Session,
}
