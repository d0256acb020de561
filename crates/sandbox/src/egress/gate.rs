//! The first words of a client, and whether they are meant for the server that it asked for.
//!
//! A connection to a listed name can carry a request for another name that lives on the same machines.
//! So a TLS hello must name the server, and so must the first request of HTTP/1. Anything else passes:
//! ssh, git. Later requests of the same connection are not looked at, nor is what an encrypted hello
//! may hide.

use super::host::{Host, authority};
use super::tls::{self, Hello};

/// How long the head of a request may be.
pub(super) const LONGEST: usize = 16 * 1024;

/// How many headers it may have.
pub(super) const HEADERS: usize = 128;

/// Methods by which a request is known on ports other than 80.
const METHODS: &[&str] = &[
    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ",
];

/// Whether the client may say more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum More {
    /// It may.
    MayCome,
    /// It has said its last word.
    Ended,
}

/// What becomes of the first words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They are not complete.
    NeedMore,
    /// They go on to the server, and everything after them.
    Pass,
    /// They do not, for this reason.
    Refuse(String),
}

/// Whom the client asked for.
#[derive(Debug)]
pub(super) struct Gate {
    /// The name: lower case, without a trailing dot.
    pub(super) name: String,
    /// The port.
    pub(super) port: u16,
}

impl Gate {
    /// Looks at everything that the client said so far.
    pub(super) fn look(&self, bytes: &[u8], more: More) -> Verdict {
        if bytes.is_empty() {
            return match more {
                More::MayCome => Verdict::NeedMore,
                More::Ended => Verdict::Pass,
            };
        }
        let verdict = match tls::hello(bytes) {
            Hello::NotTls => self.look_at_request(bytes),
            Hello::NeedMore => Verdict::NeedMore,
            Hello::Name(name) if Host::parse(&name).is_some_and(|host| host.is(&self.name)) => Verdict::Pass,
            Hello::Name(name) => Verdict::Refuse(format!("tls name {name} ≠ {}", self.name)),
            Hello::NoName => Verdict::Refuse(format!("tls without a name ≠ {}", self.name)),
            Hello::Malformed => Verdict::Refuse(format!("tls hello for {} cannot be read", self.name)),
        };
        if verdict == Verdict::NeedMore && (more == More::Ended || bytes.len() > LONGEST) {
            return Verdict::Refuse(format!("first words for {} have no end", self.name));
        }
        verdict
    }

    fn look_at_request(&self, bytes: &[u8]) -> Verdict {
        match kind(bytes) {
            Kind::Request => {}
            Kind::Unclear => return Verdict::NeedMore,
            Kind::Other if self.port == 80 => {}
            Kind::Other => return Verdict::Pass,
        }
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(bytes) {
            Ok(httparse::Status::Complete(_)) => {}
            Ok(httparse::Status::Partial) if bytes.len() < LONGEST => return Verdict::NeedMore,
            Ok(httparse::Status::Partial) | Err(_) => {
                return Verdict::Refuse(format!("http request to {} cannot be read", self.name));
            }
        }
        let mut hosts = request
            .headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case("host"));
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => String::from_utf8_lossy(host.value),
            (Some(_), Some(_)) => return Verdict::Refuse(format!("http host twice ≠ {}", self.name)),
            (None, _) => return Verdict::Refuse(format!("http without a host ≠ {}", self.name)),
        };
        if !self.is_own(&host) {
            return Verdict::Refuse(format!("http host {host} ≠ {}", self.name));
        }
        // A target with a host of its own outranks the header (RFC 9112 §3.2.2).
        let target = request.path.unwrap_or_default();
        if !target.starts_with('/') && target != "*" && !self.is_own(authority_of(target)) {
            return Verdict::Refuse(format!("http target {target} ≠ {}", self.name));
        }
        Verdict::Pass
    }

    fn is_own(&self, text: &str) -> bool {
        authority(text.trim(), Some(self.port)).is_some_and(|(host, _)| host.is(&self.name))
    }
}

