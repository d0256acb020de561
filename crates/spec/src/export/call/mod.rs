//! The way back: what a provider's model wants to call, as argv.
//!
//! The message is read as the provider writes it, the function is found by its name, each value is checked against
//! what was exported, and only then are words made, by the same rules that our own commands are written by. No value
//! can become an option or a word too many.

mod answer;
mod check;
mod error;
mod read;
mod words;

pub use answer::answer;
pub use error::Error;
pub use read::{ProviderCall, argv, each_argv};

pub(crate) use read::parse;
