//! What a session is opened with. The process runs already, and all three of its streams are pipes.

use std::path::PathBuf;
use std::time::Duration;

use argrail_engine::output::Secrets;
use argrail_sandbox::Child;
use argrail_spec::config::Secret;

/// Everything that a session begins with.
#[derive(Debug)]
pub struct SessionOptions {
    /// The session, by our own id.
    pub session: String,
    /// The agent, for messages: `goose@1`.
    pub agent: String,
    /// The process. Its standard input, output and error are pipes.
    pub child: Child,
    /// Where the agent works.
    pub directory: PathBuf,
    /// MCP servers that it is to use.
    pub servers: Vec<McpServer>,
    /// The mode to be in, where the agent offers it.
    pub mode: Option<String>,
    /// Options to set, where the agent offers them.
    pub config: Vec<(String, String)>,
    /// The model to use, where the agent offers it.
    pub model: Option<String>,
    /// How to sign in when the agent asks for it: the id of one of its ways.
    pub sign_in: Option<String>,
    /// An earlier session to go on with, by the agent's id.
    pub resume: Option<String>,
    /// What the agent may ask of its host.
    pub serves: Serves,
    /// How text is heard.
    pub streaming: Streaming,
    /// Whether a turn knows of those before it.
    pub carryover: Carryover,
    /// How long things may take.
    pub times: Times,
    /// How much is listened to.
    pub limits: Limits,
    /// Values that the agent was given and that stand in no error and no file.
    pub secrets: Secrets,
    /// A file for the rest of the protocol, one JSON value a line.
    pub side_channel: Option<PathBuf>,
}

/// An MCP server that the agent is told of.
#[derive(Debug, Clone)]
pub enum McpServer {
    /// One at an address.
    Http {
        /// How the agent calls it.
        name: String,
        /// Where it is.
        url: String,
        /// What the agent sends along.
        headers: Vec<(String, Secret)>,
    },
    /// One that the agent starts, inside its own sandbox.
    Stdio {
        /// How the agent calls it.
        name: String,
        /// The program.
        command: PathBuf,
        /// Its words.
        args: Vec<String>,
        /// Its variables.
        env: Vec<(String, Secret)>,
    },
}

/// Which requests of the agent are served. What is not served is not offered either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Serves {
    /// Reading text files.
    pub read: bool,
    /// Writing text files.
    pub write: bool,
    /// Running commands.
    pub terminals: bool,
}

impl Serves {
    /// All of them.
    pub fn everything() -> Self {
        Self {
            read: true,
            write: true,
            terminals: true,
        }
    }
}

/// How text is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Streaming {
    /// Piece by piece, as it comes.
    #[default]
    Pieces,
    /// In one piece for each turn, at its end.
    Whole,
}

/// Whether a turn knows of those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Carryover {
    /// It does.
    #[default]
    Kept,
    /// It does not: each has a session of the agent's to itself.
    Dropped,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Everything up to an open session.
    pub handshake: Duration,
    /// How long nothing may be heard in a turn, not counting the time in which the agent waits for its host.
    pub idle: Duration,
    /// How long a session may be without a turn.
    pub unused: Duration,
    /// How long after a cancellation the turn is over at the latest.
    pub cancel: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(60),
            idle: Duration::from_secs(600),
            unused: Duration::from_secs(600),
            cancel: Duration::from_secs(1),
        }
    }
}

/// The bounds of what is listened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of one message.
    pub line: usize,
    /// The most bytes of one turn.
    pub turn_bytes: usize,
    /// The most messages of one turn.
    pub turn_messages: usize,
    /// The most turns.
    pub turns: Option<u64>,
    /// The most bytes that go to the side channel.
    pub side_channel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            line: 16 << 20,
            turn_bytes: 1 << 30,
            turn_messages: 2_000_000,
            turns: None,
            side_channel: 16 << 20,
        }
    }
}
