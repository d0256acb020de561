//! Several words about one tool, made into one, with the origin of every field (ATIP §3.4.2, §3.6).
//!
//! Fields that describe: the last layer that has one wins. Effects: each layer speaks for a command with its nearest
//! word; among layers that only claim, the strictest claim wins per field; layers that settle replace it, in order.
//! So a stranger can add and tighten, and never relax.

mod claims;
mod gaps;
mod layers;
mod provenance;
mod tree;

pub use gaps::gaps;
pub use layers::{Authority, Layer, Merged, merge};
pub use provenance::Provenance;
