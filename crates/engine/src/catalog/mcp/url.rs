//! The address of a server: http or https, a host, nothing that is a secret in disguise. Shown without its path.

use ureq::http::Uri;

use super::error::Problem;

/// The longest address.
const LONGEST: usize = 2_048;

/// An address that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) uri: Uri,
    /// Scheme, host and port: all that is shown of it.
    pub(super) origin: String,
}

impl Address {
    /// Reads an address.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        // Not even a wrong address is shown: it may hold a key.
        let refuse = |reason| Problem::Configuration {
            field: "url",
            given: None,
            reason,
        };
        if text.len() > LONGEST {
            return Err(refuse("it is longer than 2048 bytes"));
        }
        if text.contains('#') {
            return Err(refuse("it has a fragment, which no server would see"));
        }
        let uri: Uri = text.parse().map_err(|_| refuse("it is no address"))?;
        let Some(scheme @ ("http" | "https")) = uri.scheme_str() else {
            return Err(refuse("it begins with neither http:// nor https://"));
        };
        let authority = uri
            .authority()
            .map(|authority| authority.as_str())
            .unwrap_or_default();
        if authority.contains('@') {
            return Err(refuse("it holds a user or a password; put them into a header"));
        }
        let host = uri.host().unwrap_or_default();
        if host.is_empty() {
            return Err(refuse("it has no host"));
        }
        let origin = format!("{scheme}://{authority}");
        Ok(Self { uri, origin })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_checked_and_shown_without_their_path() {
        let check = |text: &str, want: Result<&str, &str>| match (Address::parse(text), want) {
            (Ok(address), Ok(origin)) => assert_eq!(address.origin, origin, "{text}"),
            (
                Err(Problem::Configuration {
                    reason, given: None, ..
                }),
                Err(part),
            ) => {
                assert!(reason.contains(part), "{text}: {reason}");
            }
            (came, want) => panic!("{text}: {came:?}, not {want:?}"),
        };
        check("https://mcp.example/v1?key=k3y", Ok("https://mcp.example"));
        check("http://127.0.0.1:8080/mcp", Ok("http://127.0.0.1:8080"));
        check("http://[::1]:80/", Ok("http://[::1]:80"));
        check("HTTPS://mcp.example", Ok("https://mcp.example"));
        check("ftp://mcp.example/", Err("neither"));
        check("file:///srv/x", Err("no address"));
        check("mcp.example", Err("neither"));
        check("/mcp", Err("neither"));
        check("https://me:pass@mcp.example/", Err("password"));
        check("https://me@mcp.example/", Err("password"));
        check("https://mcp.example/#x", Err("fragment"));
        check("https://", Err("no address"));
        check("https://mcp.example/a b", Err("no address"));
        check("https://mcp.example/\r\nX: y", Err("no address"));
        check("", Err("no address"));
        check(&format!("https://x.example/{}", "a".repeat(2_048)), Err("longer"));
    }

    proptest! {
        #[test]
        fn any_text_is_an_address_or_none(text in "(https?|ftp)?(://)?[a-z@:/.#?\\[\\] é]{0,20}") {
            if let Ok(address) = Address::parse(&text) {
                prop_assert!(address.origin.starts_with("http") && !address.origin.contains('@'));
            }
        }
    }
}
