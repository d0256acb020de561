//! Which tools and projects a person has accepted, and whether they are still what was accepted.
//!
//! A tool is pinned by the digests of its executable and of its metadata when it is first used. From then on a
//! change of either is drift, and blocks until a person accepts it.

mod file;
mod known;
mod pins;
mod standing;

pub use file::{read, update};
pub use known::{Known, judge, known, renew_pins};
pub use pins::{Candidate, accept, deny, pin_first_use, renew, revoke, revoke_project, trust_project};
pub use standing::{Drift, Judged, Seen, Standing, What, standing};
