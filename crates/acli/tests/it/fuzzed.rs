//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod answer;
mod tokenize;

pub(crate) use answer::{answer, check_words};
pub(crate) use tokenize::tokenize;
