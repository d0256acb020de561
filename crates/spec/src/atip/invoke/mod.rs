//! One command line, read as its tool would read it: which command, which options, and what they change together.
//!
//! The grammar and the effects of single flags are argrail's own keys (`docs/descriptions.md`). Pure: words go in, what
//! they mean comes out, and what cannot be told is said to be so.

mod types;

pub use types::{
    ExitMeaning, Given, Inner, Invoked, OutputFormat, OutputShape, ProgramText, Raised, Unverified, Why, Word,
};
