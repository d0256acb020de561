//! Tests about time on a machine that others use, too.
//!
//! A test that needs a short time (a timeout that strikes, a grace that runs out) also needs what it watches to have
//! begun by then, and no constant is right for both a fast machine and a busy one. [`with_time_to_begin`] looks at the
//! result and doubles the time. [`cpu_time`] counts what the test itself did, and nothing that others did meanwhile.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The first time that is tried: enough on a machine with nothing else to do.
const FIRST: Duration = Duration::from_millis(250);

/// The longest time that is tried. What has not begun by then never does.
const LAST: Duration = Duration::from_secs(128);

/// Runs `attempt` with a short time, and again with twice that as long as it answers `None`: what it is about had not
/// begun when the time was up. It panics itself when it saw something wrong.
///
/// # Panics
///
/// If two minutes are not enough.
pub fn with_time_to_begin<T>(mut attempt: impl FnMut(Duration) -> Option<T>) -> T {
    let mut time = FIRST;
    loop {
        if let Some(seen) = attempt(time) {
            return seen;
        }
        assert!(time < LAST, "{time:?} were not enough to begin");
        time *= 2;
    }
}

/// Returns the processor time that this thread takes for `act`.
///
/// # Panics
///
/// If the clock runs backwards.
pub fn cpu_time(act: impl FnOnce()) -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).expect("a time after zero");
    let begun = now();
    act();
    now() - begun
}

/// Fails if the processor time of `act` grows more than `most` times from the smaller input to the larger one.
///
/// Others make caches cold and seldom warm, so the least of a few tries counts, and more are made before it fails.
///
/// # Panics
///
/// If it grows more.
#[track_caller]
pub fn assert_growth<T>(what: &str, smaller: &T, larger: &T, most: f64, act: impl Fn(&T)) {
    const TRIES: usize = 12;
    /// Less than that is told by chance: the first use of a page counts more than the work.
    const LEAST: f64 = 1e-4;
    let (mut short, mut long) = (f64::INFINITY, f64::INFINITY);
    for tried in 1..=TRIES {
        short = short.min(cpu_time(|| act(smaller)).as_secs_f64().max(LEAST));
        long = long.min(cpu_time(|| act(larger)).as_secs_f64());
        if tried >= 2 && long / short < most {
            return;
        }
    }
    panic!(
        "{what}: {:.0} times as long, which may be {most:.0} times: {short} s, then {long} s",
        long / short
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn the_time_is_doubled_until_it_is_enough() {
        let mut tried = Vec::new();
        let enough = with_time_to_begin(|time| {
            tried.push(time);
            (time >= Duration::from_secs(1)).then_some(time)
        });
        assert_eq!(enough, Duration::from_secs(1));
        assert_eq!(tried, [250, 500, 1000].map(Duration::from_millis));
        let never = catch_unwind(|| with_time_to_begin(|_| None::<()>));
        assert!(never.is_err(), "it ends");
    }

    #[test]
    fn a_square_is_told_from_a_line() {
        let line = |size: &usize| {
            std::hint::black_box((0..*size).fold(0_usize, |sum, at| std::hint::black_box(sum ^ at)));
        };
        let square = |size: &usize| (0..*size / 100).for_each(|_| line(size));
        assert_growth("a line", &4_000, &32_000, 32.0, line);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            assert_growth("a square", &4_000, &32_000, 32.0, square);
        }));
        let message = *caught.unwrap_err().downcast::<String>().unwrap();
        assert!(message.starts_with("a square: "), "{message}");
    }
}
