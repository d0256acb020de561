//! Ending a child from elsewhere.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use rustix::event::{EventfdFlags, eventfd};

/// Ends a child, from any thread, at any time. Clones mean the same child.
#[derive(Debug, Clone)]
pub struct Cancel {
    event: Arc<OwnedFd>,
}

impl Cancel {
    /// Makes a switch that ends whatever it is given to.
    ///
    /// # Errors
    /// When the system has no descriptor left.
    pub fn new() -> io::Result<Self> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self {
            event: Arc::new(event),
        })
    }

    /// Asks the child and all that it started to end; what has not ended after the grace is killed.
    pub fn cancel(&self) {
        // A counter that is full is set already.
        let _ = rustix::io::write(&*self.event, &1_u64.to_ne_bytes());
    }
}

impl AsFd for Cancel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.event.as_fd()
    }
}
