//! One command line, read as its tool would read it: which command, which options, and what they change together.
//!
//! The grammar and the effects of single flags are argrail's own keys (`docs/descriptions.md`). Pure: words go in, what
//! they mean comes out, and what cannot be told is said to be so.

mod behaviour;
mod host;
mod named_words;
mod parameter;
mod prepared;
mod reader;
mod reading;
mod rule;
mod shared_places;
mod types;

pub use host::{host, host_pattern};
pub(crate) use named_words::EVERY_WORD;
pub use reader::{Reader, Voice};
pub(crate) use shared_places::{PLACE_SHAPES, PlaceShape};
pub use types::{
    ExitMeaning, Given, Inner, Invoked, OutputFormat, OutputShape, ProgramText, Raised, Unverified, Why, Word,
};
