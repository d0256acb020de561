//! Proof that a process has one thread, for calls that are sound in such a process alone.
//!
//! A fork copies one thread and every lock that others hold; a process that shares our memory sees what others half
//! changed; descriptors by number belong to whoever opened them. In the launcher none of that can happen: it is this
//! program before anything of it ran. Functions that rest on it take a [`SoleThread`], and only
//! [`enter`](crate::enter) claims one.

use std::fs;
use std::io;
use std::marker::PhantomData;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};

use super::check;

/// This process has one thread, and whoever has this starts no other while somebody relies on it.
///
/// Stays with its thread. A process that was forked from this one has one thread, too, and its copy of this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SoleThread(PhantomData<*const ()>);

/// The descriptors that this process inherited belong to nobody yet.
#[derive(Debug)]
pub(crate) struct InheritedDescriptors(PhantomData<*const ()>);

static CLAIMED: AtomicBool = AtomicBool::new(false);

impl SoleThread {
    /// Claims this process for its one thread, with all that it inherited: once, and only where there is no other thread.
    pub(crate) fn claim() -> Option<(Self, InheritedDescriptors)> {
        let first = is_alone() && !CLAIMED.swap(true, Ordering::Relaxed);
        first.then_some((Self(PhantomData), InheritedDescriptors(PhantomData)))
    }
}

/// Whether this process has one thread. Where that cannot be seen, it is taken to have more.
pub(crate) fn is_alone() -> bool {
    fs::read_dir("/proc/self/task").is_ok_and(|tasks| tasks.take(2).count() == 1)
}

impl InheritedDescriptors {
    /// Takes over standard input, leaves standard output and error to the standard library, and closes all the rest.
    pub(crate) fn take_stdin(self) -> io::Result<OwnedFd> {
        const STDIN: RawFd = 0;
        // SAFETY: asks about a number; an open one is not changed.
        check(unsafe { libc::fcntl(STDIN, libc::F_GETFD) })?;
        // SAFETY: nothing of this process was opened yet, so nothing that anybody owns is closed: `self` comes from the
        // first lines of `main`, and is spent here.
        check(unsafe { libc::close_range(3, libc::c_uint::MAX, 0) })?;
        // SAFETY: it is open, as just seen, and taken once: see above.
        Ok(unsafe { OwnedFd::from_raw_fd(STDIN) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_with_threads_is_not_claimed() {
        // The harness has a thread of its own besides this one.
        let (_hold, held) = std::sync::mpsc::channel::<()>();
        let other = std::thread::spawn(move || held.recv());
        assert!(!is_alone());
        assert!(SoleThread::claim().is_none());
        drop(_hold);
        let _ = other.join();
    }
}
