//! What changed between two versions of a tool's metadata: what breaks callers, what does not, what it does to the
//! world, and which version number that calls for.
//!
//! Whoever calls the tool is asked: a command line that worked and no longer does is a break, one that newly works is
//! not. Prose is a patch. That a tool does more than it said, or no longer says that it does not, is told apart from
//! both, since a person may have allowed it on the strength of that.

mod change;
mod cli;
mod cli_sandbox;
mod commands;
mod compare;
mod effects;
mod parameters;

pub use change::{Advice, Change, ChangeKind, Difference};
pub use cli::diff_cli;
pub use compare::diff;
