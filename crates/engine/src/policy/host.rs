//! Names of hosts, and of places at shared services, as rules and grants write them: `api.example.org`, `*.example.org`,
//! `s3://bucket`, and `*` for all.

use std::net::IpAddr;

/// Whether one of these patterns stands for the name.
pub(super) fn any_covers(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| covers(pattern, name))
}

/// Whether a pattern stands for the name. `*.a.b` stands for what is below `a.b`, not for `a.b` itself.
pub(super) fn covers(pattern: &str, name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    match pattern.strip_prefix('*') {
        Some("") => true,
        Some(below) => below.starts_with('.') && name.len() > below.len() && name.ends_with(below),
        None => *pattern == name,
    }
}

/// Whether a name always means this machine. It is reached only where the configuration allows that.
pub(super) fn is_loopback(name: &str) -> bool {
    let address = name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    address || name == "localhost" || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_names_and_nothing_beside_them() {
        let check = |pattern: &str, name: &str, want: bool| {
            assert_eq!(covers(pattern, name), want, "{pattern} {name}");
        };
        check("a.test", "A.test", true);
        check("a.test", "b.a.test", false);
        check("*.a.test", "b.a.test", true);
        check("*.a.test", "a.test", false);
        check("*.a.test", "xa.test", false);
        check("*", "s3://x", true);
        check("s3://x", "s3://x", true);
        check("s3://x", "s3://xy", false);
        check("*a.test", "ba.test", false);
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        for name in ["localhost", "app.localhost", "127.0.0.1", "127.9.9.9", "::1"] {
            assert!(is_loopback(name), "{name}");
        }
        for name in ["localhost.example", "10.0.0.1", "0.0.0.0", "s3://localhost"] {
            assert!(!is_loopback(name), "{name}");
        }
    }
}
