//! MCP over streamable HTTP, for programs of the same user on the same machine.
//!
//! A request passes, in this order, and each refusal is a 4xx with a JSON body:
//!
//! - `connection`: header size, header and idle time, stalled writes, number of connections;
//! - `guard`: Host, Origin, credential, path, method, content type;
//! - `front`: session, body size and time, whether it is a message at all;
//! - rmcp, with `sessions` in place of its own session table and `tracked` around its transport.
//!
//! `listen` and `socket` decide what is listened on, `crate::token_file` what opens it; `guest` is a server for one
//! driven agent.
//! A TCP port is open to every user and every web page of the machine, so it always wants the bearer
//! token; a unix socket is held to our own uid by the kernel.

mod connection;
mod connection_slots;
mod credential;
mod error;
mod front;
mod guard;
mod guest;
mod kept_body;
mod listen;
mod options;
mod refusal;
mod server;
mod sessions;
mod socket;
mod tracked;

pub(crate) use credential::CallerKey;
pub use credential::SpeaksForAPerson;
pub use error::Error;
pub(crate) use guest::{GUEST_HOST, GuestDoor};
pub use listen::Listen;
pub use options::{Limits, Options, Ready};
pub use server::run;
