//! What every backend of the store has to keep, as a suite that its tests run.
//!
//! Panics are its reports: it is compiled for tests, and for other crates' tests with the feature `contract`. A backend
//! says how to make a fresh place and how to open it, any number of times, by whoever; see [`keeps`].

mod crowd;
mod documents;
mod grants;
mod heads;
mod memory;
mod questions;
mod sample;
mod steps;
mod suite;

pub use memory::MemoryStore;
#[cfg(test)]
pub(crate) use sample::sample_grant;
pub use steps::{Step, Who, agrees};
pub use suite::{Open, keeps};
