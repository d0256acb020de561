//! How often one caller, and all callers together, may ask (`RATE_LIMITED`).
//!
//! Refusals are cheap to provoke and each would be a record, so of those in a row only a few are recorded: the first, and
//! then ten times as many each time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::{Code, Error};
use crate::host::Caller;
use crate::text::Text;

/// Decides whether a caller may ask now.
pub trait RateLimit: Send + Sync {
    /// Counts one request at `now` (a clock that never goes back).
    ///
    /// # Errors
    /// How long to wait, when there were too many.
    fn admit(&self, caller: &Caller, now: Duration) -> Result<Admitted, Limited>;
}

/// A request that may be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Admitted {
    /// How many of this caller were refused since the last one.
    pub refused_before: u64,
}

/// A request too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limited {
    /// How long to wait.
    pub wait: Duration,
    /// How many were refused in a row, this one among them.
    pub in_a_row: u64,
}

impl Limited {
    /// Returns it as the draft's Appendix B words it.
    pub fn error(self) -> Error {
        let seconds = self
            .wait
            .as_secs()
            .saturating_add(u64::from(self.wait.subsec_nanos() > 0))
            .max(1);
        Error::new(Code::RateLimited, "Rate limit exceeded")
            .hint(Text::new("Wait {}s before retry").number(seconds))
            .detail("retry_after_seconds", seconds)
    }

    /// Whether this refusal is one that is recorded.
    pub fn is_recorded(self) -> bool {
        let mut number = self.in_a_row;
        while number >= 10 && number.is_multiple_of(10) {
            number /= 10;
        }
        number == 1
    }
}

/// How many callers are remembered. The ones beyond share one allowance, so a flood of names gains nothing.
const REMEMBERED: usize = 10_000;

/// So many requests per span of time, for each caller and for all together, refilled steadily (token buckets).
#[derive(Debug)]
pub struct Bucket {
    each: Allowance,
    all: Option<Allowance>,
    levels: Mutex<Levels>,
}

/// So many at once, and how fast they come back.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    burst: f64,
    per_second: f64,
}

#[derive(Debug, Default)]
struct Levels {
    each: HashMap<String, Level>,
    all: Option<Level>,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    left: f64,
    at: Duration,
    /// How many were refused since the last that was not.
    refused: u64,
}

impl Allowance {
    fn new(requests: u32, per: Duration) -> Self {
        let burst = f64::from(requests);
        Self {
            burst,
            per_second: burst / per.as_secs_f64().max(1e-9),
        }
    }

    fn refilled(self, level: Option<Level>, now: Duration) -> Level {
        let Some(level) = level else {
            return Level {
                left: self.burst,
                at: now,
                refused: 0,
            };
        };
        let gained = now.saturating_sub(level.at).as_secs_f64() * self.per_second;
        Level {
            left: (level.left + gained).min(self.burst),
            at: now,
            ..level
        }
    }

    /// Ends a row of refusals, and returns how many they were, once whoever asks has paused: one that is let through
    /// between many that are not ends nothing.
    fn forgive(self, level: &mut Level) -> u64 {
        match level.left >= self.burst / 10.0 {
            true => std::mem::take(&mut level.refused),
            false => 0,
        }
    }

    /// Refuses one more.
    fn refuse(self, level: &mut Level) -> Limited {
        level.refused = level.refused.saturating_add(1);
        let seconds = (1.0 - level.left) / self.per_second;
        Limited {
            wait: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
            in_a_row: level.refused,
        }
    }
}

impl Bucket {
    /// Allows each caller `requests` at once and as many again over each `per`.
    pub fn new(requests: u32, per: Duration) -> Self {
        Self {
            each: Allowance::new(requests, per),
            all: None,
            levels: Mutex::default(),
        }
    }

    /// Allows all callers together so many: names are free, so a limit for each of them alone limits nobody.
    #[must_use]
    pub fn together(mut self, requests: u32, per: Duration) -> Self {
        self.all = Some(Allowance::new(requests, per));
        self
    }
}

