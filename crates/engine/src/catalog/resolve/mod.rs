//! What is known about one tool, from every source that may speak, with the origin of each field (ATIP §3.4.2).
//!
//! Nothing is started here: what a tool said was remembered when it was probed.

mod bundled;
mod folder;
mod layers;
mod names;
mod patterns;
mod sources;
mod tool;

pub use bundled::Bundled;
pub use folder::Problem;
pub use patterns::{PatternOrigin, Patterns};
pub use sources::Sources;
pub use tool::{Apart, Resolved, Settled, ToolSource, list, resolve};
