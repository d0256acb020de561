//! How long a call may take (ATIP §3.2.6 `duration.timeout`).

use std::time::Duration;

use argrail_spec::config::Period;

/// The longest that a description can ask for.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// Returns the caller's time, else what the description recommends, else the default. What is no time (`soon`) is no
/// recommendation.
pub fn timeout(declared: Option<&str>, caller: Option<Duration>, default: Duration) -> Duration {
    let declared = declared.and_then(|text| text.trim().parse::<Period>().ok());
    let declared = declared.map(|period| period.duration().min(LONGEST));
    caller.or(declared).unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caller_comes_first_and_garbage_says_nothing() {
        const DEFAULT: Duration = Duration::from_secs(60);
        let check = |declared: Option<&str>, caller: Option<u64>, millis: u64| {
            let given = timeout(declared, caller.map(Duration::from_millis), DEFAULT);
            assert_eq!(given, Duration::from_millis(millis), "{declared:?} {caller:?}");
        };
        check(None, None, 60_000);
        check(None, Some(5), 5);
        check(Some("60s"), Some(5), 5);
        check(Some("90s"), None, 90_000);
        check(Some(" 5m "), None, 300_000);
        check(Some("1h"), None, 3_600_000);
        check(Some("PT1M"), None, 60_000);
        check(Some("500ms"), None, 500);
        check(Some("7d"), None, 3_600_000);
        for garbage in ["", "60", "soon", "1-5s", "-1m", "0s", "PTbanana", "P1Y"] {
            check(Some(garbage), None, 60_000);
        }
    }
}