impl RateLimit for Bucket {
    fn admit(&self, caller: &Caller, now: Duration) -> Result<Admitted, Limited> {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        let Levels { each, all } = &mut *levels;
        if each.len() >= REMEMBERED {
            // Whoever is full again is the same as a caller never seen.
            each.retain(|_, level| self.each.refilled(Some(*level), now).left < self.each.burst);
        }
        let known = each.contains_key(caller.account()) || each.len() < REMEMBERED;
        let key = if known { caller.account() } else { "" };
        let mut own = self.each.refilled(each.get(key).copied(), now);
        let mut shared = self
            .all
            .map(|allowance| (allowance, allowance.refilled(*all, now)));
        let admitted = match &mut shared {
            Some((allowance, level)) if level.left < 1.0 => Err(allowance.refuse(level)),
            _ if own.left < 1.0 => Err(self.each.refuse(&mut own)),
            Some(_) | None => Ok(Admitted {
                refused_before: self.each.forgive(&mut own),
            }),
        };
        // A refusal that is recorded costs the others as much as a request does.
        let costs = match &admitted {
            Ok(_) => {
                own.left -= 1.0;
                true
            }
            Err(limited) => limited.is_recorded(),
        };
        if let Some((allowance, level)) = &mut shared {
            if costs && level.left >= 1.0 {
                level.left -= 1.0;
            }
            if admitted.is_ok() {
                allowance.forgive(level);
            }
        }
        *all = shared.map(|(_, level)| level);
        each.insert(key.to_owned(), own);
        admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(id: &str) -> Caller {
        Caller {
            id: id.to_owned(),
            ..Caller::default()
        }
    }

    #[test]
    fn each_caller_has_an_allowance_that_refills() {
        let bucket = Bucket::new(2, Duration::from_secs(10));
        let at = Duration::from_secs;
        let (a, b) = (caller("a"), caller("b"));
        assert!(bucket.admit(&a, at(0)).is_ok());
        assert!(bucket.admit(&a, at(0)).is_ok());
        let refused = |wait, in_a_row| Err(Limited { wait, in_a_row });
        assert_eq!(bucket.admit(&a, at(0)), refused(at(5), 1));
        assert_eq!(bucket.admit(&a, at(0)), refused(at(5), 2));
        assert!(bucket.admit(&b, at(0)).is_ok());
        assert_eq!(bucket.admit(&a, at(5)), Ok(Admitted { refused_before: 2 }));
        assert_eq!(bucket.admit(&a, at(5)), refused(at(5), 1));
    }

    #[test]
    fn all_callers_together_have_one_too() {
        let bucket = Bucket::new(3, Duration::from_secs(10)).together(5, Duration::from_secs(10));
        let at = Duration::from_secs;
        let admitted = |name: &str, now| bucket.admit(&caller(name), now).is_ok();
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        assert_eq!(names.iter().filter(|name| admitted(name, at(0))).count(), 5);
        assert!(
            !admitted("a", at(0)),
            "a has some left, and all together have not"
        );
        assert!(admitted("a", at(2)));
        assert!(!admitted("z", at(2)));
        for _ in 0..3 {
            assert!(admitted("z", at(20)));
        }
        assert!(!admitted("z", at(20)), "and each has its own");
    }

    #[test]
    fn refusals_in_a_row_are_recorded_ever_more_rarely() {
        let bucket = Bucket::new(1, Duration::from_secs(3600)).together(4, Duration::from_secs(3600));
        let now = Duration::ZERO;
        assert!(bucket.admit(&caller("a"), now).is_ok());
        let recorded: Vec<u64> = (0..12_000)
            .filter_map(|_| bucket.admit(&caller("a"), now).err())
            .filter(|limited| limited.is_recorded())
            .map(|limited| limited.in_a_row)
            .collect();
        // Three that cost all the others, then the first that they share.
        assert_eq!(recorded, [1, 10, 100, 1, 10, 100, 1000, 10_000]);
    }

    #[test]
    fn a_flood_of_names_is_bounded_and_gains_nothing() {
        let bucket = Bucket::new(1, Duration::from_secs(3600));
        let now = Duration::from_secs(1);
        let admitted = (0..REMEMBERED + 500)
            .filter(|n| bucket.admit(&caller(&n.to_string()), now).is_ok())
            .count();
        assert!(admitted <= REMEMBERED + 1, "{admitted}");
        assert!(bucket.levels.lock().unwrap().each.len() <= REMEMBERED + 1);
    }

    #[test]
    fn the_wait_is_told_in_whole_seconds() {
        let limited = Limited {
            wait: Duration::from_millis(1_200),
            in_a_row: 1,
        };
        let error = limited.error();
        assert_eq!(error.hint_text().unwrap(), "Wait 2s before retry");
    }
}
