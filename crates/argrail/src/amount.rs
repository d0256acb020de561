//! Amounts as people type them: times, sizes, names with addresses.

use std::net::IpAddr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Reads a time: `500ms`, `30s`, `1m30s`, `PT5M`, or a number of seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let example = || "write a time like 500ms, 30s or 5m".to_owned();
    let read = match text.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => text
            .parse::<jiff::SignedDuration>()
            .ok()
            .and_then(|duration| Duration::try_from(duration).ok())
            .ok_or_else(example)?,
    };
    if read.is_zero() { Err(example()) } else { Ok(read) }
}

/// Reads how long to wait: a time, or `0` for not at all.
pub(crate) fn wait(text: &str) -> Result<Duration, String> {
    match text {
        "0" | "0s" => Ok(Duration::ZERO),
        time => duration(time),
    }
}

/// Reads a moment: so long ago (`30m`, `7d`), a day (`2026-01-31`, UTC), or a time.
pub(crate) fn since(text: &str) -> Result<Timestamp, String> {
    const DAY: u64 = 24 * 60 * 60;
    let days = text.strip_suffix('d').and_then(|days| days.parse::<u64>().ok());
    let ago = match days {
        Some(days) => days.checked_mul(DAY).map(Duration::from_secs),
        None => duration(text).ok(),
    };
    if let Some(ago) = ago {
        return Timestamp::now()
            .checked_sub(ago)
            .map_err(|_| format!("{text} is too long ago"));
    }
    let day = text
        .parse::<Date>()
        .ok()
        .and_then(|day| day.to_zoned(TimeZone::UTC).ok());
    day.map(|day| day.timestamp())
        .filter(|_| !text.contains('T'))
        .or_else(|| text.parse().ok())
        .ok_or_else(|| "write how long ago (30m, 7d) or when (2026-01-31, 2026-01-31T12:00:00Z)".to_owned())
}

/// Reads a size in bytes: `65536`, `64K`, `16M`, `1G`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (text.get(..at), 1 << 10),
        Some((at, 'M' | 'm')) => (text.get(..at), 1 << 20),
        Some((at, 'G' | 'g')) => (text.get(..at), 1 << 30),
        _ => (Some(text), 1),
    };
    number
        .and_then(|number| number.parse::<u64>().ok())
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "write a number of bytes like 65536, 64K or 16M".to_owned())
}

/// Reads `NAME=ADDR`.
pub(crate) fn name_and_address(text: &str) -> Result<(String, IpAddr), String> {
    let example = "write a name and an address, like api.example.com=127.0.0.1";
    let (name, address) = text.split_once('=').ok_or(example)?;
    let address = address.parse().map_err(|_| example)?;
    if name.is_empty() {
        Err(example.to_owned())
    } else {
        Ok((name.to_ascii_lowercase(), address))
    }
}

/// Reads a name with a value: `K=V`.
pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err("write a name and a value like name=value".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        let check = |text: &str, millis: Option<u64>| {
            assert_eq!(duration(text).ok(), millis.map(Duration::from_millis), "{text}");
        };
        check("500ms", Some(500));
        check("30s", Some(30_000));
        check("1m30s", Some(90_000));
        check("PT5M", Some(300_000));
        check("7", Some(7_000));
        check("0", None);
        assert_eq!(wait("0"), Ok(Duration::ZERO));
        assert_eq!(wait("2s"), Ok(Duration::from_secs(2)));
        assert!(wait("-1").is_err());
        check("-3s", None);
        check("soon", None);
        check("", None);
    }

    #[test]
    fn moments_are_read_as_people_write_them() {
        let ago = |text: &str| {
            let then = since(text).unwrap();
            Timestamp::now().duration_since(then).as_secs()
        };
        for (text, seconds) in [("30m", 1800), ("7d", 7 * 86_400), ("90", 90)] {
            assert!((seconds..seconds + 60).contains(&ago(text)), "{text}");
        }
        let at = |text: &str| since(text).unwrap().to_string();
        assert_eq!(at("2026-01-31"), "2026-01-31T00:00:00Z");
        assert_eq!(at("2026-01-31T12:00:00Z"), "2026-01-31T12:00:00Z");
        assert_eq!(at("2026-01-31T12:00:00+02:00"), "2026-01-31T10:00:00Z");
        for text in ["", "soon", "99999999999999d", "2026-13-01", "2026-01-31T12:00:00"] {
            assert!(since(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let check = |text: &str, size: Option<u64>| assert_eq!(bytes(text).ok(), size, "{text}");
        check("0", Some(0));
        check("65536", Some(65_536));
        check("64K", Some(65_536));
        check("16m", Some(16 << 20));
        check("1G", Some(1 << 30));
        check("K", None);
        check("-1", None);
        check("99999999999999G", None);
        check("", None);
    }

    #[test]
    fn names_need_addresses() {
        assert_eq!(
            name_and_address("API.test=127.0.0.1").unwrap(),
            ("api.test".to_owned(), IpAddr::from([127, 0, 0, 1]))
        );
        for text in ["", "=", "a", "a=", "=1.2.3.4", "a=b"] {
            assert!(name_and_address(text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_have_names() {
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(name_and_value("a=b=c"), pair("a", "b=c"));
        assert_eq!(name_and_value("a="), pair("a", ""));
        assert!(name_and_value("=b").is_err() && name_and_value("a").is_err());
    }
}
