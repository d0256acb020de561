//! The readers of the egress, one call each, for tests and the fuzzer.

use std::net::Ipv4Addr;

use super::body::Body;
use super::dns::{self, Answer, Wanted};
use super::gate::{Gate, More, Verdict};
use super::host::Host;
use super::http;
use super::socks::{self, Greeting};
use super::tls::{self, Hello};

/// What was made of the bytes that came so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen<T> {
    /// More are needed.
    NeedMore,
    /// It is known what this is.
    Known(T),
    /// It is nothing that is passed on.
    Refused,
}

/// Reads a TLS hello: the name in it, if there is one. Nothing of the kind is refused.
pub fn tls_hello(bytes: &[u8]) -> Seen<Option<String>> {
    match tls::hello(bytes) {
        Hello::NeedMore => Seen::NeedMore,
        Hello::Name(name) => Seen::Known(Some(name)),
        Hello::NoName => Seen::Known(None),
        Hello::NotTls | Hello::Malformed => Seen::Refused,
    }
}

/// A question that the name server was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DnsQuestion {
    /// The name, if it is one of a host.
    pub name: Option<String>,
    /// Whether its address is wanted.
    pub address: bool,
}

/// Answers a query, in a network where every name has the address 198.18.0.1. Returns what was asked, too.
pub fn dns_answer(query: &[u8]) -> (Option<DnsQuestion>, Option<Vec<u8>>) {
    let mut question = None;
    let answer = dns::answer(query, |name, wanted| {
        let address = wanted == Wanted::Address;
        question = Some(DnsQuestion {
            name: name.map(str::to_owned),
            address,
        });
        match (name, wanted) {
            (None, _) => Answer::Unknown,
            (Some(_), Wanted::Address) => Answer::Address(Ipv4Addr::new(198, 18, 0, 1)),
            (Some(_), Wanted::Other) => Answer::Empty,
        }
    });
    (question, answer)
}

/// A host that a client of the proxy wants, and how much of the bytes said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proxied {
    /// The host: a name, or an address written out.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The length of the message.
    pub length: usize,
    /// What is passed on, if the proxy passes on requests.
    pub forwarded: Option<Forwarded>,
}

/// A request as the proxy passes it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forwarded {
    /// Its head.
    pub head: Vec<u8>,
    /// How long the body is; nothing if it comes in chunks.
    pub length: Option<u64>,
}

fn proxied(host: &Host, port: u16, length: usize) -> Proxied {
    Proxied {
        host: host.to_string(),
        port,
        length,
        forwarded: None,
    }
}

/// Reads the head of a request to the proxy.
pub fn proxy_request(bytes: &[u8]) -> Seen<Proxied> {
    match http::parse(bytes) {
        http::Request::NeedMore => Seen::NeedMore,
        http::Request::Connect { host, port, length } => Seen::Known(proxied(&host, port, length)),
        http::Request::Forward {
            host,
            port,
            plain,
            body,
            length,
        } => Seen::Known(Proxied {
            forwarded: Some(Forwarded {
                head: plain.head(&host.to_string(), port),
                length: match body {
                    Body::Length(length) => Some(length),
                    Body::Chunks(_) => None,
                },
            }),
            ..proxied(&host, port, length)
        }),
        http::Request::Refuse(..) => Seen::Refused,
    }
}

/// Reads a greeting of SOCKS: its length.
pub fn socks_greeting(bytes: &[u8]) -> Seen<usize> {
    match socks::greeting(bytes) {
        Greeting::NeedMore => Seen::NeedMore,
        Greeting::Open(length) => Seen::Known(length),
        Greeting::Closed => Seen::Refused,
    }
}

/// Reads a request of SOCKS.
pub fn socks_request(bytes: &[u8]) -> Seen<Proxied> {
    match socks::request(bytes) {
        socks::Request::NeedMore => Seen::NeedMore,
        socks::Request::Connect { host, port, length } => Seen::Known(proxied(&host, port, length)),
        socks::Request::Refuse(..) => Seen::Refused,
    }
}

/// What a server got of what a client said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relayed {
    /// What passed.
    pub passed: Vec<u8>,
    /// Whether it passed without being looked at, from some point on.
    pub unseen: bool,
    /// Why the connection was ended, if it was.
    pub refused: Option<String>,
}

/// Lets a client of `a.test` say something in pieces of this length, and end.
pub fn request_stream(port: u16, bytes: &[u8], piece: usize) -> Relayed {
    let mut gate = Gate::new("a.test".to_owned(), port);
    let mut relayed = Relayed {
        passed: Vec::new(),
        unseen: false,
        refused: None,
    };
    let mut held = Vec::new();
    let pieces = bytes.chunks(piece.max(1)).map(|part| (part, More::MayCome));
    for (part, more) in pieces.chain([(&[][..], More::Ended)]) {
        held.extend_from_slice(part);
        loop {
            match gate.look(&held, more) {
                Verdict::NeedMore | Verdict::Pass(0) => break,
                Verdict::Pass(count) => relayed.passed.extend(held.drain(..count)),
                Verdict::Open => {
                    relayed.unseen = true;
                    relayed.passed.append(&mut held);
                    break;
                }
                Verdict::Drop => {
                    held.clear();
                    break;
                }
                Verdict::Refuse(reason) => {
                    relayed.refused = Some(reason);
                    return relayed;
                }
            }
        }
    }
    relayed
}
