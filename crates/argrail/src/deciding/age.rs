//! Spans of time as a person reads them at a glance.

use jiff::Timestamp;

/// Returns the time from one moment to a later one, in its largest unit, rounded down: `45 s`, `9 min`, `2 h`, `3 d`.
/// What is over is nothing: `0 s`.
pub(crate) fn between(from: Timestamp, to: Timestamp) -> String {
    let seconds = to.duration_since(from).as_secs().max(0);
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7200 => format!("{} min", seconds / 60),
        7200..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn a_span_is_told_in_its_largest_unit() {
        let check = |seconds: i64, want: &str| {
            let from = Timestamp::UNIX_EPOCH;
            assert_eq!(between(from, from + SignedDuration::from_secs(seconds)), want);
        };
        check(-5, "0 s");
        check(0, "0 s");
        check(119, "119 s");
        check(120, "2 min");
        check(7199, "119 min");
        check(7200, "2 h");
        check(172_800, "2 d");
    }
}
