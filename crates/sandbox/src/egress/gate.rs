//! What a client says, and whether it is meant for the server that it asked for.
//!
//! A connection to a listed name can carry a request for another name that lives on the same machines. So a TLS hello
//! must name the server, and so must every request of HTTP/1: the first, those after it on the same connection, and those
//! that were sent ahead. Where one request ends and the next begins must be beyond doubt (see [`BodyProgress`]). Anything else passes:
//! ssh, git. What an encrypted hello may hide is not looked at, nor HTTP/2 without TLS, which no web port of ours passes.

use super::body::{BodyProgress, is_token};
use super::host::{TargetHost, authority};
use super::http;
use super::tls::{self, TlsHello};

/// How long the head of a request may be.
pub(super) const MAX_HEAD_BYTES: usize = 16 * 1024;

/// How many headers it may have.
pub(super) const MAX_HEADERS: usize = 128;

/// Words by which requests usually begin.
const METHODS: &[&str] = &[
    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ",
];

/// How long the word may be by which a request begins on ports other than 80.
const MAX_METHOD_BYTES: usize = 32;

/// Whether the client may say more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClientTurn {
    /// More bytes may come.
    MayCome,
    /// It has said its last word.
    Ended,
}

/// What becomes of what the client said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GateVerdict {
    /// It cannot be told yet.
    NeedMore,
    /// So many bytes go on to the server; what follows them is looked at next.
    Pass(usize),
    /// All of it goes on to the server, and everything after it.
    Open,
    /// All of it is left out, and what follows is looked at next.
    Drop,
    /// It does not go on, for this reason.
    Refuse(String),
}

/// What is to be made of the server's words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ServerVerdict {
    /// More of them are needed.
    NeedMore,
    /// Enough was heard: the server's further words do not matter.
    Enough,
    /// The connection ends, for this reason.
    Refuse(String),
}

/// Whom the client asked for, and how far it has come.
#[derive(Debug)]
pub(super) struct RequestGate {
    /// The name: lower case, without a trailing dot.
    name: String,
    port: u16,
    state: GateState,
}

#[derive(Debug)]
enum GateState {
    /// Nothing is known of the client yet. These words passed already: they may be anybody's, and are no request before
    /// their line ends.
    First(Vec<u8>),
    /// A request of HTTP/1 comes next.
    Head,
    /// The body of one comes next, and then something else.
    Body(BodyProgress, AfterBody),
    /// The server says whether this becomes a web socket; so many bytes of its answers were read.
    Switching(usize),
    /// The one request that was passed on by the proxy is over.
    Spent,
    /// What comes now is for nobody.
    Dropping,
    /// The client may say anything.
    Open,
}

/// What comes behind a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AfterBody {
    Head,
    Switching,
    Spent,
}

impl RequestGate {
    /// Makes a gate for a connection of which nothing is known.
    pub(super) fn new(name: String, port: u16) -> Self {
        Self {
            name,
            port,
            state: GateState::First(Vec::new()),
        }
    }

    /// Makes a gate for one request, whose head is the proxy's own and has passed. The server is told to close the
    /// connection after it, so nothing may follow.
    pub(super) fn for_body(name: String, port: u16, body: BodyProgress) -> Self {
        Self {
            name,
            port,
            state: GateState::Body(body, AfterBody::Spent),
        }
    }

