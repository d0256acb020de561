//! `argrail serve`, spoken to in raw bytes: no MCP library on this side, so that a mistake they all
//! share would show.

mod discovered;
mod http_client;
mod http_elicitation;
mod http_limits;
mod http_refusals;
mod http_sessions;
mod http_socket;
mod process;
mod stdio_calls;
mod stdio_hostile;
mod stdio_lifecycle;
mod stdio_roots;
mod talk;
