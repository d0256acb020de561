//! Asking MCP servers which tools they have (ATIP §3.4.1, step 5): a client that can do that and nothing else.
//!
//! [`discover`] starts a server in the sandbox, or speaks to one over HTTP, says hello, reads all pages of
//! `tools/list` and says goodbye. It offers no capabilities, so a server can ask nothing of it but whether it is there.
//!
//! A server is a stranger: time, bytes, messages and pages are bounded, its words are quoted and escaped, and values
//! of variables and headers are shown to nobody, not even when the server says them.

mod conversation;
mod discover;
mod error;
mod events;
mod http;
mod limits;
mod lines;
mod masks;
mod memory;
mod message;
mod stdio;
mod sweep;
mod url;

pub use discover::{Means, TIMEOUT, discover};
pub use error::{McpError, Problem, Stage};
pub use memory::{Recalled, recall, recall_all, remember};
pub use sweep::{Sweep, Swept, sweep};
