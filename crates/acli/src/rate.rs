//! How often one caller may ask (`RATE_LIMITED`).

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
    fn admit(&self, caller: &Caller, now: Duration) -> Result<(), Duration>;
}

/// How many callers are remembered. The ones beyond share one allowance, so a flood of names gains nothing.
const REMEMBERED: usize = 10_000;

/// So many requests per span of time and caller, refilled steadily (a token bucket).
#[derive(Debug)]
pub struct Bucket {
    burst: f64,
    per_second: f64,
    levels: Mutex<HashMap<String, Level>>,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    left: f64,
    at: Duration,
}

impl Bucket {
    /// Allows `requests` at once and as many again over each `per`.
    pub fn new(requests: u32, per: Duration) -> Self {
        let burst = f64::from(requests);
        Self {
            burst,
            per_second: burst / per.as_secs_f64().max(1e-9),
            levels: Mutex::default(),
        }
    }

    fn refilled(&self, level: Level, now: Duration) -> Level {
        let gained = now.saturating_sub(level.at).as_secs_f64() * self.per_second;
        Level {
            left: (level.left + gained).min(self.burst),
            at: now,
        }
    }
}

impl RateLimit for Bucket {
    fn admit(&self, caller: &Caller, now: Duration) -> Result<(), Duration> {
        let mut levels = self.levels.lock().unwrap_or_else(PoisonError::into_inner);
        if levels.len() >= REMEMBERED {
            // Whoever is full again is the same as a caller never seen.
            levels.retain(|_, level| self.refilled(*level, now).left < self.burst);
        }
        let known = levels.contains_key(caller.account()) || levels.len() < REMEMBERED;
        let key = if known { caller.account() } else { "" };
        let full = Level {
            left: self.burst,
            at: now,
        };
        let level = self.refilled(levels.get(key).copied().unwrap_or(full), now);
        let admitted = level.left >= 1.0;
        let left = if admitted { level.left - 1.0 } else { level.left };
        levels.insert(key.to_owned(), Level { left, at: now });
        if admitted {
            return Ok(());
        }
        let seconds = (1.0 - left) / self.per_second;
        Err(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
    }
}

/// `RATE_LIMITED` as Appendix B words it.
pub(crate) fn limited(wait: Duration) -> Error {
    let seconds = wait
        .as_secs()
        .saturating_add(u64::from(wait.subsec_nanos() > 0))
        .max(1);
    Error::new(Code::RateLimited, "Rate limit exceeded")
        .hint(Text::new("Wait {}s before retry").number(seconds))
        .detail("retry_after_seconds", seconds)
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
        assert_eq!(bucket.admit(&a, at(0)), Err(at(5)));
        assert!(bucket.admit(&b, at(0)).is_ok());
        assert!(bucket.admit(&a, at(5)).is_ok());
        assert!(bucket.admit(&a, at(5)).is_err());
    }

    #[test]
    fn a_flood_of_names_is_bounded_and_gains_nothing() {
        let bucket = Bucket::new(1, Duration::from_secs(3600));
        let now = Duration::from_secs(1);
        let admitted = (0..REMEMBERED + 500)
            .filter(|n| bucket.admit(&caller(&n.to_string()), now).is_ok())
            .count();
        assert!(admitted <= REMEMBERED + 1, "{admitted}");
        assert!(bucket.levels.lock().unwrap().len() <= REMEMBERED + 1);
    }

    #[test]
    fn the_wait_is_told_in_whole_seconds() {
        let error = limited(Duration::from_millis(1_200));
        assert_eq!(error.hint_text().unwrap(), "Wait 2s before retry");
    }
}
