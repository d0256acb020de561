//! Names of hosts that may be reached.
//!
//! A pattern is one name, or `*.` and a name for all that is strictly below it. Addresses are never names:
//! what a program would read as one, in any of the forms that resolvers know, is refused.
//!
//! A host's own code may also grant the endpoints of a service, where `?` is exactly one label: `ec2.?.example.org` is
//! that service in every region, and nothing that a customer of it can call their own.

use crate::refusal::{Refusal, refuse};

/// Characters in a name, and in one of its labels (RFC 1035 §2.3.4).
const MAX_NAME_CHARS: usize = 253;
const MAX_LABEL_CHARS: usize = 63;

/// All names: the one pattern that is not read from text.
const ALL_NAMES: &str = "*";
/// Any one label, in the patterns of services.
const ANY_LABEL: &str = "?";

/// One host, all hosts below one, or all. Lower case, ASCII.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostPattern(String);

impl HostPattern {
    /// Reads a pattern. `field` is where it stands, for the refusal.
    ///
    /// # Errors
    /// The text is no host name: an address, a range, a port or a URL, or `*` anywhere but in front of a name
    /// of two labels or more.
    pub fn parse(field: &str, text: &str) -> Result<Self, Refusal> {
        let name = text.strip_prefix("*.").unwrap_or(text);
        match check(name).and_then(|()| check_wildcard(text, name)) {
            Ok(()) => Ok(Self(text.to_ascii_lowercase())),
            Err((reason, fix)) => Err(refuse(field, text, reason, fix)),
        }
    }

    /// Reads a pattern as [`parse`](Self::parse) does, with `?` for any one label besides. The last two labels are
    /// written out.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_service(field: &str, text: &str) -> Result<Self, Refusal> {
        let count = text.split('.').count();
        let labels = text.split('.').enumerate();
        let plain: Vec<&str> = labels
            .map(|(at, label)| match label {
                ANY_LABEL if at + 2 < count => "any",
                label => label,
            })
            .collect();
        Self::parse(field, &plain.join("."))
            .map(|_| Self(text.to_ascii_lowercase()))
            .map_err(|refusal| Refusal::new(field, text, refusal.reason, refusal.fix))
    }

    /// Returns the pattern of every host of the open internet. No text can be read as it: only the host's own code
    /// grants it, for a call that somebody agreed to. Addresses are judged as for any other name.
    pub fn public() -> Self {
        Self(ALL_NAMES.to_owned())
    }

    /// Whether this is the pattern of every host.
    pub fn is_public(&self) -> bool {
        self.0 == ALL_NAMES
    }

    /// Whether `host` may be reached. Case does not count, nor does one dot at the end; what is no name may
    /// not.
    pub fn matches(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        check(host).is_ok() && self.covers(&host.to_ascii_lowercase())
    }

    /// Whether all hosts of this pattern are hosts of `other`.
    pub fn is_within(&self, other: &Self) -> bool {
        // What is below `*.a.b` is below `a.b`; and `*` is no label, so no exact pattern covers a wildcard.
        self == other || other.covers(self.0.strip_prefix('*').unwrap_or(&self.0))
    }

    /// Returns the pattern in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a name in lower case is this one, or below it. A wildcard covers `.a.b` if it covers `x.a.b`; that of
    /// all names covers what is not empty.
    fn covers(&self, name: &str) -> bool {
        if self.0.contains(ANY_LABEL) {
            return self.covers_labels(name);
        }
        match self.0.strip_prefix('*') {
            Some(dotted) => name.len() > dotted.len() && name.ends_with(dotted),
            None => name == self.0,
        }
    }

    fn covers_labels(&self, name: &str) -> bool {
        let mut labels = name.rsplit('.');
        let mut wanted = self.0.rsplit('.').peekable();
        while let Some(pattern) = wanted.next() {
            let Some(label) = labels.next() else { return false };
            let is_first = wanted.peek().is_none();
            match pattern {
                "*" if is_first => return true,
                // A wildcard that is held against this one has no label here, and stands for many.
                ANY_LABEL if !label.is_empty() => {}
                pattern if pattern == label => {}
                _ => return false,
            }
        }
        labels.next().is_none()
    }
}

/// Why, and what to do about it.
type HostFault = (&'static str, &'static str);

fn check_wildcard(text: &str, name: &str) -> Result<(), HostFault> {
    if text != name && !name.contains('.') {
        return Err((
            "a wildcard over a whole top-level domain covers hosts of everybody",
            "name a domain of two labels or more: '*.example.org'",
        ));
    }
    Ok(())
}

