//! The user's own proxy, as the variables of old name it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use ureq::Proxy;

use super::address::Address;

/// Returns the proxy for an address, if the environment names one. A name that cannot be read is no proxy: the
/// connection is then tried without, and fails where none is let out.
pub(super) fn proxy(environment: &BTreeMap<OsString, OsString>, address: &Address) -> Option<Proxy> {
    let get = |name: &str| {
        let value = environment.get(OsStr::new(name))?.to_str()?;
        (!value.is_empty()).then_some(value)
    };
    let excepted = get("no_proxy").or_else(|| get("NO_PROXY")).unwrap_or_default();
    if is_excepted(excepted, &address.host) {
        return None;
    }
    // `HTTP_PROXY` in capitals is what a web server makes of a request's header, and is not read.
    let named = match address.is_tls() {
        true => get("https_proxy").or_else(|| get("HTTPS_PROXY")),
        false => get("http_proxy"),
    };
    let named = named.or_else(|| get("all_proxy")).or_else(|| get("ALL_PROXY"))?;
    Proxy::new(named).ok()
}

/// Whether a host is in a list such as `localhost,.example.org`.
fn is_excepted(list: &str, host: &str) -> bool {
    let names = list.split([',', ' ']).filter(|name| !name.is_empty());
    names.map(str::to_ascii_lowercase).any(|name| {
        let bare = name.trim_start_matches('*').trim_start_matches('.');
        let below = host.strip_suffix(bare).is_some_and(|front| front.ends_with('.'));
        name == "*" || (!bare.is_empty() && (host == bare || below))
    })
}

#[cfg(test)]
mod tests {
    use super::super::address::Promise;
    use super::*;

    #[test]
    fn variables_name_the_proxy() {
        let check = |variables: &[(&str, &str)], url: &str, want: Option<&str>| {
            let environment = variables
                .iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect();
            let address = Address::parse(url, Promise::Hash).unwrap();
            let found = proxy(&environment, &address).map(|proxy| proxy.host().to_owned());
            assert_eq!(found.as_deref(), want, "{variables:?} {url}");
        };
        let https = "https://a.example/x";
        check(&[], https, None);
        check(
            &[("https_proxy", "http://p.example:3128")],
            https,
            Some("p.example"),
        );
        check(&[("HTTPS_PROXY", "p.example:3128")], https, Some("p.example"));
        check(&[("https_proxy", "http://p.example")], "http://a.example/x", None);
        check(&[("HTTP_PROXY", "http://p.example")], "http://a.example/x", None);
        check(
            &[("ALL_PROXY", "http://p.example")],
            "http://a.example/x",
            Some("p.example"),
        );
        for (list, want) in [
            ("a.example", None),
            (".example", None),
            ("*", None),
            ("ample", Some("p.example")),
        ] {
            check(
                &[("https_proxy", "http://p.example"), ("no_proxy", list)],
                https,
                want,
            );
        }
    }
}
