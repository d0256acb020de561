//! Files of a machine that other processes, and other people, write too: read with bounds, replaced whole, locked, known again.
//!
//! Everything of the engine that touches the disk stands on this, and it stands on nothing of ours.

pub mod atomic;
mod fingerprint;
pub mod identity;
pub mod lock;
mod program;
pub mod untrusted;

pub use fingerprint::Fingerprint;
pub use program::{find_program, is_program, programs_named};
