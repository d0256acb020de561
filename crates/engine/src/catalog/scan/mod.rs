//! Which programs there are, without starting any.

mod candidates;
mod directories;
mod literal;
mod skip_list;
mod skipped;

pub use candidates::{Candidate, Candidates};
pub use directories::{Directories, Eyes};
pub use literal::Literals;
pub use skip_list::SkipList;
pub use skipped::Skipped;
