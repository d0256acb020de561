//! Spans of time as people write them: `30s`, `1h 30m`, `7d`, `PT30S`, `P7D`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// The longest text that is read.
const LONGEST: usize = 64;

/// A span of time that is longer than nothing. A day has 24 hours, a week seven days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period(Duration);

/// A text is no span of time, or none that is longer than nothing. Months and years have no fixed length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a time such as \"30s\", \"1m\" or \"7d\"")]
pub struct PeriodError;

impl Period {
    /// Takes a duration, unless it is zero.
    pub fn new(duration: Duration) -> Option<Self> {
        (!duration.is_zero()).then_some(Self(duration))
    }

    /// Returns it as the standard library has it.
    pub const fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for Period {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Self, PeriodError> {
        if text.len() > LONGEST {
            return Err(PeriodError);
        }
        let span: Span = text.parse().map_err(|_| PeriodError)?;
        let days = SpanRelativeTo::days_are_24_hours();
        let duration = span.to_duration(days).map_err(|_| PeriodError)?;
        let duration = Duration::try_from(duration).map_err(|_| PeriodError)?;
        Self::new(duration).ok_or(PeriodError)
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::SignedDuration::try_from(self.0) {
            Ok(duration) => write!(f, "{duration:#}"),
            // Longer than the calendar; in seconds it can still be written.
            Err(_) => write!(f, "{}s", self.0.as_secs()),
        }
    }
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Period {
    fn schema_name() -> Cow<'static, str> {
        "Period".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A span of time: 30s, 1m, 7d, PT30S, P7D",
            "type": "string",
            "minLength": 2,
            "maxLength": LONGEST,
            "pattern": "[0-9]",
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let check = |text: &str, want: Option<u64>| {
            let millis = text
                .parse::<Period>()
                .ok()
                .map(|period| period.duration().as_millis());
            assert_eq!(millis, want.map(u128::from), "{text}");
        };
        check("500ms", Some(500));
        check("1m", Some(60_000));
        check("PT30S", Some(30_000));
        check("1h 30m", Some(5_400_000));
        check("7d", Some(604_800_000));
        check("P7D", Some(604_800_000));
        check("2w", Some(1_209_600_000));
        check("P1W", Some(604_800_000));
        for bad in [
            "",
            "0s",
            "-1m",
            "30",
            "1 month",
            "P1M",
            "P1Y",
            "soon",
            "PTbanana",
            "1d ago",
            "9999999999999999999s",
        ] {
            check(bad, None);
        }
        check(&"1s".repeat(40), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(millis in 1u64..10_000_000_000_000) {
            let period = Period::new(Duration::from_millis(millis)).unwrap();
            prop_assert_eq!(period.to_string().parse(), Ok(period));
        }

        #[test]
        fn any_text_is_answered(text in any::<String>()) {
            let _ = text.parse::<Period>();
        }
    }
}
