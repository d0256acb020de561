//! AIP-17: the process boundary of a tool, as a block of another manifest or a `RUNNER.md`.
//!
//! Only how a process runs and how much it may use. Variables, files, hosts and secrets are the sandbox's.

mod model;
mod rules;

pub use model::{Engine, Language, Needs, Runner, load};

pub(crate) use model::decode_file;
pub(crate) use rules::RULES;