fn check(name: &str) -> Result<(), HostFault> {
    if name.is_empty() {
        return Err(("the name is empty", "write a host name"));
    }
    if !name.is_ascii() {
        return Err((
            "the name is not ASCII, and one look has many spellings",
            "write the name in its ASCII form, which starts with 'xn--'",
        ));
    }
    if name.contains('*') {
        return Err((
            "'*' may only stand for all labels in front of a name",
            "write '*.example.org' for what is below example.org, and example.org itself as another entry",
        ));
    }
    if name.contains("://") {
        return Err((
            "this is a URL, not a host",
            "leave out the scheme, the port and the path",
        ));
    }
    if name.starts_with('[') || name.matches(':').count() > 1 {
        return Err(ADDRESS_FAULT);
    }
    if name.contains(':') {
        return Err(("ports cannot be told apart here", "leave out the port"));
    }
    if name.contains('/') {
        return Err((
            "ranges of addresses and paths are not host names",
            "name each host",
        ));
    }
    if name.len() > MAX_NAME_CHARS {
        return Err(("the name is longer than 253 characters", "write a shorter name"));
    }
    if name.split('.').any(str::is_empty) {
        return Err((
            "a label of the name is empty",
            "write one dot between labels and none at the ends",
        ));
    }
    for label in name.split('.') {
        check_label(label)?;
    }
    if name.rsplit('.').next().is_some_and(is_number) {
        return Err(ADDRESS_FAULT);
    }
    Ok(())
}

const ADDRESS_FAULT: HostFault = (
    "addresses are not accepted: who answers at one can change, and no name can be checked",
    "name the host",
);

fn check_label(label: &str) -> Result<(), HostFault> {
    if label.len() > MAX_LABEL_CHARS {
        return Err((
            "a label of the name is longer than 63 characters",
            "write a shorter name",
        ));
    }
    if !label
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    {
        return Err((
            "the name holds a character that no host name has",
            "use letters, digits, '-', '_' and '.'",
        ));
    }
    if label.starts_with('-') || label.ends_with('-') {
        return Err((
            "a label starts or ends with a hyphen",
            "write the name without it",
        ));
    }
    Ok(())
}

