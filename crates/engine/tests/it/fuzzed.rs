//! What `fuzz/` checks of any text, also run by stable tests on its seeds.

mod output;
mod record_line;

pub(crate) use output::output;
pub(crate) use record_line::record_line;
