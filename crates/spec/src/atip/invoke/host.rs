//! The host that a word of the command line names: of a URL, of `user@host:port/path`, or alone.
//!
//! Programs read odd URLs differently, and a host that is read wrongly would be allowed wrongly. What is not plain is
//! therefore no host: other characters than those of host names, a second `@`, numbers that some programs take for an
//! address.

use std::net::{Ipv4Addr, Ipv6Addr};

/// The longest name that a host can have.
const LONGEST: usize = 253;

/// Returns the host in small letters, or nothing where it cannot be told for sure.
pub fn host(word: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_graphic() && c != '\\';
    if !word.chars().all(is_plain) {
        return None;
    }
    let rest = match word.split_once("://") {
        Some((scheme, rest)) => is_scheme(scheme).then_some(rest)?,
        None => word,
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = match authority.split_once('@') {
        Some((_, place)) if place.contains('@') => return None,
        Some((_, place)) => place,
        None => authority,
    };
    if let Some(inner) = place.strip_prefix('[') {
        let (address, after) = inner.split_once(']')?;
        let is_port = after.is_empty() || after.starts_with(':');
        return address
            .parse::<Ipv6Addr>()
            .ok()
            .filter(|_| is_port)
            .map(|address| address.to_string());
    }
    let name = place.split(':').next().unwrap_or_default();
    let name = name.strip_suffix('.').unwrap_or(name);
    is_name(name).then(|| name.to_ascii_lowercase())
}

fn is_scheme(scheme: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(plain)
}

fn is_name(name: &str) -> bool {
    let is_label = |label: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        !label.is_empty() && label.len() <= 63 && !label.starts_with('-') && label.chars().all(plain)
    };
    let last = name.rsplit('.').next().unwrap_or_default();
    // `127.1`, `0x7f000001` and `2130706433` are addresses to some programs.
    let is_number = last.starts_with(|c: char| c.is_ascii_digit());
    name.len() <= LONGEST && name.split('.').all(is_label) && (!is_number || name.parse::<Ipv4Addr>().is_ok())
}

/// Reads a pattern of hosts that a person wrote: `api.example.org`, `*.example.org`, `*`, or a place at a shared service
/// such as `s3://bucket`. It is returned in small letters.
///
/// Nothing is returned for what is none: a URL of a host, an address range, a `*` in the middle.
pub fn host_pattern(text: &str) -> Option<String> {
    if let Some((service, name)) = text.split_once("://") {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '@');
        let is_service = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let is_web = matches!(service.to_ascii_lowercase().as_str(), "http" | "https");
        let fits = !service.is_empty() && service.chars().all(is_service) && !is_web;
        let fits = fits && !name.is_empty() && name.chars().all(plain);
        return fits.then(|| text.to_ascii_lowercase());
    }
    let name = text.strip_prefix("*.").unwrap_or(text);
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_name = !name.is_empty() && name.chars().all(simple) && !name.starts_with('.');
    (text == "*" || is_name).then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_host_is_read_only_where_it_is_plain() {
        let check = |word: &str, want: Option<&str>| assert_eq!(host(word).as_deref(), want, "{word}");
        check("https://Example.org:8443/x?y=@z", Some("example.org"));
        check("example.org", Some("example.org"));
        check("example.org:80", Some("example.org"));
        check("example.org/x@y", Some("example.org"));
        check("user@db.example.org:5432/name", Some("db.example.org"));
        check("postgres://me:secret@db.example.org/name", Some("db.example.org"));
        check("git@example.org:group/repo.git", Some("example.org"));
        check("[::1]", Some("::1"));
        check("http://[2001:DB8::1]:80/", Some("2001:db8::1"));
        check("192.0.2.7", Some("192.0.2.7"));
        check("example.org.", Some("example.org"));
        check("localhost", Some("localhost"));
        for odd in [
            "",
            "https://",
            "file:///etc/passwd",
            "./x",
            "../x",
            "/srv/x",
            "https://good.example@evil.example@other.example/",
            "https://evil.example\\@good.example/",
            "https://good.example\u{ff0e}evil.example/",
            "http://{a,b}.example",
            "http://[1-5].example",
            "*.example.org",
            "*",
            "127.1",
            "0x7f000001",
            "2130706433",
            "1.2.3.999",
            "-oProxyCommand=x",
            "a b",
            "a\nb",
            "a..b",
            "http:/x",
            "%65xample.org",
            "1ttp://example.org",
            "[::1]x",
            "[example.org]",
        ] {
            if odd == "http:/x" {
                // Without the slashes it is a host and a port to most, and no port is a path.
                check(odd, Some("http"));
            } else {
                check(odd, None);
            }
        }
    }

    #[test]
    fn patterns_are_told_from_everything_else() {
        let check =
            |text: &str, want: Option<&str>| assert_eq!(host_pattern(text).as_deref(), want, "{text}");
        check("API.example.org", Some("api.example.org"));
        check("*.example.org", Some("*.example.org"));
        check("*", Some("*"));
        check("S3://Bucket", Some("s3://bucket"));
        check("https://example.org", None);
        check("s3://", None);
        check("://x", None);
        check("a*.example.org", None);
        check("", None);
        check(".example.org", None);
    }

    proptest! {
        #[test]
        fn a_host_is_no_pattern_and_stands_in_the_word(word in "[a-z0-9.:/@*?#%\\[\\]\\\\ -]{0,40}") {
            if let Some(host) = host(&word) {
                prop_assert!(!host.is_empty() && !host.contains(['*', '/', '@', ' ', '%']));
                prop_assert!(word.to_ascii_lowercase().contains(&host) || host.contains(':'));
            }
        }
    }
}
