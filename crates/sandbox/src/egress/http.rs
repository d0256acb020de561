//! The head of a request to the proxy: `CONNECT host:port`, or a plain request with the whole URL in
//! it.
//!
//! Text in, value out. A plain request is rewritten for its server: the target without the host, the
//! `Host` of the URL whatever the client wrote, nothing that was meant for the proxy, and `Connection:
//! close`, so that the next request comes on a new connection and is judged afresh. Behind the body
//! nothing is passed on.

use super::body::BodyProgress;
use super::gate::{MAX_HEAD_BYTES, MAX_HEADERS};
use super::host::{TargetHost, authority};

/// What a head asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProxyRequest {
    /// The head is not complete.
    NeedMore,
    /// A tunnel; `length` is the head's.
    Connect {
        host: TargetHost,
        port: u16,
        length: usize,
    },
    /// A request to pass on, with another head in place of the first `length` bytes.
    Forward {
        host: TargetHost,
        port: u16,
        plain: PlainRequest,
        body: BodyProgress,
        length: usize,
    },
    /// Nothing that a proxy does.
    Refuse(StatusLine, &'static str),
}

/// What stays of the head of a plain request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlainRequest {
    /// The first line.
    line: String,
    /// The headers that go on to the server.
    headers: Vec<u8>,
}

impl PlainRequest {
    /// Returns the head for a server of this name.
    pub(super) fn head(&self, name: &str, port: u16) -> Vec<u8> {
        let host = if port == 80 {
            name.to_owned()
        } else {
            format!("{name}:{port}")
        };
        let mut head = format!("{}\r\nHost: {host}\r\n", self.line).into_bytes();
        head.extend_from_slice(&self.headers);
        head.extend_from_slice(b"Connection: close\r\n\r\n");
        head
    }
}

/// How an answer begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatusLine {
    /// The request cannot be read, or is not for a proxy.
    BadRequest,
    /// The host may not be reached.
    Forbidden,
    /// The proxy does not do this.
    NotAllowed,
    /// The host did not answer.
    BadGateway,
}

impl StatusLine {
    fn line(self) -> &'static str {
        match self {
            Self::BadRequest => "400 Bad Request",
            Self::Forbidden => "403 Forbidden",
            Self::NotAllowed => "405 Method Not Allowed",
            Self::BadGateway => "502 Bad Gateway",
        }
    }
}

/// The answer that opens a tunnel.
pub(super) const TUNNEL_OPENED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

/// Returns a whole answer with a short text.
pub(super) fn answer(status: StatusLine, text: &str) -> Vec<u8> {
    let length = text.len() + 1;
    let line = status.line();
    format!(
        "HTTP/1.1 {line}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{text}\n"
    )
    .into_bytes()
}

/// Reads the bytes that came so far.
pub(super) fn parse(bytes: &[u8]) -> ProxyRequest {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD_BYTES => return ProxyRequest::NeedMore,
        Ok(httparse::Status::Partial) => return bad("the head of the request is too long"),
        Err(_) => return bad("this is no request of HTTP/1"),
    };
    let (Some(method), Some(target), Some(minor)) = (request.method, request.path, request.version) else {
        return bad("this is no request of HTTP/1");
    };
    if method == "CONNECT" {
        return match authority(target, None) {
            Some((host, port)) => ProxyRequest::Connect { host, port, length },
            None => bad("CONNECT wants host:port, and the host as a plain name"),
        };
    }
    let Some(url) = HttpUrl::parse(target) else {
        return not_forwarded(target);
    };
    // Behind the body would stand a request that nobody looked at.
    let Ok(body) = BodyProgress::of(request.headers, minor) else {
        return bad("the request does not say clearly where its body ends");
    };
    let slash = if url.path.starts_with('/') { "" } else { "/" };
    let line = format!("{method} {slash}{} HTTP/1.{minor}", url.path);
    let plain = PlainRequest {
        line,
        headers: for_server(request.headers),
    };
    ProxyRequest::Forward {
        host: url.host,
        port: url.port,
        plain,
        body,
        length,
    }
}

fn bad(text: &'static str) -> ProxyRequest {
    ProxyRequest::Refuse(StatusLine::BadRequest, text)
}

fn not_forwarded(target: &str) -> ProxyRequest {
    if target == "*" {
        return ProxyRequest::Refuse(
            StatusLine::NotAllowed,
            "the proxy itself has no options: name a host",
        );
    }
    match target.split_once("://").map(|(scheme, _)| scheme) {
        Some(scheme) if scheme.eq_ignore_ascii_case("http") => {
            bad("the URL wants a plain host name, without a user and without escapes")
        }
        Some(_) => bad("only http:// URLs are passed on: use CONNECT for everything else"),
        None => bad("this is a proxy: send CONNECT host:port, or the whole URL"),
    }
}

/// An `http` URL, as far as it matters here.
struct HttpUrl<'a> {
    host: TargetHost,
    port: u16,
    path: &'a str,
}

impl<'a> HttpUrl<'a> {
    fn parse(target: &'a str) -> Option<Self> {
        let (scheme, rest) = target.split_once("://")?;
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (name, path) = rest.split_at_checked(end)?;
        let (host, port) = authority(name, Some(80)).filter(|_| scheme.eq_ignore_ascii_case("http"))?;
        let path = path.split('#').next().unwrap_or_default();
        Some(Self { host, port, path })
    }
}

