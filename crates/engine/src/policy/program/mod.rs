//! Texts of programs inside a command line: what a sed script, an awk program or a query may change.
//!
//! Conservative and total: a text is [`Purity::Pure`] only where every part of it was understood and none changes
//! anything. Never runs, expands or repairs a text.

mod awk;
mod cursor;
mod judge;
mod purity;
mod sed;
mod sql;

pub use judge::judge;
pub use purity::Purity;
