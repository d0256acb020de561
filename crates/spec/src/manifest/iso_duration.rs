//! A span of time as ISO 8601 writes it: `PT24H`, `P7D`, `P1DT12H30M`.
//!
//! Months and years have no fixed length and are refused, as is what is negative or nothing. An error has its place.

use std::borrow::Cow;
use std::time::Duration;

use jiff::SpanRelativeTo;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use super::field::Field;
use super::rules::VALUE;
use crate::doc::fields::Complaints;

/// The longest text that is read.
const LONGEST: usize = 64;

/// A span of time that is longer than nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct IsoDuration {
    text: String,
    #[serde(skip)]
    duration: Duration,
}

/// A text is no duration: where, and what was expected there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct NotADuration {
    /// The byte at which it goes wrong.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl IsoDuration {
    /// Reads a duration.
    ///
    /// # Errors
    /// Where it goes wrong, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, NotADuration> {
        check(text)?;
        let whole = |expected| NotADuration { at: 0, expected };
        let span: jiff::Span = text.parse().map_err(|_| whole("a duration such as \"PT24H\""))?;
        let days = SpanRelativeTo::days_are_24_hours();
        let duration = span.to_duration(days).map_err(|_| whole("a shorter duration"))?;
        let duration = Duration::try_from(duration).map_err(|_| whole("a duration that is not negative"))?;
        if duration.is_zero() {
            return Err(whole("a duration that is longer than nothing"));
        }
        Ok(Self {
            text: text.to_owned(),
            duration,
        })
    }

    /// Returns it as it is written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns it as the standard library has it.
    pub fn duration(&self) -> Duration {
        self.duration
    }
}

/// Walks over the grammar: `P`, then numbers with `W` or `D`, then `T` and numbers with `H`, `M` or `S`, in order.
fn check(text: &str) -> Result<(), NotADuration> {
    let wrong = |at, expected| Err(NotADuration { at, expected });
    if text.len() > LONGEST {
        return wrong(0, "at most 64 characters");
    }
    let bytes = text.as_bytes();
    if bytes.first() != Some(&b'P') {
        return wrong(0, "'P', as in \"PT24H\"");
    }
    let mut at = 1;
    let mut units: &[u8] = b"YMWD";
    let mut in_time = false;
    let mut count = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte == b'T' && !in_time {
            (in_time, units, count) = (true, b"HMS", 0);
            at += 1;
            continue;
        }
        let digits = bytes
            .iter()
            .skip(at)
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'.')
            .count();
        if digits == 0 || *byte == b'.' {
            return wrong(at, "a number");
        }
        at += digits;
        match bytes.get(at) {
            Some(b'Y' | b'M') if !in_time => {
                return wrong(at, "'W' or 'D': years and months have no fixed length");
            }
            Some(unit) => match units.iter().position(|one| one == unit) {
                Some(place) => units = units.get(place + 1..).unwrap_or_default(),
                None if in_time => return wrong(at, "'H', 'M' or 'S', in this order"),
                None => return wrong(at, "'W' or 'D', or 'T' before hours"),
            },
            None => return wrong(at, "a unit after the number"),
        }
        at += 1;
        count += 1;
    }
    if count == 0 {
        return wrong(at, "a number");
    }
    Ok(())
}

impl JsonSchema for IsoDuration {
    fn schema_name() -> Cow<'static, str> {
        "IsoDuration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A span of time by ISO 8601, without years and months: PT24H.",
            "type": "string",
            "pattern": "^P(?=[0-9T])([0-9.]+W)?([0-9.]+D)?(T(?=[0-9])([0-9.]+H)?([0-9.]+M)?([0-9.]+S)?)?$",
            "maxLength": LONGEST,
        })
    }
}

impl Field<'_> {
    /// Reads a duration.
    pub(crate) fn duration(&self, out: &mut Complaints) -> Option<IsoDuration> {
        let text = self.text(out)?;
        match IsoDuration::parse(&text) {
            Ok(duration) => Some(duration),
            Err(wrong) => {
                let length = text
                    .get(wrong.at..)
                    .and_then(|rest| rest.chars().next())
                    .map_or(0, char::len_utf8);
                let span = self.part(wrong.at, wrong.at + length);
                let what = format!(
                    "{}: {wrong}, got {}",
                    self.path,
                    crate::doc::fields::came(self.node)
                );
                out.push(
                    VALUE
                        .error(span, what)
                        .hint("write it by ISO 8601: PT24H, P7D, PT30M"),
                );
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_read_or_the_place_is_named() {
        let check = |text: &str, want: Result<u64, usize>| {
            let came = IsoDuration::parse(text);
            let came = came.map(|one| one.duration().as_secs()).map_err(|wrong| wrong.at);
            assert_eq!(came, want, "{text}");
        };
        check("PT24H", Ok(86_400));
        check("P1DT12H", Ok(129_600));
        check("P2W", Ok(1_209_600));
        check("PT1H30M5S", Ok(5_405));
        check("PT0.5H", Ok(1_800));
        check("PTbanana", Err(2));
        check("24h", Err(0));
        check("-PT1H", Err(0));
        check("P-1D", Err(1));
        check("PT", Err(2));
        check("P", Err(1));
        check("PT1", Err(3));
        check("PT1M1H", Err(5));
        check("P1M", Err(2));
        check("P1Y", Err(2));
        check("PT1Hx", Err(4));
        check("PT1H T", Err(4));
        check("PT0S", Err(0));
        check("", Err(0));
        check("P99999999999999999W", Err(0));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused_at_a_place(text in "[PTHMSDWY0-9.bö-]{0,20}") {
            if let Err(wrong) = IsoDuration::parse(&text) {
                prop_assert!(text.is_char_boundary(wrong.at));
            }
        }
    }
}
