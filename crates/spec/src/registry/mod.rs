//! The registry of known tools (ATIP §3.3.2) and the cache entry of one (§3.5.2): types, reading, writing.
//!
//! Both are files that several programs share, so what no draft defines is kept, and what is not understood about one
//! tool costs nothing but that tool.

mod cache;
mod decode;
mod model;

pub use cache::{CacheEntry, Stamp};
pub use decode::{LATER, Loaded, load};
pub use model::{Entry, Registry, Source};
