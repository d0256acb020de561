//! The head of a definition: `-o, --output[=FILE]`, without its description.
//!
//! A small grammar reads it from the left to the right: spellings, what joins them, and their values. A text is a
//! head only if the grammar reads all of it, so prose that begins with a dash is none.

mod alias;
mod grammar;
mod scanner;
mod spelling;
mod split;
mod value;

pub(crate) use alias::{Grouped, group};
pub(crate) use grammar::{Form, Head, Link, parse};
pub(crate) use scanner::Scanner;
pub(crate) use spelling::{Spelling, is_single_letter, spelling};
pub(crate) use split::{Ending, Split, separator_end, split};
pub(crate) use value::{RawValue, attached, is_binding_word, is_prose_word, token};