    /// Looks at what the client said and what has not passed yet.
    pub(super) fn look(&mut self, bytes: &[u8], more: ClientTurn) -> GateVerdict {
        if matches!(self.state, GateState::Open) {
            return GateVerdict::Open;
        }
        if bytes.is_empty() {
            return match more {
                ClientTurn::MayCome => GateVerdict::NeedMore,
                ClientTurn::Ended => GateVerdict::Pass(0),
            };
        }
        let verdict = match &mut self.state {
            GateState::First(passed) => {
                let passed = std::mem::take(passed);
                self.look_at_first(passed, bytes)
            }
            GateState::Head => self.look_at_request(bytes, RequestPosition::Later),
            GateState::Body(body, then) => {
                let (taken, then) = (body.take(bytes), *then);
                let over = body.is_over();
                match taken {
                    Ok(taken) => {
                        if over {
                            self.state = GateState::after(then);
                        }
                        GateVerdict::Pass(taken)
                    }
                    Err(fault) => GateVerdict::Refuse(format!("http request to {} has {fault}", self.name)),
                }
            }
            // Whether the client ended or not: first the server answers.
            GateState::Switching(_) => return GateVerdict::NeedMore,
            GateState::Spent => self.look_at_surplus(bytes),
            GateState::Dropping => GateVerdict::Drop,
            GateState::Open => GateVerdict::Open,
        };
        match (verdict, more) {
            (GateVerdict::NeedMore, ClientTurn::Ended) => {
                GateVerdict::Refuse(format!("words for {} have no end", self.name))
            }
            (GateVerdict::NeedMore, ClientTurn::MayCome) if bytes.len() > MAX_HEAD_BYTES => {
                GateVerdict::Refuse(format!("words for {} have no end", self.name))
            }
            // The end of a body and the beginning of what follows are two things.
            (GateVerdict::Pass(0), _) => self.look(bytes, more),
            (verdict, _) => verdict,
        }
    }

    /// Hears everything that the server said so far.
    pub(super) fn hear(&mut self, answer: &[u8]) -> ServerVerdict {
        let read = match &self.state {
            GateState::First(_) | GateState::Body(_, AfterBody::Switching) => return ServerVerdict::NeedMore,
            GateState::Switching(read) => *read,
            GateState::Head
            | GateState::Body(_, AfterBody::Head | AfterBody::Spent)
            | GateState::Spent
            | GateState::Dropping
            | GateState::Open => return ServerVerdict::Enough,
        };
        let rest = answer.get(read..).unwrap_or_default();
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let unreadable = || ServerVerdict::Refuse(format!("http answer of {} cannot be read", self.name));
        match (response.parse(rest), response.code) {
            (Ok(httparse::Status::Partial), _) if answer.len() < MAX_HEAD_BYTES => ServerVerdict::NeedMore,
            (Ok(httparse::Status::Complete(_)), Some(101)) => {
                self.state = GateState::Open;
                ServerVerdict::Enough
            }
            // Not yet the answer.
            (Ok(httparse::Status::Complete(length)), Some(100..200)) => {
                self.state = GateState::Switching(read + length);
                self.hear(answer)
            }
            (Ok(httparse::Status::Complete(_)), Some(_)) => {
                self.state = GateState::Head;
                ServerVerdict::Enough
            }
            (Ok(_) | Err(_), _) => unreadable(),
        }
    }

    fn look_at_first(&mut self, mut passed: Vec<u8>, bytes: &[u8]) -> GateVerdict {
        let before = passed.len();
        passed.extend_from_slice(bytes);
        // Any word may be the beginning of a request. Whoever speaks without lines would wait for ever.
        let early =
            self.port != 80 && matches!(kind(&passed), RequestKind::Unclear) && !may_be_usual(&passed);
        match self.look_at_beginning(&passed) {
            GateVerdict::NeedMore if early => {
                self.state = GateState::First(passed);
                GateVerdict::Pass(bytes.len())
            }
            GateVerdict::NeedMore => {
                passed.truncate(before);
                self.state = GateState::First(passed);
                GateVerdict::NeedMore
            }
            GateVerdict::Pass(count) => GateVerdict::Pass(count.saturating_sub(before)),
            verdict => verdict,
        }
    }