/// Returns the host and port of a URL, or of the target of a CONNECT.
fn authority_of(target: &str) -> &str {
    let rest = target.split_once("://").map_or(target, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

enum Kind {
    /// A request of HTTP/1.
    Request,
    /// It may become one.
    Unclear,
    /// Something else.
    Other,
}

fn kind(bytes: &[u8]) -> Kind {
    // Servers skip empty lines in front of a request.
    let start = bytes
        .iter()
        .position(|byte| !matches!(byte, b'\r' | b'\n'))
        .unwrap_or(bytes.len());
    let bytes = bytes.get(start..).unwrap_or_default();
    if METHODS
        .iter()
        .any(|method| bytes.len() < method.len() && method.as_bytes().starts_with(bytes))
    {
        return Kind::Unclear;
    }
    if !METHODS.iter().any(|method| bytes.starts_with(method.as_bytes())) {
        return Kind::Other;
    }
    let mut lines = bytes.splitn(2, |byte| *byte == b'\n');
    let (line, rest) = (lines.next().unwrap_or_default(), lines.next());
    if line.windows(7).any(|part| part == b"HTTP/1.") {
        Kind::Request
    } else if rest.is_none() && bytes.len() < LONGEST {
        Kind::Unclear
    } else {
        Kind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::super::tls::samples::client_hello;
    use super::*;
    use proptest::prelude::*;

    fn look(port: u16, bytes: &[u8]) -> String {
        match (Gate {
            name: "a.test".into(),
            port,
        })
        .look(bytes, More::MayCome)
        {
            Verdict::NeedMore => "more".into(),
            Verdict::Pass => "pass".into(),
            Verdict::Refuse(reason) => reason,
        }
    }

    #[test]
    fn a_hello_must_name_the_server() {
        let hello = |name| look(443, &client_hello(name, 64));
        assert_eq!(hello(Some("a.test")), "pass");
        assert_eq!(hello(Some("A.TEST.")), "pass");
        assert_eq!(hello(Some("b.test")), "tls name b.test ≠ a.test");
        assert_eq!(hello(Some("a.test.b.test")), "tls name a.test.b.test ≠ a.test");
        assert_eq!(hello(None), "tls without a name ≠ a.test");
        assert_eq!(
            look(80, &client_hello(Some("b.test"), 64)),
            "tls name b.test ≠ a.test"
        );
    }

    #[test]
    fn a_first_request_must_name_the_server() {
        for port in [80, 8080] {
            let check = |request: &str, expected: &str| {
                assert_eq!(look(port, request.as_bytes()), expected, "{request}")
            };
            check("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "pass");
            check(
                "\r\nPOST / HTTP/1.1\r\nx: y\r\nhOST: A.test.:8080\r\n\r\nbody",
                "pass",
            );
            check("OPTIONS * HTTP/1.1\r\nHost: a.test\r\n\r\n", "pass");
            check("GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n", "pass");
            check("GET / HTTP/1.1\r\nHost: a.te", "more");
            check("GE", "more");
            check(
                "GET / HTTP/1.1\r\nHost: b.test\r\n\r\n",
                "http host b.test ≠ a.test",
            );
            check(
                "GET / HTTP/1.1\r\nHost: a.test@b.test\r\n\r\n",
                "http host a.test@b.test ≠ a.test",
            );
            check("GET / HTTP/1.0\r\n\r\n", "http without a host ≠ a.test");
            check(
                "GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n",
                "http host twice ≠ a.test",
            );
            check(
                "GET http://b.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
                "http target http://b.test/ ≠ a.test",
            );
            check(
                "CONNECT b.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n",
                "http target b.test:443 ≠ a.test",
            );
            check(
                "GET / HTTP/1.1\r\nHost : a.test\r\n\r\n",
                "http request to a.test cannot be read",
            );
        }
        let long = format!("GET / HTTP/1.1\r\nx: {}", "y".repeat(LONGEST));
        assert_eq!(
            look(8080, long.as_bytes()),
            "http request to a.test cannot be read"
        );
    }

    #[test]
    fn other_protocols_pass_except_on_port_80() {
        for other in [
            "SSH-2.0-OpenSSH_9.6\r\n",
            "0032git-upload-pack /x\0host=a.test\0",
            "*1\r\n$4\r\nPING\r\n",
            "GET key\r\n",
        ] {
            assert_eq!(look(22, other.as_bytes()), "pass", "{other}");
            assert_ne!(look(80, other.as_bytes()), "pass", "{other}");
        }
        assert_eq!(look(50051, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "pass");
        assert_ne!(look(80, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "pass");
    }

    #[test]
    fn what_is_cut_short_does_not_pass() {
        let gate = Gate {
            name: "a.test".into(),
            port: 443,
        };
        assert_eq!(gate.look(b"", More::Ended), Verdict::Pass);
        assert!(matches!(gate.look(b"\x16\x03", More::Ended), Verdict::Refuse(_)));
        assert!(matches!(
            gate.look(b"GET / HTTP/1.1\r\n", More::Ended),
            Verdict::Refuse(_)
        ));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            look(80, &bytes);
            look(443, &[b"GET / HTTP/1.1\r\nHost: ", &bytes[..]].concat());
        }
    }
}