/// Whether resolvers read a name that ends in this label as an address: `1`, `0177`, `0x7f`.
fn is_number(label: &str) -> bool {
    let hex = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
    match hex {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> HostPattern {
        HostPattern::parse("network.egress[0]", text).unwrap()
    }

    #[test]
    fn endpoints_of_a_service_have_any_region_and_nothing_more() {
        let check = |pattern: &str, host: &str, want: bool| {
            let pattern = HostPattern::parse_service("x", pattern).unwrap();
            assert_eq!(pattern.matches(host), want, "{pattern:?} {host}");
        };
        check("ec2.?.example.org", "EC2.eu-1.example.org", true);
        check("ec2.?.example.org", "ec2.example.org", false);
        check("ec2.?.example.org", "ec2.a.b.example.org", false);
        check("ec2.?.example.org", "evil.ec2.a.example.org", false);
        check("ec2.?.example.org", "evil.a.example.org", false);
        check("?.example.org", "a.example.org", true);
        check("?.example.org", "b.a.example.org", false);
        check("?.example.org", "example.org", false);
        check("*.s3.?.example.org", "a.b.s3.eu.example.org", true);
        check("plain.example.org", "plain.example.org", true);
        for odd in [
            "?.org",
            "a.?.org",
            "a.b.?",
            "?",
            "a?.example.org",
            "?.127.0.0.1",
            "*.?",
        ] {
            assert!(HostPattern::parse_service("x", odd).is_err(), "{odd}");
        }
        let service = |text: &str| HostPattern::parse_service("x", text).unwrap();
        assert!(service("ec2.eu.example.org").is_within(&service("ec2.?.example.org")));
        assert!(service("ec2.?.example.org").is_within(&service("ec2.?.example.org")));
        assert!(service("ec2.?.example.org").is_within(&service("*.example.org")));
        assert!(!service("ec2.?.example.org").is_within(&service("ec2.eu.example.org")));
        assert!(!service("*.example.org").is_within(&service("?.example.org")));
        assert!(HostPattern::parse("x", "ec2.?.example.org").is_err());
    }

    #[test]
    fn names_are_told_from_everything_else() {
        fn check(text: &str, reason: Option<&str>) {
            let refusal = HostPattern::parse("network.egress[0]", text).err();
            assert_eq!(refusal.is_none(), reason.is_none(), "{text:?}: {refusal:?}");
            if let (Some(refusal), Some(reason)) = (refusal, reason) {
                assert!(refusal.reason.contains(reason), "{text:?}: {}", refusal.reason);
                assert!(!refusal.fix.is_empty() && refusal.field == "network.egress[0]");
            }
        }
        for text in [
            "localhost",
            "API.GitHub.com",
            "*.githubusercontent.com",
            "a_b.example",
            "xn--bcher-kva.example",
            "1.example",
            "0xyz.0xfg",
            "a.b0",
        ] {
            check(text, None);
        }
        check("", Some("empty"));
        check("*", Some("'*' may only"));
        check("*.", Some("empty"));
        check("*.com", Some("top-level"));
        check("*.*.example.org", Some("'*' may only"));
        check("api.*.com", Some("'*' may only"));
        check("*github.com", Some("'*' may only"));
        check("github.com.", Some("label of the name is empty"));
        check("a..b", Some("label of the name is empty"));
        check(".a.b", Some("label of the name is empty"));
        check("bücher.example", Some("not ASCII"));
        check("10.0.0.0/8", Some("ranges"));
        check("github.com/x", Some("ranges of addresses and paths"));
        check("github.com:443", Some("ports"));
        check("https://github.com", Some("URL"));
        for address in [
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "2130706433",
            "0x7f000001",
            "017700000001",
            "1.2.3.0X4",
            "a.0x",
            "::1",
            "[::1]",
            "*.0.1",
        ] {
            check(address, Some("addresses"));
        }
        check("a b.example", Some("character"));
        check("a@b.example", Some("character"));
        check("a\0.example", Some("character"));
        check("-a.example", Some("hyphen"));
        check("a-.example", Some("hyphen"));
        check(&format!("{}.example", "a".repeat(64)), Some("63"));
        check(&"a.".repeat(130), Some("253"));
    }

    #[test]
    fn hosts_match() {
        fn check(pattern: &str, given: &str, expected: bool) {
            assert_eq!(host(pattern).matches(given), expected, "{pattern} {given:?}");
        }
        check("github.com", "GITHUB.com.", true);
        check("GitHub.com", "github.com", true);
        check("github.com", "github.com..", false);
        check("github.com", "api.github.com", false);
        check("*.github.com", "api.github.com", true);
        check("*.github.com", "a.b.github.com", true);
        check("*.github.com", "github.com", false);
        check("*.github.com", ".github.com", false);
        check("*.github.com", "evilgithub.com", false);
        check("*.github.com", "github.com.evil.org", false);
        check("*.github.com", "evil.org/.github.com", false);
        check("*.github.com", "evil.org\0.github.com", false);
        check("*.github.com", "*.github.com", false);
        check("localhost", "127.0.0.1", false);
    }

    #[test]
    fn all_names_are_a_pattern_that_no_text_is() {
        let all = HostPattern::public();
        assert!(HostPattern::parse("network.egress[0]", all.as_str()).is_err());
        for (name, matches) in [
            ("api.github.com", true),
            ("localhost", true), // a name; its address is judged when it is dialled
            ("127.0.0.1", false),
            ("0x7f.1", false),
            ("[::1]", false),
            ("", false),
            (".", false),
        ] {
            assert_eq!(all.matches(name), matches, "{name:?}");
        }
        for inner in ["a.b", "*.a.b"] {
            assert!(host(inner).is_within(&all), "{inner}");
            assert!(!all.is_within(&host(inner)), "{inner}");
        }
        assert!(all.is_within(&all) && all.is_public() && !host("a.b").is_public());
    }

    #[test]
    fn patterns_are_compared() {
        fn check(inner: &str, outer: &str, expected: bool) {
            assert_eq!(
                host(inner).is_within(&host(outer)),
                expected,
                "{inner} in {outer}"
            );
        }
        check("a.b", "A.B", true);
        check("x.a.b", "*.a.b", true);
        check("a.b", "*.a.b", false);
        check("*.a.b", "*.a.b", true);
        check("*.x.a.b", "*.a.b", true);
        check("*.a.b", "*.x.a.b", false);
        check("*.a.b", "a.b", false);
        check("*.xa.b", "*.a.b", false);
    }
}
