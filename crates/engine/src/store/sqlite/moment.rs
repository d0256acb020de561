//! Moments as numbers: microseconds since 1970, so that the database can compare them.
//!
//! What is finer is cut off, in what is kept and in what is asked alike.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::fault::Fault;

/// Microseconds of a second.
const MICROS: i64 = 1_000_000;

pub(super) fn number(moment: Timestamp) -> i64 {
    moment.as_microsecond()
}

/// Reads a moment of a row.
pub(super) fn read(number: i64) -> Result<Timestamp, Fault> {
    let (second, rest) = (number.div_euclid(MICROS), number.rem_euclid(MICROS));
    i32::try_from(rest * 1000)
        .ok()
        // By seconds and the rest: jiff takes no microseconds of the calendar's last second.
        .and_then(|nanoseconds| Timestamp::new(second, nanoseconds).ok())
        .ok_or_else(|| Fault::Row(format!("{number} is no moment")))
}

/// Returns the moment `later` than `moment`, or the last there is.
pub(super) fn after(moment: Timestamp, later: Duration) -> Timestamp {
    SignedDuration::try_from(later)
        .ok()
        .and_then(|later| moment.checked_add(later).ok())
        .unwrap_or(Timestamp::MAX)
}

/// Returns the moment `earlier` than `moment`, or the first there is.
pub(super) fn before(moment: Timestamp, earlier: Duration) -> Timestamp {
    SignedDuration::try_from(earlier)
        .ok()
        .and_then(|earlier| moment.checked_sub(earlier).ok())
        .unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_moment_fits_and_every_number_is_checked() {
        for moment in [Timestamp::MIN, Timestamp::UNIX_EPOCH, Timestamp::MAX] {
            let kept = read(number(moment)).unwrap();
            assert_eq!(number(kept), number(moment));
        }
        assert!(read(i64::MAX).is_err() && read(i64::MIN).is_err());
    }

    #[test]
    fn a_time_beyond_the_calendar_ends_with_it() {
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(after(now, Duration::MAX), Timestamp::MAX);
        assert_eq!(before(now, Duration::MAX), Timestamp::MIN);
        assert_eq!(number(after(now, Duration::from_micros(7))), 7);
        assert_eq!(number(before(now, Duration::from_micros(7))), -7);
    }
}
