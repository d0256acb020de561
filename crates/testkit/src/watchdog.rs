//! Kills a process group that takes too long, so that no test can hang.
//!
//! Disarm it before the leader is reaped: until then its number cannot belong to anybody else.

use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A timer over one process group.
pub(crate) struct Watchdog {
    armed: Option<(Sender<()>, JoinHandle<()>)>,
    fired: Arc<AtomicBool>,
}

impl Watchdog {
    /// Starts the timer: after `limit` the whole `group` is killed.
    pub(crate) fn arm(group: Pid, limit: Duration) -> Self {
        let fired = Arc::new(AtomicBool::new(false));
        let (stop, stopped) = mpsc::channel::<()>();
        let timer = thread::spawn({
            let fired = Arc::clone(&fired);
            move || {
                if stopped.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                    // Before the kill, so that who sees its effects sees their cause.
                    fired.store(true, Ordering::SeqCst);
                    kill_group(group);
                }
            }
        });
        Self {
            armed: Some((stop, timer)),
            fired,
        }
    }

    /// Returns whether the limit passed and the group was killed.
    pub(crate) fn has_fired(&self) -> bool {
        self.fired.load(Ordering::SeqCst)
    }

    /// Stops the timer. When this returns, it kills no more.
    pub(crate) fn disarm(&mut self) {
        if let Some((stop, timer)) = self.armed.take() {
            drop(stop);
            timer.join().expect("the watchdog does not panic");
        }
    }
}

/// Kills every process of `group`. One that is empty already is no error.
pub(crate) fn kill_group(group: Pid) {
    // The only failures are "no such group" and, for a zombie leader on some systems, "not
    // permitted"; both mean that nothing is left to kill.
    let _ = kill_process_group(group, Signal::KILL);
}
