//! The Agent Client Protocol, version 1: JSON-RPC 2.0, one message a line.
//!
//! Reading is lenient: a line that is no JSON, an unknown kind of update or of content, an unknown reason to stop, a
//! field of another type than the protocol says never end a turn. What is not understood goes to the side channel; a
//! request that is not known is answered with an error.

mod arm;
mod asked;
mod content;
mod field;
mod hello;
mod message;
mod refusing;
#[cfg(feature = "replay")]
mod replay;
mod settings;
mod tools;
mod updates;

pub(crate) use arm::Acp;
pub(crate) use hello::Wishes;
#[cfg(feature = "replay")]
pub use replay::replay;
