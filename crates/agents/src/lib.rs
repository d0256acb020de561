//! Conversations with agent CLIs: an agent is started in a sandbox, spoken to by an arm of its protocol, and heard as
//! seven kinds of event.
//!
//! What it asks of its host (a permission, a file, a command) goes to a [`Governor`], which judges it by the same policy
//! as a tool call. What it does inside itself is bounded by its sandbox and written down as observed.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use argrail_agents::launch::Host;
//! use argrail_agents::{AgentCli, EventKind, Governor, StartOptions};
//!
//! # async fn example(host: Host<'_>, governor: Arc<dyn Governor>) -> Result<(), argrail_acli::Error> {
//! let agent = AgentCli::from_folder(Path::new("agents/goose"))?;
//! let options = StartOptions {
//!     session: "s1".to_owned(),
//!     ..StartOptions::default()
//! };
//! let mut session = agent.start(options, &host, governor).await?;
//! let mut turn = session.send("fix the test");
//! while let Some(event) = turn.next().await {
//!     match event.kind {
//!         EventKind::TextDelta { text } => print!("{text}"),
//!         EventKind::TurnEnd { reason, .. } => println!("\n{reason}"),
//!         EventKind::Error { code, message, .. } => eprintln!("{code}: {message}"),
//!         _ => {}
//!     }
//! }
//! drop(turn);
//! session.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! `examples/start_agent.rs` shows where a [`Host`](launch::Host) comes from.
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
mod session_options;

#[cfg(feature = "replay")]
pub use arm::acp::replay;
pub use define::{AgentCli, Lifting, StartOptions, define_agent_cli};
pub use event::{Event, EventKind, PromptOption, Prompted, Usage};
pub use govern::{SessionGovernor, Terms, Tools};
pub use governor::{
    Denied, Governor, Happening, Permission, ReadFile, Ruling, Terminal, TerminalCommand, TerminalExit,
    TerminalOutput, ToolKind, ToolUse, WriteFile,
};
pub use session::{Canceller, Closed, Session, Turn};
pub use session_options::{Carryover, Limits, McpServer, Serves, SessionOptions, Streaming, Times};
