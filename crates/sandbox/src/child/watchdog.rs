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

use crate::launch::{Command, send};

static CLOCK: Clock = Clock {
    times: Mutex::new(Times {
        due: BTreeMap::new(),
        last: 0,
        runs: Runs::Not,
    }),
    earlier: Condvar::new(),
};

/// Ends a sandbox at its time, unless it is dropped before.
#[derive(Debug)]
pub(super) struct Watchdog(u64);

struct Clock {
    times: Mutex<Times>,
    /// Something is due before what the clock waits for.
    earlier: Condvar,
}

struct Times {
    /// What is due, by time; two at the same time differ by number.
    due: BTreeMap<(Instant, u64), Due>,
    last: u64,
    runs: Runs,
}

/// Whether the clock's thread is there, and until when it sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runs {
    Not,
    Until(Option<Instant>),
}

/// What is done at a time.
struct Due {
    control: OwnedFd,
    step: Step,
}

#[derive(Debug, Clone, Copy)]
enum Step {
    /// It is asked to end, and ended this much later.
    Ask(Duration),
    /// It is ended.
    End,
}

impl Watchdog {
    /// Starts one for the sandbox that `control` belongs to: asked to end at `until`, and ended `grace` later.
    pub(super) fn start(control: OwnedFd, until: Instant, grace: Duration) -> io::Result<Self> {
        let mut times = CLOCK.times();
        let sleeps = match times.runs {
            Runs::Until(sleeps) => sleeps,
            Runs::Not => {
                thread::Builder::new()
                    .name("sandbox-clock".into())
                    .spawn(|| CLOCK.run())?;
                times.runs = Runs::Until(None);
                None
            }
        };
        times.last += 1;
        let number = times.last;
        let step = Step::Ask(grace);
        times.due.insert((until, number), Due { control, step });
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

impl Clock {
    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        let mut times = self.times();
        loop {
            let now = Instant::now();
            let next = times.due.first_key_value().map(|((until, _), _)| *until);
            times.runs = Runs::Until(next);
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

impl Times {
    /// Does what is due first.
    fn strike(&mut self, now: Instant) {
        let Some(((_, number), due)) = self.due.pop_first() else {
            return;
        };
        match due.step {
            Step::Ask(grace) => {
                let _ = send(&due.control, &Command::Terminate, &[]);
                let step = Step::End;
                if let Some(end) = now.checked_add(grace) {
                    self.due.insert((end, number), Due { step, ..due });
                }
            }
            Step::End => {
                let _ = shutdown(&due.control, Shutdown::Write);
            }
        }
    }
}
