//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod output;

pub(crate) use output::output;
