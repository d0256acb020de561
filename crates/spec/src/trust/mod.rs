//! `trust.json`: which tools and projects a person has accepted, pinned to what they were then.
//!
//! It decides what may run, so it is read strictly: a pin that is only half understood makes the whole file a
//! refusal, never a file with fewer pins.

mod decode;
mod model;

pub use decode::{decode, load};
pub use model::{FilePin, ProjectPin, ToolPin, ToolTrust, TrustFile};
