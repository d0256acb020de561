//! The end of everything, as something that can be waited for together with a socket.
//!
//! Every wait of a connection's thread goes through here, so no peer can keep a thread after the end.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Instant;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::io::Errno;

/// A signal that is given once and stays.
#[derive(Debug)]
pub(super) struct StopSignal {
    // Not a pipe: a child that was just forked still holds copies of our descriptors, and would keep it
    // open.
    event: OwnedFd,
}

impl StopSignal {
    /// Makes a signal that was not given yet.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            event: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
        })
    }

    /// Gives the signal. Again does no harm.
    pub(super) fn signal(&self) {
        // Only a counter that is full refuses, and then it was given already.
        let _ = rustix::io::write(&self.event, &1u64.to_ne_bytes());
    }

    /// Waits until `fd` is ready, and fails at the deadline or when the signal is given.
    pub(super) fn wait(
        &self,
        fd: BorrowedFd<'_>,
        events: PollFlags,
        deadline: Option<Instant>,
    ) -> io::Result<()> {
        self.wait_all(&[PollFd::from_borrowed_fd(fd, events)], deadline)
            .map(drop)
    }

    /// Waits until one of `fds` is ready and returns what each is ready for. Fails at the deadline or
    /// when the signal is given.
    pub(super) fn wait_all(
        &self,
        fds: &[PollFd<'_>],
        deadline: Option<Instant>,
    ) -> io::Result<Vec<PollFlags>> {
        let mut all = Vec::with_capacity(fds.len() + 1);
        all.push(PollFd::from_borrowed_fd(self.event.as_fd(), PollFlags::IN));
        all.extend_from_slice(fds);
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let left = left.and_then(|left| Timespec::try_from(left).ok());
            match poll(&mut all, left.as_ref()) {
                Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
                Ok(_) => break,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut ready = all.iter().map(PollFd::revents);
        match ready.next() {
            Some(flags) if flags.is_empty() => Ok(ready.collect()),
            Some(_) | None => Err(io::ErrorKind::ConnectionAborted.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_signal_ends_waits_and_stays() {
        let stop = StopSignal::new().unwrap();
        let (reader, _writer) = io::pipe().unwrap();
        let soon = || Some(Instant::now() + Duration::from_millis(1));
        let wait = |deadline| {
            stop.wait(reader.as_fd(), PollFlags::IN, deadline)
                .unwrap_err()
                .kind()
        };
        assert_eq!(wait(soon()), io::ErrorKind::TimedOut);
        stop.signal();
        stop.signal();
        assert_eq!(wait(soon()), io::ErrorKind::ConnectionAborted);
        assert_eq!(wait(None), io::ErrorKind::ConnectionAborted);
    }
}
