//! That a process is about to end, for calls that only wait for a person.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the process is about to end. A call that waits for a person then waits no longer, and its question stays open:
/// nothing of it runs, and the answer is found by whoever makes the call again.
#[derive(Debug, Default)]
pub struct Leaving(AtomicBool);

impl Leaving {
    /// Says that it is.
    pub fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether somebody said so.
    pub fn has_begun(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
