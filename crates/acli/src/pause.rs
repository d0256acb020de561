//! Time that does not count: a call that waits for a person is not slow.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many parts of a call wait for somebody else.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pauses(Arc<AtomicUsize>);

impl Pauses {
    pub(crate) fn begin(&self) -> Paused {
        self.0.fetch_add(1, Ordering::Relaxed);
        Paused(self.clone())
    }

    pub(crate) fn is_on(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// As long as this is there, the time of the call does not run; then it starts anew.
#[derive(Debug)]
#[must_use = "the clock runs again when it is dropped"]
pub struct Paused(Pauses);

impl Drop for Paused {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}
