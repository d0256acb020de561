//! Patterns at work: layered by name, checked, and filled in (ATIP §3.2.8, §3.6). Nothing here runs one.

mod check;
mod expand;
mod holes;
mod layered;

pub use check::{Problem, check};
pub use expand::{ExpandError, Expanded, expand, variables};
pub use holes::{Holes, Part};
pub use layered::layered;
