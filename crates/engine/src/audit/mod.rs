//! The record: every call before it runs and after, as a chain of hashes that shows what was taken from it.
//!
//! One JSON object a line (AIP-7, with the fields of ACLI §8.3 in `metadata`), each with the hash of the one before.
//! [`Chain`] appends, for many processes at once; nothing is started whose record was not kept.

mod backward;
mod canonical;
mod chain;
mod checkpoint;
mod directory;
mod error;
mod event;
pub mod export;
mod files;
mod filter;
mod follow;
mod hash;
mod hold;
mod key;
mod line;
mod read;
mod record;
mod reserve;
mod scan;
mod settle;
mod sink;
mod tail;
pub mod verify;
mod writer;

#[cfg(test)]
mod tests;

pub use chain::{CHAIN, Chain, Durability, FULL, Receipt, head};
pub use checkpoint::Checkpoint;
pub use error::RecordError;
pub use event::{Action, Actor, Event, Policy, Subject};
pub use filter::{Filter, Which};
pub use follow::{Follow, Reader};
pub use line::{LONGEST, Line, LineError};
pub(crate) use read::newest;
pub use read::{entries, entry, oldest};
