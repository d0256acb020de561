//! Conversations with agent CLIs: an agent is started in a sandbox, spoken to by an arm of its protocol, and heard as
//! seven kinds of event.
//!
//! What it asks of its host (a permission, a file, a command) goes to a [`Governor`], which judges it by the same policy
//! as a tool call. What it does inside itself is bounded by its sandbox and written down as observed.
//!
//! Never prints and never reads the process environment or argv: both arrive as arguments.

#![forbid(unsafe_code)]

mod arm;
pub mod catalogue;
mod define;
mod event;
mod govern;
mod governor;
pub mod launch;
mod session;
pub mod shipped;

#[cfg(feature = "replay")]
pub use arm::acp::replay;
pub use define::{AgentCli, Lifting, StartOptions, define_agent_cli};
pub use event::{Event, EventKind, PromptOption, Prompted, Usage};
pub use govern::{SessionGovernor, Terms, Tools};
pub use governor::{
    Denied, Governor, Happening, Permission, ReadFile, Ruling, Terminal, TerminalCommand, TerminalExit,
    TerminalOutput, ToolKind, ToolUse, WriteFile,
};
pub use session::{Canceller, Closed, Limits, McpServer, Opening, Serves, Session, Streaming, Times, Turn};
