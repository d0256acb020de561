//! Asking MCP servers which tools they have (ATIP §3.4.1, step 5), and calling them: a client that can do that and
//! nothing else.
//!
//! [`discover`] starts a server in the sandbox, or speaks to one over HTTP, says hello, reads all pages of
//! `tools/list` and says goodbye; [`call`] says `tools/call` instead. Both are a [`Session`], which offers no
//! capabilities, so a server can ask nothing of it but whether it is there.
//!
//! A server is a stranger: time, bytes, messages and pages are bounded, its words are quoted and escaped, and values
//! of variables and headers are shown to nobody, not even when the server says them.

mod call;
mod called;
mod conversation;
mod discover;
mod error;
mod events;
mod hold;
mod http;
mod limits;
mod lines;
mod masks;
mod means;
mod memory;
mod message;
mod remote;
mod session;
mod stdio;
mod streams;
mod sweep;
mod until;
mod url;
mod voice;

pub use call::{Call, call};
pub use called::{Called, Telling};
pub use discover::discover;
pub use error::{McpError, Problem, Stage};
pub use hold::{Grant, Hold, ServerHome};
pub use means::{Means, TIMEOUT};
pub(crate) use memory::identity;
pub use memory::{Recalled, recall, recall_all, remember};
pub use session::Session;
pub use sweep::{Sweep, Swept, sweep};
