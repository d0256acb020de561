//! The command line as a whole: who asks what, and every answer to it.
//!
//! `router` is the path of one call; `discovery` answers `help`, `schema` and `version`.

pub(crate) mod discovery;
mod router;

pub use discovery::UNCHECKED;
pub use router::{Cli, CliBuilder, Implementation, Request};
