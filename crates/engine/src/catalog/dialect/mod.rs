//! The ways in which programs describe themselves: ATIP's own flag, and others seen in the wild.
//!
//! One more is one more file with a `DIALECT`, and one more line in [`DIALECTS`]. A dialect says which words to try,
//! which literal must stand in a program before it is started for that, and how its JSON becomes ATIP metadata. What
//! answers with ATIP under another flag is taken at its word.
//!
//! Readers are lenient and pure: what they do not understand they leave out, and they never fail on more than a
//! document that describes no command line. A bare `help` is never among the words: to `touch` it is a file name.

mod agent_help;
mod atip_flag;
mod budget;
mod help_agent;
mod help_json;
mod help_json_flag;
mod opencli;
mod parameter;
mod schema;
mod table;
mod tree;
mod unreadable;
mod wording;

pub use table::{Attempt, DIALECTS, Dialect};
pub use unreadable::Unreadable;

#[cfg(test)]
mod tests;
