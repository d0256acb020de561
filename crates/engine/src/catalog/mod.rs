//! Every tool there is, and what is known of it: found, asked, remembered, trusted or not, resolved, searched.
//!
//! [`scan`] looks at directories and starts nothing; [`probe`] asks programs in the sandbox; [`dialect`] knows how
//! programs answer. The rest is files, and what they mean together.
//!
//! Files are shared by many processes and by other programs. Readers take no lock, since files are replaced whole;
//! writers take one, so that nothing is lost. What is read is a stranger's until its owner and mode say otherwise.

pub mod bundle;
pub mod cache;
mod context;
pub mod dialect;
pub mod infer;
mod known;
mod manifest_tool;
pub mod mcp;
mod meant_file;
pub mod probe;
mod programs;
pub mod project;
pub mod registry;
pub mod resolve;
pub mod scan;
pub mod search;
mod shelf;
pub mod shipped;
mod stale;
mod store_error;
mod system;
pub mod trust;

pub use context::tool_context;
pub use known::{Catalogue, Known};
pub use manifest_tool::{MANIFEST_FILE, ManifestTool, manifest_tools};
pub use programs::Programs;
pub use shelf::{ProjectState, Shelf};
pub use stale::{MAX_AGE, Now, Stale, Wanted, is_stale};
pub use store_error::StoreError;
pub use system::{SystemDirectories, system_directories};
