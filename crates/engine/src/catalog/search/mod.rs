//! From what a person means to the command that does it: ranked, tolerant of typos, without a service.

mod rank;
mod words;

pub use rank::{Field, Hit, Index};
