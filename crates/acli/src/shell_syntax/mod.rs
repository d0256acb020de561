//! What only a shell would understand: operators between words, and words that it would replace by others.

mod expansion;
mod operators;

pub use expansion::{ExpandedWord, Expansion, expanded_words, expansion};
pub use operators::{ShellSyntax, ShellSyntaxError, check_no_shell};
