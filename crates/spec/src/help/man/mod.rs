//! Pages of the manual, as sources or rendered: one reader for both.
//!
//! A source becomes lines with indentation ([`roff`]); from there on the two are the same.

mod commands;
mod definition;
mod fold;
mod implied;
mod line;
mod negation;
mod read;
mod rendered;
mod roff;
mod section;
mod synopsis;
mod whole_head;

pub use read::{man_includes, read_man};
