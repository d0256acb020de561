//! The text of a host, from whoever wrote it: a name, an address, or neither.
//!
//! Programs read `0x7f.1`, `127.1` and `2130706433` as addresses, and browsers turn other letters and
//! percent signs into something else before they look a name up. None of these is a name here, so
//! nothing can be one thing to us and another to a resolver.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The longest name that DNS can carry, in characters.
const MAX_NAME_CHARS: usize = 253;

/// The longest label.
const MAX_LABEL_CHARS: usize = 63;

/// Who is to be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TargetHost {
    /// A name: lower case, without a trailing dot.
    Name(String),
    /// An address, written out.
    Address(IpAddr),
}

impl fmt::Display for TargetHost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => out.write_str(name),
            Self::Address(address) => address.fmt(out),
        }
    }
}

impl TargetHost {
    /// Reads a host as it stands in a URL: IPv6 in brackets.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(inside) = text.strip_prefix('[') {
            let v6: Ipv6Addr = inside.strip_suffix(']')?.parse().ok()?;
            return Some(Self::Address(IpAddr::V6(v6)));
        }
        if let Ok(v4) = text.parse::<Ipv4Addr>() {
            return Some(Self::Address(IpAddr::V4(v4)));
        }
        let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
        is_name(&name).then_some(Self::Name(name))
    }

    /// Returns whether this is `name`, which is in lower case and without a trailing dot.
    pub(super) fn is(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Address(_) => false,
        }
    }
}

/// Reads `host:port`. Without a port it is `default`; without that it is refused.
pub(super) fn authority(text: &str, default: Option<u16>) -> Option<(TargetHost, u16)> {
    let bracketed = text.ends_with(']');
    let (host, port) = match text.rsplit_once(':') {
        Some((host, digits)) if !bracketed => (host, port(digits)?),
        Some(_) | None => (text, default?),
    };
    Some((TargetHost::parse(host)?, port))
}

fn port(digits: &str) -> Option<u16> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|port| plain && *port != 0)
}

fn is_name(name: &str) -> bool {
    let label = |label: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        (1..=MAX_LABEL_CHARS).contains(&label.len()) && label.bytes().all(fits)
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    name.len() <= MAX_NAME_CHARS && name.split('.').all(label) && !is_number(last)
}

/// Returns whether a resolver could take a last label for a part of an address.
fn is_number(label: &str) -> bool {
    match label.strip_prefix("0x") {
        Some(hex) => hex.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, default: Option<u16>, expected: Option<&str>) {
        let found = authority(text, default).map(|(host, port)| match host {
            TargetHost::Name(name) => format!("{name} {port}"),
            TargetHost::Address(address) => format!("<{address}> {port}"),
        });
        assert_eq!(found.as_deref(), expected, "for {text:?}");
    }

    #[test]
    fn names_and_addresses_are_told_apart() {
        check("Example.COM.:443", None, Some("example.com 443"));
        check("example.com", Some(80), Some("example.com 80"));
        check("a_b.x-1", Some(80), Some("a_b.x-1 80"));
        check("127.0.0.1:80", None, Some("<127.0.0.1> 80"));
        check("[::1]:80", None, Some("<::1> 80"));
        check("[::ffff:127.0.0.1]", Some(80), Some("<::ffff:127.0.0.1> 80"));
        check("0xzz:1", None, Some("0xzz 1"));
    }

    #[test]
    fn what_others_read_differently_is_no_host() {
        for text in [
            "",
            ":80",
            "example.com", // no port and no default
            "example.com:",
            "example.com:0",
            "example.com:65536",
            "example.com:+80",
            "example.com:-1",
            "example.com:80:80",
            "::1:80",
            "[::1",
            "[::1]x:80",
            "[example.com]:80",
            "[127.0.0.1]:80",
            "127.1:80",
            "2130706433:80",
            "0x7f.1:80",
            "0x7f000001:80",
            "0x:80",
            "0177.0.0.1:80",
            "1.2.3.4.5:80",
            "127.0.0.1.:80",
            "a..b:80",
            ".a:80",
            "a..:80",
            ".:80",
            "user@example.com:80",
            "example.com/x:80",
            "example.com\\.evil.test:80",
            "ex%61mple.com:80",
            "exámple.com:80",
            "example.com :80",
            "example.com\0.evil.test:80",
            "example.com#:80",
            "example。com:80",
        ] {
            check(text, None, None);
        }
        check(&format!("{}.test:1", "a".repeat(64)), None, None);
        check(&format!("{}test:1", "a.".repeat(125)), None, None);
    }
}
