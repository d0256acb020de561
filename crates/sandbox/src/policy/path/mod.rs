//! Sets of paths: patterns, read from hostile text and compared with each other.
//!
//! A pattern is a sequence of names with gaps (`**`), and a name is a sequence of characters with gaps (`*`).
//! One automaton serves both; it never backtracks.

mod name;
mod parse;
mod pattern;
mod sequence;
mod unit;

pub use pattern::{PathPattern, PatternShape};
pub(super) use sequence::ComparisonBudget;
