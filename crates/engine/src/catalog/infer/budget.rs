//! How much is started for one tool, and for how long: a help text is a stranger's, and may list ten thousand commands.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How much may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How many levels of commands are asked below the tool.
    pub depth: usize,
    /// How many processes are started.
    pub processes: usize,
    /// How long each may take.
    pub each: Duration,
    /// How long all of it may take.
    pub whole: Duration,
    /// After how many that did not end in time no more are asked.
    pub hung: usize,
}

/// The most levels that can be asked for.
pub const DEEPEST: usize = 8;

impl Default for Bounds {
    fn default() -> Self {
        Self {
            depth: 2,
            processes: 1_000,
            each: Duration::from_secs(10),
            whole: Duration::from_secs(180),
            hung: 4,
        }
    }
}

/// What is left of the bounds while one tool is asked, from many threads.
#[derive(Debug)]
pub(super) struct Budget {
    bounds: Bounds,
    begun: Instant,
    spent: Mutex<Spent>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    started: usize,
    hung: usize,
    refused: bool,
}

impl Budget {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            begun: Instant::now(),
            spent: Mutex::default(),
        }
    }

    /// Takes the right to start one more process, and returns how long it may take; nothing when all is spent.
    pub(super) fn take(&self) -> Option<Duration> {
        let left = self.bounds.whole.saturating_sub(self.begun.elapsed());
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over =
            left.is_zero() || spent.started >= self.bounds.processes || spent.hung >= self.bounds.hung;
        if is_over {
            spent.refused = true;
            return None;
        }
        spent.started += 1;
        Some(self.bounds.each.min(left))
    }

    /// Notes that one did not end in time.
    pub(super) fn note_hung(&self) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.hung += 1;
    }

    /// Returns how many were started.
    pub(super) fn started(&self) -> usize {
        self.spent().started
    }

    /// Says what kept more from being asked, if something did.
    pub(super) fn exhausted(&self) -> Option<String> {
        let spent = self.spent();
        if !spent.refused {
            return None;
        }
        let Bounds { processes, hung, .. } = self.bounds;
        Some(if spent.hung >= hung {
            format!("no more commands were asked after {hung} that did not end in time")
        } else if spent.started >= processes {
            format!("no more commands were asked after {processes} processes")
        } else {
            format!(
                "no more commands were asked after {} seconds",
                self.bounds.whole.as_secs()
            )
        })
    }

    fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_hangs_and_time_are_counted() {
        let bounds = Bounds {
            processes: 3,
            hung: 2,
            ..Bounds::default()
        };
        let check = |bounds: Bounds, hung: usize, takes: usize, says: Option<&str>| {
            let budget = Budget::new(bounds);
            (0..hung).for_each(|_| budget.note_hung());
            let got = (0..takes).filter(|_| budget.take().is_some()).count();
            assert_eq!(budget.started(), got);
            let told = budget.exhausted();
            assert_eq!(told.is_some(), says.is_some(), "{told:?}");
            assert!(told.unwrap_or_default().contains(says.unwrap_or_default()));
        };
        check(bounds, 0, 3, None);
        check(bounds, 0, 4, Some("3 processes"));
        check(bounds, 1, 1, None);
        check(bounds, 2, 1, Some("2 that did not end"));
        let whole = Duration::ZERO;
        check(Bounds { whole, ..bounds }, 0, 1, Some("0 seconds"));
    }
}
