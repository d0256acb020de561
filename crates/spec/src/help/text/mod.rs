//! From what a terminal shows to lines with columns.

mod clean;
mod line;
mod word;

pub(crate) use clean::cut;
pub use clean::{MAX_TEXT, clean};
pub(crate) use line::{Line, Mark, lines};
pub(crate) use word::{find_gap, is_placeholder, is_upper_word};
