//! Policies as manifests write them, one file per draft.

mod aip29;
mod aip36;
mod entries;
mod source;

pub use aip29::Aip29;
pub use aip36::{Aip36, Aip36Policy};
