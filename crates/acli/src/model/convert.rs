//! One word into one typed value (ACLI §7.2).

use serde_json::Value;

use crate::model::{DateTime, Kind, Typed};

/// Returns the value, or `None` when the text is not of that type. Paths are handled by `path`.
pub(crate) fn convert(kind: &Kind, text: &str) -> Option<Typed> {
    match kind {
        Kind::String | Kind::File | Kind::Directory => Some(Typed::Text(text.to_owned())),
        Kind::Integer => text.parse().ok().map(Typed::Integer),
        Kind::Number => number(text).map(Typed::Number),
        Kind::Boolean | Kind::Flag => truth(text).map(Typed::Boolean),
        Kind::DateTime => date_time(text).map(Typed::DateTime),
        Kind::Enum(values) => values
            .iter()
            .any(|value| value == text)
            .then(|| Typed::Text(text.to_owned())),
        Kind::Url => is_url(text).then(|| Typed::Text(text.to_owned())),
        Kind::Json => serde_json::from_str(text).ok().map(Typed::Json),
        Kind::Array(item) => {
            let items = split_list(text).map(|part| convert(item, part));
            items.collect::<Option<Vec<_>>>().map(Typed::List)
        }
    }
}

/// Whether a value that a definition gives as JSON is of that type.
pub(crate) fn fits(kind: &Kind, value: &Value) -> bool {
    let one = |kind: &Kind, value: &Value| match value {
        Value::String(text) => convert(kind, text).is_some(),
        other => convert(kind, &other.to_string()).is_some(),
    };
    match (kind, value) {
        (Kind::Json, _) => true,
        (Kind::Array(item), Value::Array(values)) => values.iter().all(|value| one(item, value)),
        (kind, Value::Array(values)) => values.iter().all(|value| one(kind, value)),
        (kind, value) => one(kind, value),
    }
}

/// The parts of a comma-separated list; an empty text is an empty list.
pub(crate) fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(move |_| !text.is_empty())
}

fn truth(text: &str) -> Option<bool> {
    match text {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Rust also reads `inf` and `nan`, which are no numbers of JSON.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A calendar date, or one with `T` and a time, with or without an offset.
///
/// jiff is more lenient than ISO 8601 in its separator and knows annotations of its own; both are refused.
fn date_time(text: &str) -> Option<DateTime> {
    let strict =
        text.len() >= "2026-02-02".len() && text.chars().all(|c| c.is_ascii_digit() || "-+:.,TZ".contains(c));
    if !strict {
        return None;
    }
    let instant = text.parse::<jiff::Timestamp>().ok();
    let civil = match text.strip_suffix('Z') {
        // `civil::DateTime` refuses a `Z`, since it has no offset to put it in.
        Some(local) => local.parse().ok().filter(|_| instant.is_some())?,
        None => text.parse::<jiff::civil::DateTime>().ok()?,
    };
    Some(DateTime {
        text: text.to_owned(),
        civil,
        instant,
    })
}

/// An absolute URL: a scheme, and a host wherever the scheme is one that has one.
fn is_url(text: &str) -> bool {
    let Ok(uri) = fluent_uri::Uri::parse(text) else {
        return false;
    };
    match uri.authority() {
        Some(authority) => !authority.host().is_empty() || uri.scheme().as_str() == "file",
        None => !matches!(
            uri.scheme().as_str(),
            "http" | "https" | "ws" | "wss" | "ftp" | "ssh"
        ),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_type_takes_its_own_and_no_other() {
        let check = |kind: Kind, good: &[&str], bad: &[&str]| {
            for text in good {
                assert!(convert(&kind, text).is_some(), "{kind:?} should take {text:?}");
            }
            for text in bad {
                assert!(convert(&kind, text).is_none(), "{kind:?} should refuse {text:?}");
            }
        };
        check(
            Kind::Integer,
            &["0", "-5", "10"],
            &["", "1.0", "ten", "1e3", "99999999999999999999", " 1"],
        );
        check(
            Kind::Number,
            &["3.14", "-0.5", "1e3", "7"],
            &["", "inf", "NaN", "1,5"],
        );
        check(Kind::Boolean, &["true", "false"], &["yes", "1", "TRUE", ""]);
        check(Kind::one_of(["a", "b"]), &["a"], &["c", "A", ""]);
        check(
            Kind::Url,
            &["https://example.com/x?y=1", "mailto:a@b.c", "file:///x"],
            &["example.com", "https://", "http:x", "a b", ""],
        );
        check(Kind::Json, &["1", "{\"a\":[]}"], &["{", "", "{'a':1}"]);
        check(
            Kind::Array(Box::new(Kind::Integer)),
            &["", "1,2", "-1"],
            &["1,", "1,x"],
        );
    }

    #[test]
    fn dates_are_strict_iso_8601() {
        for text in [
            "2026-02-02",
            "2026-02-02T10:00:00Z",
            "2026-02-02T10:00",
            "2026-02-02T10:00:00+02:00",
            "2026-02-02T10:00:00.123-05:30",
            "2024-02-29",
        ] {
            assert!(date_time(text).is_some(), "{text}");
        }
        for text in [
            "1",
            "",
            "yesterday",
            "2026-02-30",
            "2023-02-29",
            "2026-13-01",
            "2026-2-2",
            "2026-02-02 10:00:00",
            "2026-02-02T25:00:00Z",
            "2026-02-02T10:00:00[Europe/Berlin]",
            "2026-02-02t10:00:00z",
            "10:00:00",
            "2026-02-02T10:00:00+99:00",
            "2026-02-02Z",
            "2026-02-02T",
            "2026-02-02T10:00:00ZZ",
        ] {
            assert!(date_time(text).is_none(), "{text}");
        }
        let noon = date_time("2026-02-02T12:00:00+02:00").unwrap();
        assert_eq!(noon.instant().unwrap().to_string(), "2026-02-02T10:00:00Z");
        assert_eq!(noon.civil().hour(), 12);
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<String>()) {
            for kind in [Kind::DateTime, Kind::Url, Kind::Json, Kind::Integer, Kind::Number, Kind::array()] {
                let _ = convert(&kind, &text);
            }
        }
    }
}
