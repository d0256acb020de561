//! A clock that goes on while a reader of the child's output keeps us waiting.
//!
//! What is read is handed to a function of the caller's, and a terminal or a pipe behind it may take its time. The
//! loop that keeps the time waits with it; this thread does not.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::net::{Shutdown, shutdown};

use crate::launch::{Command, send};

/// Ends a sandbox at its time, unless it is dropped before.
pub(super) struct Watchdog {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Starts one for the sandbox that `control` belongs to: asked to end at `until`, and ended `grace` later.
    pub(super) fn start(control: OwnedFd, until: Instant, grace: Duration) -> io::Result<Self> {
        let over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&over);
        let thread = thread::Builder::new()
            .name("sandbox-clock".into())
            .spawn(move || {
                if wait(&seen, until) {
                    let _ = send(&control, &Command::Terminate, &[]);
                }
                if wait(&seen, until + grace) {
                    let _ = shutdown(&control, Shutdown::Write);
                }
            })?;
        Ok(Self {
            over,
            thread: Some(thread),
        })
    }
}

/// Waits for a time; returns whether it came before the end did.
fn wait(over: &AtomicBool, until: Instant) -> bool {
    loop {
        if over.load(Ordering::Acquire) {
            return false;
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::park_timeout(left);
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}
