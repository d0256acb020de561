//! A child that runs: what its owner has of it, what the host holds of it, and the switch that ends it.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::process::{Pid, Signal, kill_process_group, pidfd_send_signal};

use super::confined::ConfinedChild;
use super::error::Error;
use super::report::Report;
use super::streams::{InputFeed, OutputReader};
use super::watchdog::Watchdog;
use crate::sys::process::{ResourceUsage, wait_for};

/// A running child. Dropping it ends the child and everything it started, and waits for that.
#[derive(Debug)]
pub struct Child {
    /// Where to write, with [`Stdin::Pipe`](crate::Stdin::Pipe). Drop it to end the input.
    pub stdin: Option<File>,
    /// What it writes, with [`Output::Pipe`](crate::Output::Pipe).
    pub stdout: Option<File>,
    /// What it writes to standard error, with [`Output::Pipe`](crate::Output::Pipe).
    pub stderr: Option<File>,
    cancel: Cancel,
    watcher: Option<JoinHandle<Result<Report, Error>>>,
}

impl Child {
    pub(super) fn watch(
        started: StartedChild,
        cancel: Cancel,
        stdin: Option<OwnedFd>,
        stdout: Option<OwnedFd>,
        stderr: Option<OwnedFd>,
    ) -> Result<Self, Error> {
        let watcher = std::thread::Builder::new()
            .name("sandbox".into())
            .spawn(move || started.watch())
            .map_err(Error::host("start a thread"))?;
        Ok(Self {
            stdin: stdin.map(File::from),
            stdout: stdout.map(File::from),
            stderr: stderr.map(File::from),
            cancel,
            watcher: Some(watcher),
        })
    }

    /// Returns a switch that ends the child.
    pub fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// When the program could not be started after all, or the host failed.
    pub fn wait(mut self) -> Result<Report, Error> {
        let watcher = self.watcher.take();
        let outcome = watcher.and_then(|watcher| watcher.join().ok());
        outcome.unwrap_or_else(|| Err(Error::host("watch the child")(std::io::ErrorKind::Other.into())))
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if let Some(watcher) = self.watcher.take() {
            self.cancel.cancel();
            let _ = watcher.join();
        }
    }
}

/// How long a sandbox may take to vanish when it is told to, before its launcher is killed too.
pub(super) const VANISH_TIMEOUT: Duration = Duration::from_secs(5);

/// A child that was started.
pub(super) struct StartedChild {
    /// The child itself, when it is one of this process.
    pub(super) own: Option<OwnChild>,
    /// Refers to the child, or the launcher in front of it, and to no other process ever.
    pub(super) process: OwnedFd,
    pub(super) confined: Option<ConfinedChild>,
    pub(super) sources: [Option<OutputReader>; 2],
    /// Those that came to their end.
    pub(super) finished: [Option<OutputReader>; 2],
    pub(super) feed: Option<InputFeed>,
    pub(super) stdin: Option<OwnedFd>,
    pub(super) pipes: [Option<OwnedFd>; 2],
    pub(super) cancel: Option<Cancel>,
    pub(super) begun: Instant,
    pub(super) wall: Option<Duration>,
    pub(super) output: u64,
    pub(super) grace: Duration,
}

/// A child of this very process, the first of its group. Dropped, it is killed with the group and waited for.
#[derive(Debug)]
pub(super) struct OwnChild {
    pid: Pid,
    waited: bool,
}

impl OwnChild {
    pub(super) fn new(pid: Pid) -> Self {
        Self { pid, waited: false }
    }

    /// Returns its number, which is its own as long as nobody waited for it.
    pub(super) fn pid(&self) -> Pid {
        self.pid
    }

    /// Signals the whole group.
    pub(super) fn signal_group(&self, signal: Signal) {
        let _ = kill_process_group(self.pid, signal);
    }

    /// Waits for its end, and returns its status and what it used.
    pub(super) fn wait(mut self) -> io::Result<(i32, ResourceUsage)> {
        self.waited = true;
        wait_for(self.pid)
    }
}

impl Drop for OwnChild {
    fn drop(&mut self) {
        if !self.waited {
            self.signal_group(Signal::KILL);
            let _ = wait_for(self.pid);
        }
    }
}

impl StartedChild {
    /// A clock of its own, where a reader could keep this one waiting.
    pub(super) fn watchdog(&self) -> io::Result<Option<Watchdog>> {
        let handed_on = self.sources.iter().flatten().any(OutputReader::is_handed_on);
        let control = self
            .confined
            .as_ref()
            .and_then(|confined| confined.control.as_ref());
        match (control, self.wall.and_then(|wall| self.begun.checked_add(wall))) {
            (Some(control), Some(until)) if handed_on => {
                Watchdog::start(control.try_clone()?, until, self.grace).map(Some)
            }
            (Some(_) | None, Some(_) | None) => Ok(None),
        }
    }

    /// Waits until a child that was told to end is gone, and kills what waits for it if it is not.
    pub(super) fn wait_until_gone(&self) {
        let patience = Timespec {
            tv_sec: i64::try_from(VANISH_TIMEOUT.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: 0,
        };
        for last in [false, true] {
            let mut gone = [PollFd::new(&self.process, PollFlags::IN)];
            if poll(&mut gone, Some(&patience)).is_ok_and(|count| count > 0) || last {
                return;
            }
            let _ = pidfd_send_signal(&self.process, Signal::KILL);
        }
    }
}

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
