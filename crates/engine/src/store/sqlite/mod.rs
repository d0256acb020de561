//! The store in one SQLite file, shared by every process of one user on one machine.
//!
//! Answers, uses of answers, grants and documents are on the disk when a method returns; uses of grants and ends of
//! chains are seen by every process at once and may be lost with the power. The file is for its owner alone. What
//! cannot be read is reported and left as it is: nothing here mends, moves or deletes it.

mod backend;
mod documents;
mod fault;
mod grants;
mod heads;
mod migrate;
mod moment;
mod private;
mod prune;
mod requests;
mod row;
mod session;
#[cfg(test)]
mod tests;

pub use backend::SqliteStore;
