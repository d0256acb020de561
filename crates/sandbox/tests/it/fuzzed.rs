//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod pattern;

pub(crate) use pattern::pattern;