/// Returns the headers without those that are meant for the proxy, written out again.
fn for_server(headers: &[httparse::Header<'_>]) -> Vec<u8> {
    let mut kept = Vec::new();
    let listed = hop_by_hop_headers(headers);
    for header in headers.iter().filter(|header| !is_hop(header.name, &listed)) {
        kept.extend_from_slice(header.name.as_bytes());
        kept.extend_from_slice(b": ");
        kept.extend_from_slice(header.value);
        kept.extend_from_slice(b"\r\n");
    }
    kept
}

/// Returns the headers that `Connection` names as meant for the next hop only.
fn hop_by_hop_headers(headers: &[httparse::Header<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    for header in headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("connection"))
    {
        let value = String::from_utf8_lossy(header.value).to_ascii_lowercase();
        names.extend(value.split(',').map(|name| name.trim().to_owned()));
    }
    names
}

fn is_hop(name: &str, listed: &[String]) -> bool {
    let name = name.to_ascii_lowercase();
    match name.as_str() {
        "host" | "connection" | "keep-alive" | "te" | "trailer" | "upgrade" => true,
        // These two say where the body ends, and the body is passed on as it is.
        "transfer-encoding" | "content-length" => false,
        _ => name.starts_with("proxy-") || listed.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(request: &str, expected: &str) {
        let seen = match parse(request.as_bytes()) {
            ProxyRequest::NeedMore => "more".to_owned(),
            ProxyRequest::Connect { host, port, length } => format!("connect {host:?} {port} {length}"),
            ProxyRequest::Forward {
                host: TargetHost::Name(name),
                port,
                plain,
                ..
            } => {
                format!("{port} {}", String::from_utf8(plain.head(&name, port)).unwrap())
            }
            ProxyRequest::Forward {
                host: TargetHost::Address(address),
                ..
            } => address.to_string(),
            ProxyRequest::Refuse(status, text) => {
                format!("{} {text}", status.line().split(' ').next().unwrap())
            }
        };
        assert!(seen.contains(expected), "for {request:?}: {seen:?}");
    }

    #[test]
    fn a_tunnel_is_asked_for_by_name() {
        check(
            "CONNECT a.test:443 HTTP/1.1\r\nHost: x\r\n\r\nrest",
            "connect Name(\"a.test\") 443 40",
        );
        check(
            "CONNECT A.test.:22 HTTP/1.0\r\n\r\n",
            "connect Name(\"a.test\") 22",
        );
        check("CONNECT [::1]:443 HTTP/1.1\r\n\r\n", "connect Address(::1) 443");
        check("CONNECT a.test:443 HTTP/1.1\r\n", "more");
        for target in [
            "a.test",
            "a.test:0",
            "u@a.test:1",
            "0x7f.1:1",
            "2130706433:1",
            "a%2etest:1",
            "http://a.test/",
        ] {
            check(&format!("CONNECT {target} HTTP/1.1\r\n\r\n"), "400 CONNECT wants");
        }
    }

    #[test]
    fn a_plain_request_is_rewritten_for_its_server() {
        check(
            "GET http://A.test/x?y#z HTTP/1.1\r\nHost: evil.test\r\nAccept: */*\r\nProxy-Authorization: s\r\n\
             Connection: keep-alive, X-Hop, content-length\r\nX-Hop: 1\r\nKeep-Alive: 5\r\n\
             Content-Length: 3\r\n\r\nabc",
            "80 GET /x?y HTTP/1.1\r\nHost: a.test\r\nAccept: */*\r\nContent-Length: 3\r\n\
             Connection: close\r\n\r\n",
        );
        check(
            "GET http://a.test:8080 HTTP/1.0\r\n\r\n",
            "8080 GET / HTTP/1.0\r\nHost: a.test:8080\r\n",
        );
        check("GET HTTP://a.test?q HTTP/1.1\r\n\r\n", "80 GET /?q HTTP/1.1\r\n");
    }

    #[test]
    fn everything_else_is_refused_with_a_reason() {
        check("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n", "400 this is a proxy");
        check("GET https://a.test/ HTTP/1.1\r\n\r\n", "400 only http://");
        check("GET ftp://a.test/ HTTP/1.1\r\n\r\n", "400 only http://");
        check("GET http://u:p@a.test/ HTTP/1.1\r\n\r\n", "400 the URL wants");
        check("GET http://a.test\\@b.test/ HTTP/1.1\r\n\r\n", "400 ");
        check("GET http:///x HTTP/1.1\r\n\r\n", "400 the URL wants");
        check("OPTIONS * HTTP/1.1\r\n\r\n", "405 ");
        check("\x04\x01\0\x50", "400 this is no request");
        check(
            &format!("GET http://a.test/ HTTP/1.1\r\nx: {}", "y".repeat(MAX_HEAD_BYTES)),
            "400 the head",
        );
        check(
            &format!(
                "GET http://a.test/ HTTP/1.1\r\n{}\r\n",
                "x: y\r\n".repeat(MAX_HEADERS + 1)
            ),
            "400 ",
        );
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            parse(&bytes);
            parse(&[b"GET http://", &bytes[..], b" HTTP/1.1\r\n\r\n"].concat());
        }

        #[test]
        fn a_rewritten_head_is_one_head(target in "[ -~]{0,40}", value in "[ -~]{0,40}") {
            let request = format!(
                "GET http://a.test{target} HTTP/1.1\r\nConnection: {value}\r\nX: {value}\r\n\r\n"
            );
            if let ProxyRequest::Forward { plain, .. } = parse(request.as_bytes()) {
                let head = plain.head("a.test", 80);
                let ends = head.windows(4).filter(|part| part == b"\r\n\r\n").count();
                prop_assert!(ends == 1 && head.ends_with(b"\r\n\r\n"));
            }
        }
    }
}
