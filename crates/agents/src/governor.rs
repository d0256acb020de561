//! What an agent may ask of its host, and who answers: the seam between an arm, which knows a protocol, and whoever
//! judges, which knows none.

use std::path::PathBuf;

use argrail_acli::{BoxFuture, Error};
use serde_json::Value;

use crate::event::PromptOption;

/// Why the host does not do what an agent asked: one of our refusals, with code and hint.
pub type Denied = Error;

/// Judges what an agent asks, does what may be done, and writes down all of it.
pub trait Governor: Send + Sync {
    /// Answers a request for permission. May wait for a person.
    fn permit(&self, asked: Permission) -> BoxFuture<'_, Ruling>;

    /// Reads a file for the agent.
    fn read(&self, file: ReadFile) -> BoxFuture<'_, Result<String, Denied>>;

    /// Writes a file for the agent. May wait for a person.
    fn write(&self, file: WriteFile) -> BoxFuture<'_, Result<(), Denied>>;

    /// Runs a command for the agent, confined. May wait for a person before it starts.
    fn start(&self, command: TerminalCommand) -> BoxFuture<'_, Result<Box<dyn Terminal>, Denied>>;

    /// Writes down what happened. What cannot be written down does not happen: the session ends with the error.
    ///
    /// # Errors
    /// When the record cannot be written.
    fn record(&self, what: Happening) -> Result<(), Denied>;
}

/// A request for permission.
#[derive(Debug, Clone, PartialEq)]
pub struct Permission {
    /// What is to be permitted.
    pub tool: ToolUse,
    /// What can be answered.
    pub options: Vec<PromptOption>,
}

/// A tool that the agent uses, or wants to, by its own word.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolUse {
    /// The call.
    pub id: String,
    /// What the tool is called, or what it does.
    pub name: String,
    /// Which kind of act it is.
    pub kind: Option<ToolKind>,
    /// What it is given.
    pub input: Value,
    /// Files that it is about, as the agent names them.
    pub paths: Vec<PathBuf>,
}

/// Kinds of acts, as agents tell them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Reads files.
    Read,
    /// Changes files.
    Edit,
    /// Removes files.
    Delete,
    /// Moves files.
    Move,
    /// Looks for something.
    Search,
    /// Runs a command.
    Execute,
    /// Thinks.
    Think,
    /// Gets something from the network.
    Fetch,
    /// Changes the agent's own mode.
    SwitchMode,
    /// Anything else.
    Other,
}

impl ToolKind {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Search => "search",
            Self::Execute => "execute",
            Self::Think => "think",
            Self::Fetch => "fetch",
            Self::SwitchMode => "switch_mode",
            Self::Other => "other",
        }
    }
}

/// What became of a request for permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// This once. Never an answer that holds for more.
    Allowed,
    /// No.
    Refused,
    /// Nobody has answered: the agent is told that the question is withdrawn.
    Unanswered,
}

/// A file that the agent wants to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    /// Which one.
    pub path: PathBuf,
    /// The first line, from 1.
    pub line: Option<u64>,
    /// How many lines at most.
    pub limit: Option<u64>,
}

/// A file that the agent wants to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteFile {
    /// Which one.
    pub path: PathBuf,
    /// Everything that is to be in it.
    pub content: String,
}

/// A command that the agent wants to run through its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalCommand {
    /// The words. One word that looks like a line for a shell is read as words; no shell is started.
    pub words: Vec<String>,
    /// Where, if not where the session is.
    pub directory: Option<PathBuf>,
    /// Variables that the agent wants to set.
    pub variables: Vec<(String, String)>,
    /// How many bytes of its output are kept; the last ones.
    pub keep: Option<usize>,
}

/// A command that was started. Dropping it ends the command.
pub trait Terminal: Send + Sync {
    /// Returns what it has written by now.
    fn output(&self) -> TerminalOutput;

    /// Waits for its end.
    fn wait(&self) -> BoxFuture<'_, TerminalExit>;

    /// Ends it.
    fn kill(&self);
}

/// What a command has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalOutput {
    /// The text, cut at the front on a character's boundary.
    pub text: String,
    /// Whether it was cut.
    pub truncated: bool,
    /// How it ended, if it has.
    pub exit: Option<TerminalExit>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalExit {
    /// Its exit number.
    pub code: Option<u32>,
    /// The signal that ended it.
    pub signal: Option<String>,
}

/// What is written down of a session.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// The agent is about to be started. Without this record it is not.
    Starting,
    /// It has answered the handshake, with its own name and version.
    Ready {
        /// What the agent calls itself.
        agent: Option<String>,
        /// The session, by the agent's id.
        session: String,
    },
    /// A turn begins.
    TurnBegun {
        /// The turn, from 1.
        turn: u64,
        /// Bytes of the prompt. The prompt itself is not kept.
        bytes: usize,
    },
    /// The agent used a tool inside itself.
    Observed {
        /// The turn.
        turn: u64,
        /// The use.
        tool: ToolUse,
    },
    /// Such a use ended.
    ObservedEnd {
        /// The turn.
        turn: u64,
        /// The call.
        id: String,
        /// Whether it failed.
        is_error: bool,
    },
    /// The turn ended.
    TurnEnded {
        /// The turn.
        turn: u64,
        /// The reason, or the code of an error.
        outcome: String,
    },
    /// The process has ended.
    Ended {
        /// Its exit number.
        code: Option<i32>,
        /// The signal that ended it.
        signal: Option<i32>,
    },
}
