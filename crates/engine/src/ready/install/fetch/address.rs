//! The address of a file: of the web, without a password, and with TLS unless a hash says what must come.

use std::net::IpAddr;

use ureq::http::Uri;

use super::error::FetchError;

/// The longest address.
const LONGEST: usize = 8192;

/// Whether something else than TLS says what the file must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ready::install) enum Promise {
    /// A hash does.
    Hash,
    /// Nothing does.
    Nothing,
}

/// An address that may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::ready::install) struct Address {
    pub(super) uri: Uri,
    /// In lower case, without brackets.
    pub(super) host: String,
    /// Scheme, host and port.
    pub(super) origin: String,
}

impl Address {
    /// Reads the address of a manifest.
    ///
    /// # Errors
    /// When it is none, or has neither TLS nor a hash. This machine needs neither.
    pub(in crate::ready::install) fn parse(text: &str, promise: Promise) -> Result<Self, FetchError> {
        let wrong = |problem| FetchError::Address {
            url: text.chars().take(200).collect(),
            problem,
        };
        let address = read(text).map_err(wrong)?;
        match promise {
            Promise::Nothing if !address.is_tls() && !address.is_this_machine() => {
                Err(wrong("it has no TLS, and no hash says what must come"))
            }
            Promise::Nothing | Promise::Hash => Ok(address),
        }
    }

    /// Returns where a redirect leads.
    ///
    /// # Errors
    /// When it is no address, or gives TLS up.
    pub(super) fn redirect(&self, location: &str) -> Result<Self, FetchError> {
        let scheme = self.uri.scheme_str().unwrap_or("https");
        let whole = match location {
            location if location.contains("://") => location.to_owned(),
            location if location.starts_with("//") => format!("{scheme}:{location}"),
            location if location.starts_with('/') => format!("{}{location}", self.origin),
            location => {
                let path = self.uri.path();
                let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
                format!("{}{folder}/{location}", self.origin)
            }
        };
        let whole = whole.split('#').next().unwrap_or_default();
        let wrong = |to: String, problem| FetchError::Redirect {
            from: self.origin.clone(),
            to,
            problem,
        };
        let next = read(whole).map_err(|problem| wrong("an address".to_owned(), problem))?;
        match self.is_tls() && !next.is_tls() {
            true => Err(wrong(next.origin, "it gives TLS up")),
            false => Ok(next),
        }
    }

    /// Whether it has TLS.
    pub(super) fn is_tls(&self) -> bool {
        self.uri.scheme_str() == Some("https")
    }

    /// Whether its host is an address, or this machine by name: then it says itself where it leads.
    pub(super) fn is_literal(&self) -> bool {
        self.host.parse::<IpAddr>().is_ok() || self.host == "localhost"
    }

    /// Whether its host is this machine, in so many words.
    fn is_this_machine(&self) -> bool {
        let address = self.host.parse::<IpAddr>();
        self.host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

fn read(text: &str) -> Result<Address, &'static str> {
    if text.len() > LONGEST {
        return Err("it is too long");
    }
    let uri: Uri = text.parse().map_err(|_| "it is no address")?;
    let Some(scheme @ ("http" | "https")) = uri.scheme_str() else {
        return Err("it begins with neither https:// nor http://");
    };
    let authority = uri
        .authority()
        .map(|authority| authority.as_str())
        .unwrap_or_default();
    if authority.contains('@') {
        return Err("it holds a user or a password");
    }
    let host = uri.host().unwrap_or_default();
    let host = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_ascii_lowercase();
    if host.is_empty() {
        return Err("it has no host");
    }
    let origin = format!("{scheme}://{authority}");
    Ok(Address { uri, host, origin })
}

/// Returns the host of an address in a setting, whatever else stands around it.
pub(in crate::ready::install) fn host_of(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("://")?;
    let authority = rest
        .split(['/', '?', '#', '"', '\'', '`', ' ', ',', '|', ')', '\\'])
        .next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.strip_prefix('[') {
        Some(_) => return None,
        None => host.split(':').next()?,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let fits = !host.is_empty() && host.len() <= 253 && host.chars().all(plain);
    fits.then(|| host.trim_end_matches('.').to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_have_tls_or_a_hash() {
        let check = |text: &str, promise, want: bool| {
            assert_eq!(Address::parse(text, promise).is_ok(), want, "{text}");
        };
        check("https://a.example/x", Promise::Nothing, true);
        check("http://a.example/x", Promise::Nothing, false);
        check("http://a.example/x", Promise::Hash, true);
        check("http://127.0.0.1:80/x", Promise::Nothing, true);
        check("http://[::1]/x", Promise::Nothing, true);
        check("http://localhost/x", Promise::Nothing, true);
        check("http://localhost.a.example/x", Promise::Nothing, false);
        check("http://10.0.0.1/x", Promise::Nothing, false);
        check("https://u:p@a.example/x", Promise::Hash, false);
        check("file:///x", Promise::Hash, false);
        check("ftp://a.example/x", Promise::Hash, false);
        check("x", Promise::Hash, false);
    }

    #[test]
    fn redirects_keep_tls() {
        let check = |from: &str, to: &str, want: Option<&str>| {
            let from = Address::parse(from, Promise::Hash).unwrap();
            let next = from.redirect(to).ok().map(|next| next.uri.to_string());
            assert_eq!(next.as_deref(), want, "{to}");
        };
        let start = "https://a.example/d/x";
        check(start, "https://b.example/y", Some("https://b.example/y"));
        check(start, "/y", Some("https://a.example/y"));
        check(start, "y#z", Some("https://a.example/d/y"));
        check(start, "//b.example/y", Some("https://b.example/y"));
        check(start, "http://b.example/y", None);
        check(start, "file:///srv/y", None);
        check(
            "http://a.example/x",
            "https://b.example/y",
            Some("https://b.example/y"),
        );
        check(
            "http://a.example/x",
            "http://b.example/y",
            Some("http://b.example/y"),
        );
    }

    #[test]
    fn hosts_are_found_in_settings() {
        let check = |text: &str, want: Option<&str>| assert_eq!(host_of(text).as_deref(), want, "{text}");
        check("https://R.example/simple", Some("r.example"));
        check("sparse+https://i.example:8443/x", Some("i.example"));
        check("http://u:p@i.example/x", Some("i.example"));
        check("from `https://i.example/config.json`", Some("i.example"));
        check("https://i.example.", Some("i.example"));
        check("https://[::1]/", None);
        check("none", None);
        check("https:///x", None);
    }

    proptest! {
        #[test]
        fn no_redirect_gives_tls_up(location in "(https?|ftp)?(:?//)?[a-z@:/.#?\\[\\]]{0,20}") {
            let start = Address::parse("https://a.example/d/x", Promise::Hash).unwrap();
            if let Ok(next) = start.redirect(&location) {
                prop_assert!(next.is_tls() && !next.origin.contains('@'));
            }
        }
    }
}
