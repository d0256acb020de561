//! From pages to ATIP metadata, marked as inferred.
//!
//! Every item carries `x-inferred` with its source, its line and how sure its reader was. What several items of a
//! page claim (a flag of two options) goes to the first of them, so that the result says one thing.

mod build;
mod parameter;
mod tree;

pub use build::{Fill, to_metadata};
pub use tree::Tree;
