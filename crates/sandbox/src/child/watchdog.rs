//! A clock that goes on while a reader of the child's output keeps us waiting.
//!
//! What is read is handed to a function of the caller's, and a terminal or a pipe behind it may take its time. The
//! loop that keeps the time waits with it; the clock does not. There is one clock for all children of the process: a
//! thread for each would cost as much as a tenth of a short child.

use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::net::{Shutdown, shutdown};

use crate::launch::{LauncherCommand, send};

static CLOCK: WatchdogClock = WatchdogClock {
    times: Mutex::new(WatchdogTimes {
        due: BTreeMap::new(),
        last: 0,
        runs: ClockThread::Not,
    }),
    earlier: Condvar::new(),
};

/// Ends a sandbox at its time, unless it is dropped before.
#[derive(Debug)]
pub(super) struct Watchdog(u64);

struct WatchdogClock {
    times: Mutex<WatchdogTimes>,
    /// Something is due before what the clock waits for.
    earlier: Condvar,
}

struct WatchdogTimes {
    /// What is due, by time; two at the same time differ by number.
    due: BTreeMap<(Instant, u64), DueStep>,
    last: u64,
    runs: ClockThread,
}

/// Whether the clock's thread is there, and until when it sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClockThread {
    Not,
    Until(Option<Instant>),
}

/// What is done at a time.
struct DueStep {
    control: OwnedFd,
    step: KillStep,
}

#[derive(Debug, Clone, Copy)]
enum KillStep {
    /// It is asked to end, and ended this much later.
    Ask(Duration),
    /// The sandbox is killed.
    End,
}

impl Watchdog {
    /// Starts one for the sandbox that `control` belongs to: asked to end at `until`, and ended `grace` later.
    pub(super) fn start(control: OwnedFd, until: Instant, grace: Duration) -> io::Result<Self> {
        let mut times = CLOCK.times();
        let sleeps = match times.runs {
            ClockThread::Until(sleeps) => sleeps,
            ClockThread::Not => {
                thread::Builder::new()
                    .name("sandbox-clock".into())
                    .spawn(|| CLOCK.run())?;
                times.runs = ClockThread::Until(None);
                None
            }
        };
        times.last += 1;
        let number = times.last;
        let step = KillStep::Ask(grace);
        times.due.insert((until, number), DueStep { control, step });
        if sleeps.is_none_or(|sleeps| until < sleeps) {
            CLOCK.earlier.notify_one();
        }
        Ok(Self(number))
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // The clock may wake for nothing later, which costs less than waking it now.
        CLOCK.times().due.retain(|(_, number), _| *number != self.0);
    }
}

impl WatchdogClock {
    fn times(&self) -> MutexGuard<'_, WatchdogTimes> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut times = self.times();
        loop {
            let now = Instant::now();
            let next = times.due.first_key_value().map(|((until, _), _)| *until);
            times.runs = ClockThread::Until(next);
            times = match next.map(|until| until.saturating_duration_since(now)) {
                Some(left) if left.is_zero() => {
                    times.strike(now);
                    times
                }
                Some(left) => {
                    let waited = self.earlier.wait_timeout(times, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.earlier.wait(times).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl WatchdogTimes {
    /// Does what is due first.
    fn strike(&mut self, now: Instant) {
        let Some(((_, number), due)) = self.due.pop_first() else {
            return;
        };
        match due.step {
            KillStep::Ask(grace) => {
                let _ = send(&due.control, &LauncherCommand::Terminate, &[]);
                let step = KillStep::End;
                if let Some(end) = now.checked_add(grace) {
                    self.due.insert((end, number), DueStep { step, ..due });
                }
            }
            KillStep::End => {
                let _ = shutdown(&due.control, Shutdown::Write);
            }
        }
    }
}
