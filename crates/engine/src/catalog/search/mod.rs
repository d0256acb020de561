//! From what a person means to the command that does it: ranked, tolerant of typos, without a service.

mod commands;
mod rank;
mod words;

pub use commands::{Found, find_commands};
pub use rank::{Field, Hit, Index};
