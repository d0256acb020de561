//! Servers of MCP, asked for their tools and called by the real client: our own server, and peers that mean no good.

mod ask;
mod call;
mod call_http;
mod http;
mod peer;
mod stdio;

pub(crate) use ask::{listed, url};
