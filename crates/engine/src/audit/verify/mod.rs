//! Whether the record is whole: every line is hashed again, every link is followed, and the end is held against what
//! the store and a checkpoint know.
//!
//! Streams: no more than a few megabytes are in memory, whatever the size of the record. All cores hash; only where
//! their pieces meet is looked at in order.

mod chunk;
mod links;
mod problem;
mod run;
mod walk;

pub use problem::{Bad, Problem};
pub use run::{Known, Verified, verify};
