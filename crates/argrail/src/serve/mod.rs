//! `argrail serve`: the one tool `cli` over MCP, on stdio or streamable HTTP.
//!
//! ```text
//! stdio   lines, bounded, batched writes ─┐
//!                                         ├─ rmcp ── handler ── acli::Cli
//! http    guard, limits, sessions ────────┘
//! ```
//!
//! Transports know bytes, limits and who may speak; [`handler`] knows the tool; neither knows commands.
//! Nothing but protocol goes to stdout, and nothing here prints: the caller of `run` does.

mod calls;
mod elicit;
pub mod handler;
pub mod http;
mod message;
mod progress;
mod roots;
pub mod stdio;
mod stop;

pub use elicit::Elicitation;
pub use handler::{CliServer, Commands, Shared};
pub use stop::Ending;