    fn look_at_beginning(&mut self, bytes: &[u8]) -> GateVerdict {
        match tls::hello(bytes) {
            TlsHello::NotTls => {}
            TlsHello::NeedMore => return GateVerdict::NeedMore,
            TlsHello::Name(name) if TargetHost::parse(&name).is_some_and(|host| host.is(&self.name)) => {
                self.state = GateState::Open;
                return GateVerdict::Open;
            }
            TlsHello::Name(name) => return GateVerdict::Refuse(format!("tls name {name} ≠ {}", self.name)),
            TlsHello::NoName => return GateVerdict::Refuse(format!("tls without a name ≠ {}", self.name)),
            TlsHello::Malformed => {
                return GateVerdict::Refuse(format!("tls hello for {} cannot be read", self.name));
            }
        }
        match kind(bytes) {
            RequestKind::Unclear => GateVerdict::NeedMore,
            RequestKind::Other if self.port != 80 => {
                self.state = GateState::Open;
                GateVerdict::Open
            }
            RequestKind::Request | RequestKind::Other => self.look_at_request(bytes, RequestPosition::First),
        }
    }

    /// Looks at the head of a request, and passes it alone.
    fn look_at_request(&mut self, bytes: &[u8], place: RequestPosition) -> GateVerdict {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let unreadable = || GateVerdict::Refuse(format!("http request to {} cannot be read", self.name));
        let length = match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < MAX_HEAD_BYTES => return GateVerdict::NeedMore,
            Ok(httparse::Status::Partial) | Err(_) => return unreadable(),
        };
        // Some end a line at a line feed alone and some do not.
        if has_bare_line_feed(bytes.get(..length).unwrap_or_default()) {
            return unreadable();
        }
        if let Err(reason) = self.check_request(&request) {
            return GateVerdict::Refuse(reason);
        }
        let body = match BodyProgress::of(request.headers, request.version.unwrap_or_default()) {
            Ok(body) => body,
            Err(fault) => return GateVerdict::Refuse(format!("http request to {} has {fault}", self.name)),
        };
        // On a connection where others went before, it is not known where the server's answer to this one begins. Then
        // what follows is looked at as a request, which nothing but a request passes.
        let then = match place {
            RequestPosition::First if wants_web_socket(request.headers) => AfterBody::Switching,
            RequestPosition::First | RequestPosition::Later => AfterBody::Head,
        };
        self.state = match body.is_over() {
            true => GateState::after(then),
            false => GateState::Body(body, then),
        };
        GateVerdict::Pass(length)
    }

    /// Looks at whom a request is for.
    fn check_request(&self, request: &httparse::Request<'_, '_>) -> Result<(), String> {
        let mut hosts = request
            .headers
            .iter()
            .filter(|header| header.name.eq_ignore_ascii_case("host"));
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => String::from_utf8_lossy(host.value),
            (Some(_), Some(_)) => return Err(format!("http host twice ≠ {}", self.name)),
            (None, _) => return Err(format!("http without a host ≠ {}", self.name)),
        };
        if !self.is_own(&host) {
            return Err(format!("http host {host} ≠ {}", self.name));
        }
        // A target with a host of its own outranks the header (RFC 9112 §3.2.2).
        let target = request.path.unwrap_or_default();
        if !target.starts_with('/') && target != "*" && !self.is_own(authority_of(target)) {
            return Err(format!("http target {target} ≠ {}", self.name));
        }
        // What follows would be for whoever that leads to.
        if request.method == Some("CONNECT") {
            return Err(format!("http tunnel through {}", self.name));
        }
        Ok(())
    }

    /// Looks at what comes behind the one request that the proxy passed on. A request for the same server was sent ahead:
    /// its client hears that the connection ends, and asks again.
    fn look_at_surplus(&mut self, bytes: &[u8]) -> GateVerdict {
        let next = match http::parse(bytes) {
            http::ProxyRequest::NeedMore => return GateVerdict::NeedMore,
            http::ProxyRequest::Connect { host, port, .. }
            | http::ProxyRequest::Forward { host, port, .. } => Some((host, port)),
            http::ProxyRequest::Refuse(..) => None,
        };
        match next {
            Some((host, port)) if host.is(&self.name) && port == self.port => {
                self.state = GateState::Dropping;
                GateVerdict::Drop
            }
            Some((host, _)) => {
                GateVerdict::Refuse(format!("http request for {host} behind one for {}", self.name))
            }
            None => GateVerdict::Refuse(format!("words behind an http request to {}", self.name)),
        }
    }

    fn is_own(&self, text: &str) -> bool {
        authority(text.trim(), Some(self.port)).is_some_and(|(host, _)| host.is(&self.name))
    }
}

