//! Which tools and projects a person has accepted, and whether they are still what was accepted.
//!
//! A tool is pinned by the digests of its executable and of its metadata when it is first used. From then on a
//! change of either is drift, and blocks until a person accepts it. What `redact` takes away is no change of the tool:
//! the pin also knows what the tool said in full.

mod file;
mod known;
mod pins;
mod standing;

pub use file::{read, update};
pub use known::{Known, judge, known, renew_pins};
pub use pins::{
    Candidate, MetadataDigest, accept, deny, pin_first_use, renew, repin_redacted, revoke, revoke_project,
    trust_project,
};
pub use standing::{Drift, Judged, Seen, Standing, What, standing};
