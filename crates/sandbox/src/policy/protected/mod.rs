//! Paths that no policy can grant, and files that are no danger by themselves but that agents obey.

mod group;
mod instructions;
mod list;
mod set;

pub use instructions::{Instructions, instructions};
pub(crate) use list::{GIT, IN_GIT_DIRECTORY};
pub(crate) use set::is_below;
pub use set::{Guard, Protected};
