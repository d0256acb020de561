//! From a manifest and somebody's wishes to a started process: words, variables and sandbox are fixed first, and exactly
//! that is started.
//!
//! Nothing of the host's environment reaches the agent but what its manifest names. What cannot be held is refused, and
//! nothing starts.

mod continuation;
mod home;
mod host;
mod own;
mod prepare;
mod started;

pub use argrail_spec::agent_cli_md::Wishes;
pub use continuation::{check_continuation, declared_in_vain};
pub use host::Host;
#[cfg(test)]
pub(crate) use own::Own;
pub use prepare::{Prepared, prepare};
pub use started::Started;
