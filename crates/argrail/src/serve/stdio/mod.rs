//! MCP over the process's own stdin and stdout: one JSON-RPC message a line.
//!
//! - `descriptor`: what 0 and 1 are decides how they are read and written.
//! - `backlog`: requests that wait for a place among the calls in flight.
//! - `lines`: bytes to lines, with a limit that also holds for memory.
//! - `outbox`: answers to bytes, many to a write.
//! - `transport`: these together, as rmcp wants them.
//! - `server`: the runtime around it, and the end.

mod backlog;
mod descriptor;
mod lines;
mod outbox;
mod server;
mod transport;

pub use server::{Error, Options, run};
