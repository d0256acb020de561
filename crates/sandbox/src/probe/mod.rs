//! What this machine can enforce: every feature tried, every one that is missing explained, with what to do about it.

mod fix;
mod machine;
mod settings;

pub(crate) use machine::program;
pub use machine::{Feature, Machine, probe, probe_with};
