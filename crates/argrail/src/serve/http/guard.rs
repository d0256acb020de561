//! Who may speak, judged from the head of a request alone. Pure: a request head in, a verdict out.
//!
//! The dangers are a web page that the user visits (it can post to any local port; its Origin gives it
//! away, and its content type unless it asks first), a DNS name that was pointed at 127.0.0.1 (the Host
//! gives it away), and other users of the machine (they lack the token).

use std::hint::black_box;
use std::net::{IpAddr, SocketAddr};

use fluent_uri::Uri;
use http::header::{
    ACCESS_CONTROL_REQUEST_METHOD, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN,
};
use http::request::Parts;
use http::uri::Authority;
use http::{HeaderValue, Method};

use super::credential::{CallerKey, SpeaksForAPerson};
use super::error::Error;
use super::refusal::Refusal;
use crate::token_file::Token;

/// The one path that is served.
pub(super) const ENDPOINT: &str = "/mcp";

/// The header that names a session.
pub(super) const SESSION: &str = "mcp-session-id";

/// The header that names the revision.
pub(super) const VERSION: &str = "mcp-protocol-version";

/// What opens the door.
#[derive(Debug)]
pub(super) enum Access {
    /// A port: the Host must name it, and the token must come along.
    Token {
        /// What we listen on.
        address: SocketAddr,
        /// What the client must send.
        token: Token,
    },
    /// A unix socket, whose peer the kernel has vouched for.
    Owner,
    /// A unix socket to which a driven agent is led by a name: the Host must be that, and the token must come along.
    Guest {
        /// The name, in lower case.
        name: &'static str,
        /// What the agent must send.
        token: Token,
    },
}

/// A request that may go on.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Admitted {
    /// To the protocol, with this credential.
    Request(CallerKey),
    /// A browser asking whether it may; it never carries the token.
    Preflight,
}

/// The rules of one server.
pub(super) struct Guard {
    access: Access,
    origins: Vec<HeaderValue>,
    /// What the credential of the server itself is called.
    own: CallerKey,
    /// Which others open it, too: those that people made for clients that speak for them.
    made: Option<SpeaksForAPerson>,
}

impl Guard {
    /// Takes the allowed origins as the browser would send them. `null` is none: any page can get it.
    pub(super) fn new(access: Access, origins: &[String]) -> Result<Self, Error> {
        let origins = origins
            .iter()
            .map(|origin| parse_origin(origin))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            access,
            origins,
            own: CallerKey::random()?,
            made: None,
        })
    }

    /// Lets in clients with a credential that a person made for them, too.
    pub(super) fn also_made(self, made: Option<SpeaksForAPerson>) -> Self {
        Self { made, ..self }
    }

    /// Judges a request.
    pub(super) fn check(&self, head: &Parts) -> Result<Admitted, Refusal> {
        self.host(head)?;
        self.origin(&head.headers)?;
        if head.method == Method::OPTIONS && head.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
            return Ok(Admitted::Preflight);
        }
        let key = self.credential(&head.headers)?;
        if head.uri.path() != ENDPOINT {
            return Err(Refusal::Path(head.uri.path().to_owned()));
        }
        if ![Method::POST, Method::GET, Method::DELETE].contains(&head.method) {
            return Err(Refusal::Method);
        }
        for name in [SESSION, VERSION] {
            // Which of the two counts would be anybody's guess.
            if head.headers.get_all(name).iter().nth(1).is_some() {
                return Err(Refusal::Repeated(name));
            }
        }
        if head.method == Method::POST && !is_json(&head.headers) {
            return Err(Refusal::MediaType);
        }
        Ok(Admitted::Request(key))
    }

    fn host(&self, head: &Parts) -> Result<(), Refusal> {
        let host = only(&head.headers, &HOST)
            .map_err(Refusal::Host)?
            .unwrap_or_default();
        if !self.is_ours(&host) {
            return Err(Refusal::Host(host));
        }
        // A request line may name a host too, and then wins over the header.
        match head.uri.authority() {
            Some(authority) if !self.is_ours(authority.as_str()) => {
                Err(Refusal::Host(authority.as_str().to_owned()))
            }
            _ => Ok(()),
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        match &self.access {
            // As text, so that no other way of writing the address or the port counts.
            Access::Token { address, .. } => {
                names(address).iter().any(|name| name.eq_ignore_ascii_case(host))
            }
            // No page and no other user gets this far.
            Access::Owner => {
                let authority = host.parse::<Authority>();
                authority.is_ok_and(|authority| !host.contains('@') && is_loopback(authority.host()))
            }
            Access::Guest { name, .. } => {
                let bare = host.strip_suffix(":80").unwrap_or(host);
                bare.eq_ignore_ascii_case(name)
            }
        }
    }

    fn origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        match only(headers, &ORIGIN).map_err(Refusal::Origin)? {
            Some(origin)
                if !self
                    .origins
                    .iter()
                    .any(|allowed| allowed.as_bytes() == origin.as_bytes()) =>
            {
                Err(Refusal::Origin(origin))
            }
            _ => Ok(()),
        }
    }

    fn credential(&self, headers: &HeaderMap) -> Result<CallerKey, Refusal> {
        let given = only(headers, &AUTHORIZATION).map_err(|_| Refusal::TokenWrong)?;
        let secret = given.as_deref().and_then(bearer);
        let made = |secret: &&str| self.made.as_ref().is_some_and(|made| made(secret));
        let token = match &self.access {
            Access::Token { token, .. } | Access::Guest { token, .. } => Some(token),
            // Who comes without a token is known by the kernel's word.
            Access::Owner => None,
        };
        if let (Some(secret), Some(token)) = (secret, token)
            && same(secret.as_bytes(), token.secret().as_bytes())
        {
            return Ok(self.own.clone());
        }
        if let Some(secret) = secret.filter(made) {
            return Ok(CallerKey::of_a_person(secret));
        }
        match (token, given) {
            (None, _) => Ok(self.own.clone()),
            (Some(_), Some(_)) => Err(Refusal::TokenWrong),
            (Some(_), None) => Err(Refusal::TokenMissing),
        }
    }
}

