//! What completion scripts say about a tool, and what programs answer that complete themselves.
//!
//! Text in, pages out; no shell is ever started. Words that a shell would have to work out are left alone.

mod bash;
mod cobra;
mod condition;
mod fish;
mod pages;
mod read;
mod spec;
mod values;
mod walk;
mod words;
mod zsh;

pub use cobra::read_complete_answer;
pub use read::{Shell, read_completion};
