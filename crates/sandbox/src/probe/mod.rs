//! What this machine can enforce: every feature tried, every one that is missing explained, with what to do about it.

mod fix;
mod machine;
mod trial;

pub use machine::{Feature, Machine, probe, probe_with};
pub(crate) use trial::answer;