impl GateState {
    fn after(then: AfterBody) -> Self {
        match then {
            AfterBody::Head => Self::Head,
            AfterBody::Switching => Self::Switching(0),
            AfterBody::Spent => Self::Spent,
        }
    }
}

/// Where a request stands on its connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestPosition {
    First,
    Later,
}

/// Returns the host and port of a URL, or of the target of a CONNECT.
fn authority_of(target: &str) -> &str {
    let rest = target.split_once("://").map_or(target, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn has_bare_line_feed(head: &[u8]) -> bool {
    let bare = |pair: &[u8]| matches!(pair, [before, b'\n'] if *before != b'\r');
    head.first() == Some(&b'\n') || head.windows(2).any(bare)
}

/// Whether a request asks to become a web socket, and nothing else: HTTP/2 would be requests again.
fn wants_web_socket(headers: &[httparse::Header<'_>]) -> bool {
    let mut upgrades = headers
        .iter()
        .filter(|header| header.name.eq_ignore_ascii_case("upgrade"));
    let is_web_socket = |header: &httparse::Header<'_>| header.value.eq_ignore_ascii_case(b"websocket");
    upgrades.next().is_some_and(is_web_socket) && upgrades.next().is_none()
}

enum RequestKind {
    /// A request of HTTP/1.
    Request,
    /// Too short to tell: it may become a request.
    Unclear,
    /// No request of HTTP/1.
    Other,
}

/// Whether this may be a request, or a hello of TLS, by its first bytes.
fn may_be_usual(bytes: &[u8]) -> bool {
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n'));
    let bytes = start.and_then(|start| bytes.get(start..)).unwrap_or_default();
    let begins = |method: &&str| {
        let both = method.len().min(bytes.len());
        method.as_bytes().get(..both) == bytes.get(..both)
    };
    bytes.first() == Some(&tls::HANDSHAKE_RECORD) || METHODS.iter().any(begins)
}

/// Tells a request by its first line: a word, a target, and the version. Any word will do: servers pass on what they do
/// not know.
fn kind(bytes: &[u8]) -> RequestKind {
    // Servers skip empty lines in front of a request.
    let start = bytes
        .iter()
        .position(|byte| !matches!(byte, b'\r' | b'\n'))
        .unwrap_or(bytes.len());
    let bytes = bytes.get(start..).unwrap_or_default();
    let word = bytes.iter().position(|byte| !is_token(*byte));
    match word.unwrap_or(bytes.len()) {
        0 if !bytes.is_empty() => return RequestKind::Other,
        ..=MAX_METHOD_BYTES => {}
        _ => return RequestKind::Other,
    }
    let Some(after) = word.and_then(|word| bytes.get(word..)) else {
        return RequestKind::Unclear;
    };
    let end = after
        .iter()
        .position(|byte| byte.is_ascii_control() && *byte != b'\t');
    let line = after.get(..end.unwrap_or(after.len())).unwrap_or_default();
    if !line.starts_with(b" ") {
        RequestKind::Other
    } else if line.windows(7).any(|part| part == b"HTTP/1.") {
        RequestKind::Request
    } else if end.is_none() && bytes.len() < MAX_HEAD_BYTES {
        RequestKind::Unclear
    } else {
        RequestKind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::super::tls::samples::client_hello;
    use super::*;
    use proptest::prelude::*;

    fn look(port: u16, bytes: &[u8]) -> String {
        match RequestGate::new("a.test".into(), port).look(bytes, ClientTurn::MayCome) {
            GateVerdict::NeedMore => "more".into(),
            GateVerdict::Pass(_) | GateVerdict::Open => "pass".into(),
            GateVerdict::Drop => "drop".into(),
            GateVerdict::Refuse(reason) => reason,
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
        let long = format!("GET / HTTP/1.1\r\nx: {}", "y".repeat(MAX_HEAD_BYTES));
        assert_eq!(
            look(8080, long.as_bytes()),
            "http request to a.test cannot be read"
        );
    }

    /// What a server would get of what a client says in pieces, and how it ended.
    fn relayed(mut gate: RequestGate, bytes: &[u8], piece: usize) -> (String, String) {
        let (mut held, mut passed) = (Vec::new(), Vec::new());
        let mut pieces: Vec<(&[u8], ClientTurn)> = bytes
            .chunks(piece)
            .map(|part| (part, ClientTurn::MayCome))
            .collect();
        pieces.push((b"", ClientTurn::Ended));
        let mut end = "open";
        for (part, more) in pieces {
            held.extend_from_slice(part);
            loop {
                match gate.look(&held, more) {
                    GateVerdict::NeedMore | GateVerdict::Pass(0) => break,
                    GateVerdict::Pass(count) => passed.extend(held.drain(..count)),
                    GateVerdict::Open => {
                        end = "unseen";
                        passed.append(&mut held);
                        break;
                    }
                    GateVerdict::Drop => {
                        end = "dropped";
                        held.clear();
                        break;
                    }
                    GateVerdict::Refuse(reason) => return (text(passed), reason),
                }
            }
        }
        (text(passed), end.to_owned())
    }

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8_lossy(&bytes).into_owned()
    }

    const OWN: &str = "GET / HTTP/1.1\r\nHost: a.test\r\n\r\n";
    const OTHER: &str = "GET / HTTP/1.1\r\nHost: b.test\r\n\r\n";

    /// Sees that all of `good` passes, and that what follows it ends the connection.
    #[track_caller]
    fn check_stream(good: &str, bad: &str, reason: &str) {
        for (port, piece) in [(80, 1), (80, 7), (8080, 1), (8080, 1000)] {
            let whole = format!("{good}{bad}");
            let (passed, end) = relayed(RequestGate::new("a.test".into(), port), whole.as_bytes(), piece);
            assert_eq!((passed.as_str(), end.as_str()), (good, reason), "{whole:?}");
        }
    }

    #[test]
    fn every_request_of_a_connection_must_name_the_server() {
        check_stream(OWN, "", "open");
        check_stream(&OWN.repeat(3), "", "open");
        check_stream(OWN, OTHER, "http host b.test ≠ a.test");
        check_stream(&OWN.repeat(2), OTHER, "http host b.test ≠ a.test");
        check_stream(
            OWN,
            &OWN.replace("GET /", "GET http://b.test/"),
            "http target http://b.test/ ≠ a.test",
        );
        let post = "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nhello";
        check_stream(post, "", "open");
        check_stream(post, OTHER, "http host b.test ≠ a.test");
        check_stream(&format!("{post}{OWN}"), OTHER, "http host b.test ≠ a.test");
        let chunked =
            "PUT / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        check_stream(chunked, OTHER, "http host b.test ≠ a.test");
        check_stream(&format!("{chunked}{OWN}"), "", "open");
        // What stands in a body is no request.
        let inside = format!(
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: {}\r\n\r\n{OTHER}",
            OTHER.len()
        );
        check_stream(&inside, "", "open");
        check_stream(OWN, "SSH-2.0-x\r\n", "http request to a.test cannot be read");
        check_stream(
            OWN,
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            "http request to a.test cannot be read",
        );
        check_stream(OWN, "GET /", "words for a.test have no end");
        // A body that is cut short is no request of anybody.
        check_stream(
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 9\r\n\r\ncut",
            "",
            "open",
        );
    }

    #[test]
    fn a_request_whose_end_is_in_doubt_is_refused() {
        let check = |fields: &str, reason: &str| {
            let request = format!("POST / HTTP/1.1\r\nHost: a.test\r\n{fields}\r\n");
            check_stream("", &request, reason);
            check_stream(OWN, &request, reason);
        };
        let twice = "http request to a.test has more than one Content-Length or Transfer-Encoding";
        check("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", twice);
        check("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", twice);
        check("Content-Length: 4\r\nContent-Length: 5\r\n", twice);
        check(
            "Content-Length: +4\r\n",
            "http request to a.test has a Content-Length that is no plain number",
        );
        check(
            "Transfer-Encoding: identity, chunked\r\n",
            "http request to a.test has a Transfer-Encoding other than chunked",
        );
        let unreadable = "http request to a.test cannot be read";
        check("Transfer-Encoding : chunked\r\n", unreadable);
        check("X: y\r\n Host: b.test\r\n", unreadable); // a line that goes on with the one before
        check("X: y\r\n\tz\r\n", unreadable);
        check("X: y\nZ: y\r\n", unreadable);
        check("X: y\rHost: b.test\r\n", unreadable);
        check("X: \0\r\n", unreadable);
        check_stream(OWN, "\nGET / HTTP/1.1\r\nHost: a.test\r\n\r\n", unreadable);
        check_stream(OWN, "GET / HTTP/1.1\nHost: a.test\n\n", unreadable);
        check_stream(
            "",
            "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "http tunnel through a.test",
        );
        let chunked = "PUT / HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";
        let (_, end) = relayed(
            RequestGate::new("a.test".into(), 80),
            format!("{chunked}3;x\r\nabc\r\n").as_bytes(),
            1000,
        );
        assert_eq!(
            end,
            "http request to a.test has a chunk that is not as RFC 9112 has it"
        );
    }

    #[test]
    fn a_web_socket_is_one_when_the_server_says_so() {
        let request = "GET /s HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n";
        let begin = || {
            let mut gate = RequestGate::new("a.test".into(), 80);
            assert_eq!(gate.hear(b""), ServerVerdict::NeedMore);
            let passed = gate.look(request.as_bytes(), ClientTurn::MayCome);
            assert_eq!(passed, GateVerdict::Pass(request.len()));
            assert_eq!(
                gate.look(b"\x81\x05hello", ClientTurn::MayCome),
                GateVerdict::NeedMore
            );
            gate
        };
        let switched = b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81";
        let mut gate = begin();
        for end in 0..switched.len() - 1 {
            assert_eq!(gate.hear(&switched[..end]), ServerVerdict::NeedMore, "{end}");
        }
        assert_eq!(gate.hear(switched), ServerVerdict::Enough);
        assert_eq!(
            gate.look(b"\x81\x05hello", ClientTurn::MayCome),
            GateVerdict::Open
        );
        let mut gate = begin();
        let hints = b"HTTP/1.1 103 Early Hints\r\n\r\n";
        assert_eq!(gate.hear(hints), ServerVerdict::NeedMore);
        assert_eq!(
            gate.hear(&[hints.as_slice(), switched].concat()),
            ServerVerdict::Enough
        );
        assert_eq!(gate.look(b"\x81", ClientTurn::MayCome), GateVerdict::Open);
        let mut gate = begin();
        assert_eq!(gate.hear(b"HTTP/1.1 200 OK\r\n\r\n"), ServerVerdict::Enough);
        assert!(matches!(
            gate.look(b"\x81", ClientTurn::MayCome),
            GateVerdict::Refuse(_)
        ));
        let mut gate = begin();
        assert!(matches!(gate.hear(b"SSH-2.0-x\r\n"), ServerVerdict::Refuse(_)));
        // HTTP/2 would be requests again; and behind others it is not known which answer is meant.
        let other = request.replace("WebSocket", "h2c");
        check_stream(
            &other,
            "PRI * HTTP/2.0\r\n\r\n",
            "http request to a.test cannot be read",
        );
        check_stream(
            &format!("{OWN}{request}"),
            "\x01\x05",
            "http request to a.test cannot be read",
        );
        check_stream(&other, "", "open");
    }

    #[test]
    fn behind_a_request_of_the_proxys_own_nothing_passes() {
        let check = |body: BodyProgress, bytes: &str, passes: &str, expected: &str| {
            for piece in [1, 5, 1000] {
                let gate = RequestGate::for_body("a.test".into(), 80, body.clone());
                let (passed, end) = relayed(gate, bytes.as_bytes(), piece);
                assert_eq!((passed.as_str(), end.as_str()), (passes, expected), "{bytes:?}");
            }
        };
        let next = "GET http://a.test/2 HTTP/1.1\r\nHost: a.test\r\n\r\n";
        let other = "GET http://b.test/2 HTTP/1.1\r\nHost: a.test\r\n\r\n";
        check(BodyProgress::Length(0), "", "", "open");
        check(BodyProgress::Length(4), "body", "body", "open");
        check(
            BodyProgress::Length(4),
            &format!("body{next}{next}"),
            "body",
            "dropped",
        );
        check(
            BodyProgress::Length(4),
            &format!("body{other}"),
            "body",
            "http request for b.test behind one for a.test",
        );
        check(
            BodyProgress::Length(0),
            OWN,
            "",
            "words behind an http request to a.test",
        );
    }

    #[test]
    fn any_word_may_begin_a_request() {
        for method in ["FOO", "get", "PROPFIND", "x"] {
            let own = OWN.replace("GET", method);
            check_stream(&own, "", "open");
            for piece in [1, 3, 1000] {
                let other = OTHER.replace("GET", method);
                let (passed, end) = relayed(RequestGate::new("a.test".into(), 8080), other.as_bytes(), piece);
                assert_eq!(end, "http host b.test ≠ a.test");
                // No more than a line that has no end yet: no server takes that for a request.
                assert!(!passed.contains('\n'), "{passed:?}");
            }
        }
        for word in ["hello", "hello there", "PING"] {
            let (passed, end) = relayed(RequestGate::new("a.test".into(), 22), word.as_bytes(), 2);
            assert_eq!((passed.as_str(), end.as_str()), (word, "open"));
        }
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
        let look = |bytes| RequestGate::new("a.test".into(), 443).look(bytes, ClientTurn::Ended);
        assert_eq!(look(b""), GateVerdict::Pass(0));
        for cut in [&b"\x16\x03"[..], b"GET / HTTP/1.1\r\n", b"GE"] {
            assert!(matches!(look(cut), GateVerdict::Refuse(_)), "{cut:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(
            requests in proptest::collection::vec(
                prop_oneof![
                    Just(OWN.to_owned()),
                    Just(OTHER.to_owned()),
                    "POST / HTTP/1.1\r\nHost: a.test\r\n(Content-Length: [0-9]|Transfer-Encoding: chunked)\r\n\r\n",
                    "[0-3a\r\n GETHost:./]{0,20}",
                    Just("3\r\nabc\r\n0\r\n\r\n".to_owned()),
                ],
                0..6,
            ),
            piece in 1..20_usize,
        ) {
            let bytes = requests.concat();
            let relayed = |piece| relayed(RequestGate::new("a.test".into(), 80), bytes.as_bytes(), piece);
            prop_assert_eq!(relayed(piece), relayed(10_000));
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            look(80, &bytes);
            look(443, &[b"GET / HTTP/1.1\r\nHost: ", &bytes[..]].concat());
        }
    }
}