/// Returns the secret of an `Authorization` header of the kind that we know.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, value) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| value.trim())
}

/// Returns a header's value, if it is there. Twice, or not text, is an error with what was there.
fn only(headers: &HeaderMap, name: &HeaderName) -> Result<Option<String>, String> {
    let mut values = headers.get_all(name).iter();
    let Some(first) = values.next() else {
        return Ok(None);
    };
    let shown = String::from_utf8_lossy(first.as_bytes()).into_owned();
    match (first.to_str(), values.next()) {
        (Ok(text), None) => Ok(Some(text.to_owned())),
        _ => Err(shown),
    }
}

/// Returns what a client may call the server at `address`.
fn names(address: &SocketAddr) -> Vec<String> {
    let (ip, port) = (address.ip(), address.port());
    let mut names = vec![SocketAddr::new(ip, port).to_string(), format!("localhost:{port}")];
    if port == 80 {
        // Without a port a client means 80.
        let literal = if ip.is_ipv6() {
            format!("[{ip}]")
        } else {
            ip.to_string()
        };
        names.extend([literal, "localhost".to_owned()]);
    }
    names
}

fn is_loopback(host: &str) -> bool {
    let literal = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || literal.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn is_json(headers: &HeaderMap) -> bool {
    let Ok(Some(value)) = only(headers, &CONTENT_TYPE) else {
        return false;
    };
    let essence = value.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// Compares without telling by the time it takes how much was right. (The length may be told.)
fn same(given: &[u8], right: &[u8]) -> bool {
    if given.len() != right.len() {
        return false;
    }
    let mut difference = 0;
    for (one, other) in given.iter().zip(right) {
        difference |= black_box(one ^ other);
    }
    difference == 0
}

fn parse_origin(given: &str) -> Result<HeaderValue, Error> {
    let refused = || Error::Origin {
        given: given.to_owned(),
    };
    let uri = Uri::parse(given.trim_end_matches('/')).map_err(|_| refused())?;
    let bare = uri.path().is_empty() && uri.query().is_none() && uri.fragment().is_none();
    let (scheme, place) = (uri.scheme().as_str(), uri.authority().ok_or_else(refused)?);
    // As a browser writes it: lower case, nobody's name in it, no port that goes without saying.
    let usual = matches!(
        (scheme, place.port().map(|port| port.as_str())),
        ("http", Some("80")) | ("https", Some("443"))
    );
    let plain =
        place.userinfo().is_none() && !place.host().is_empty() && uri.as_str() == uri.as_str().to_lowercase();
    if !bare || usual || !plain {
        return Err(refused());
    }
    HeaderValue::from_str(uri.as_str()).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn guard(access: Access) -> Guard {
        Guard::new(access, &["http://localhost:6274".to_owned()]).unwrap()
    }

    fn port() -> Guard {
        at("127.0.0.1:8931")
    }

    fn at(address: &str) -> Guard {
        guard(Access::Token {
            address: address.parse().unwrap(),
            token: Token::from_secret(TOKEN),
        })
    }

    /// Judges a good request after `change`; returns the status, or 200 or 204.
    fn judge(guard: &Guard, change: impl FnOnce(&mut Parts)) -> u16 {
        let request = Request::post("/mcp")
            .header("host", "127.0.0.1:8931")
            .header("authorization", format!("Bearer {TOKEN}"))
            .header("content-type", "application/json");
        let (mut head, ()) = request.body(()).unwrap().into_parts();
        change(&mut head);
        match guard.check(&head) {
            Ok(Admitted::Request(_)) => 200,
            Ok(Admitted::Preflight) => 204,
            Err(refusal) => refusal.into_response().status().as_u16(),
        }
    }

    fn with(name: &'static str, value: &str) -> u16 {
        judge(&port(), |head| {
            head.headers.insert(name, value.parse().unwrap());
        })
    }

    #[test]
    fn only_our_own_name_and_port_is_answered() {
        for good in ["127.0.0.1:8931", "localhost:8931", "LOCALHOST:8931"] {
            assert_eq!(with("host", good), 200, "{good}");
        }
        let bad = [
            "127.0.0.1:8932",
            "127.0.0.1",
            "localhost",
            "example.org:8931",
            "localhost.example.org:8931",
            "127.0.0.1.nip.example:8931",
            "10.0.0.1:8931",
            "0.0.0.0:8931",
            "user@localhost:8931",
            "localhost:8931:8931",
            "localhost:",
            "127.8.8.8:8931",
            "[::1]:8931",
            "[::ffff:127.0.0.1]:8931",
            "localhost.:8931",
            "127.0.0.1:+8931",
            "127.0.0.1:08931",
            "127.1:8931",
            "",
        ];
        for bad in bad {
            assert_eq!(with("host", bad), 403, "{bad}");
        }
        assert_eq!(judge(&port(), |head| drop(head.headers.remove("host"))), 403);
        let twice = judge(&port(), |head| {
            head.headers.append("host", "127.0.0.1:8931".parse().unwrap());
        });
        assert_eq!(twice, 403);
        let proxied = judge(&port(), |head| {
            head.uri = "http://example.org/mcp".parse().unwrap()
        });
        assert_eq!(proxied, 403);
    }

    #[test]
    fn a_guest_comes_by_its_name_and_with_its_token() {
        let guest = guard(Access::Guest {
            name: "argrail.internal",
            token: Token::from_secret(TOKEN),
        });
        let named = |host: &str| {
            judge(&guest, |head| {
                head.headers.insert("host", host.parse().unwrap());
            })
        };
        for good in ["argrail.internal", "ARGRAIL.internal", "argrail.internal:80"] {
            assert_eq!(named(good), 200, "{good}");
        }
        for bad in [
            "localhost",
            "127.0.0.1:8931",
            "argrail.internal:8080",
            "x.argrail.internal",
            "",
        ] {
            assert_eq!(named(bad), 403, "{bad}");
        }
        let without = judge(&guest, |head| {
            head.headers
                .insert("host", HeaderValue::from_static("argrail.internal"));
            head.headers.remove("authorization");
        });
        assert_eq!(without, 401);
    }

    #[test]
    fn the_name_is_that_of_the_address_listened_on() {
        let judge = |address: &str, host: &'static str| {
            judge(&at(address), |head| {
                head.headers.insert("host", HeaderValue::from_static(host));
            })
        };
        assert_eq!(judge("[::1]:8931", "[::1]:8931"), 200);
        assert_eq!(judge("[::1]:8931", "localhost:8931"), 200);
        assert_eq!(judge("[::1]:8931", "127.0.0.1:8931"), 403);
        assert_eq!(judge("127.1.2.3:80", "127.1.2.3"), 200);
        assert_eq!(judge("127.1.2.3:80", "localhost:80"), 200);
        assert_eq!(judge("[::1]:80", "[::1]"), 200);
        assert_eq!(judge("[::1]:80", "::1"), 403);
    }

    #[test]
    fn no_page_is_let_in_unless_it_is_listed() {
        assert_eq!(with("origin", "http://localhost:6274"), 200);
        for bad in [
            "null",
            "http://localhost:6275",
            "https://localhost:6274",
            "http://evil.example",
            "",
            "*",
        ] {
            assert_eq!(with("origin", bad), 403, "{bad}");
        }
        for bad in [
            "null",
            "*",
            "http://a.example/path",
            "a.example",
            "",
            "file:///x",
            "http://A.example",
            "http://u@a.example",
            "https://a.example:443",
            "http://a.example?q",
        ] {
            assert!(Guard::new(Access::Owner, &[bad.to_owned()]).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_preflight_needs_no_token_but_a_listed_origin() {
        let ask = |origin: &'static str| {
            judge(&port(), |head| {
                head.method = Method::OPTIONS;
                head.headers.remove("authorization");
                head.headers
                    .insert("access-control-request-method", HeaderValue::from_static("POST"));
                head.headers.insert("origin", HeaderValue::from_static(origin));
            })
        };
        assert_eq!(ask("http://localhost:6274"), 204);
        assert_eq!(ask("http://evil.example"), 403);
        assert_eq!(judge(&port(), |head| head.method = Method::OPTIONS), 405);
    }

    #[test]
    fn a_credential_that_a_person_made_opens_it_and_is_known_as_such() {
        const MADE: &str = "feedfacefeedfacefeedfacefeedface";
        let made: SpeaksForAPerson = std::sync::Arc::new(|secret| secret == MADE);
        let key = |guard: &Guard, secret: Option<&str>| {
            let mut headers = HeaderMap::new();
            if let Some(secret) = secret {
                headers.insert("authorization", format!("Bearer {secret}").parse().unwrap());
            }
            guard.credential(&headers).ok()
        };
        let person = CallerKey::of_a_person(MADE);
        for access in ["port", "socket"] {
            let with = || match access {
                "port" => port(),
                _ => guard(Access::Owner),
            };
            let open = with().also_made(Some(std::sync::Arc::clone(&made)));
            assert_eq!(key(&open, Some(MADE)), Some(person.clone()), "{access}");
            assert_ne!(key(&open, Some(TOKEN)), Some(person.clone()), "{access}");
            assert_ne!(key(&open, None), Some(person.clone()), "{access}");
            // Nobody said that such credentials count.
            assert_ne!(key(&with(), Some(MADE)), Some(person.clone()), "{access}");
        }
        assert_eq!(key(&port(), Some(MADE)), None);
    }

    #[test]
    fn the_token_must_be_the_token() {
        assert_eq!(with("authorization", &format!("bearer {TOKEN}")), 200);
        let bad = [
            "Bearer",
            "Bearer ",
            TOKEN,
            "Basic 0123",
            "Bearer 0123456789abcdef0123456789abcdee",
        ];
        for bad in bad {
            assert_eq!(with("authorization", bad), 401, "{bad}");
        }
        assert_eq!(
            judge(&port(), |head| drop(head.headers.remove("authorization"))),
            401
        );
    }

    #[test]
    fn the_rest_of_the_head_is_exact() {
        assert_eq!(with("content-type", "application/json; charset=utf-8"), 200);
        for bad in [
            "text/plain",
            "application/jsonx",
            "application/json, text/plain",
            "",
        ] {
            assert_eq!(with("content-type", bad), 415, "{bad}");
        }
        for bad in ["/", "/mcp/", "/mcpx", "/MCP", "//mcp"] {
            assert_eq!(
                judge(&port(), |head| head.uri = bad.parse().unwrap()),
                404,
                "{bad}"
            );
        }
        assert_eq!(judge(&port(), |head| head.method = Method::PUT), 405);
        for name in [SESSION, VERSION] {
            assert_eq!(with(name, "2025-11-25"), 200, "{name}");
            let twice = judge(&port(), |head| {
                head.headers.append(name, HeaderValue::from_static("2025-11-25"));
                head.headers.append(name, HeaderValue::from_static("2025-11-25"));
            });
            assert_eq!(twice, 400, "{name}");
        }
    }

    #[test]
    fn a_unix_socket_needs_no_token_and_no_port() {
        let owner = guard(Access::Owner);
        let judge = |host: &'static str| {
            judge(&owner, |head| {
                head.headers.remove("authorization");
                head.headers.insert("host", HeaderValue::from_static(host));
            })
        };
        assert_eq!(judge("localhost"), 200);
        assert_eq!(judge("example.org"), 403);
    }
}
