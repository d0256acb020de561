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

pub(crate) use alias::{Grouped, group, is_same_option};
pub(crate) use grammar::{Head, parse};
pub(crate) use scanner::Scanner;
pub(crate) use spelling::{is_single_letter, repeated_letter};
pub(crate) use split::{Ending, Split, separator_end, split};
pub(crate) use value::{RawValue, is_prose_word};
