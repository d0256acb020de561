//! From a document to metadata: lenient, and every complaint has its place.

mod authentication;
mod command;
mod effects;
mod parameter;
mod pattern;
mod root;
mod version;

pub(crate) use effects::effects_of;
pub use pattern::{LoadedPatterns, decode_patterns};
pub use root::{AGENT_VERSION, BEYOND_HEAD, Extent, Loaded, decode, decode_head, decode_part, load};
