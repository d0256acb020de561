//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod document;

pub(crate) use document::document;
