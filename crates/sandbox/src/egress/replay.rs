//! The readers of the egress, one call each, for tests and the fuzzer.

use std::net::Ipv4Addr;

use super::body::BodyProgress;
use super::dns::{self, DnsAnswer, RecordKind};
use super::gate::{ClientTurn, GateVerdict, RequestGate};
use super::host::TargetHost;
use super::http;
use super::socks::{self, SocksGreeting};
use super::tls::{self, TlsHello};

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
        TlsHello::NeedMore => Seen::NeedMore,
        TlsHello::Name(name) => Seen::Known(Some(name)),
        TlsHello::NoName => Seen::Known(None),
        TlsHello::NotTls | TlsHello::Malformed => Seen::Refused,
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
        let address = wanted == RecordKind::Address;
        question = Some(DnsQuestion {
            name: name.map(str::to_owned),
            address,
        });
        match (name, wanted) {
            (None, _) => DnsAnswer::Unknown,
            (Some(_), RecordKind::Address) => DnsAnswer::Address(Ipv4Addr::new(198, 18, 0, 1)),
            (Some(_), RecordKind::Other) => DnsAnswer::Empty,
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
    /// The request's head.
    pub head: Vec<u8>,
    /// How long the body is; nothing if it comes in chunks.
    pub length: Option<u64>,
}

fn proxied(host: &TargetHost, port: u16, length: usize) -> Proxied {
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
        http::ProxyRequest::NeedMore => Seen::NeedMore,
        http::ProxyRequest::Connect { host, port, length } => Seen::Known(proxied(&host, port, length)),
        http::ProxyRequest::Forward {
            host,
            port,
            plain,
            body,
            length,
        } => Seen::Known(Proxied {
            forwarded: Some(Forwarded {
                head: plain.head(&host.to_string(), port),
                length: match body {
                    BodyProgress::Length(length) => Some(length),
                    BodyProgress::Chunks(_) => None,
                },
            }),
            ..proxied(&host, port, length)
        }),
        http::ProxyRequest::Refuse(..) => Seen::Refused,
    }
}

/// Reads a greeting of SOCKS: its length.
pub fn socks_greeting(bytes: &[u8]) -> Seen<usize> {
    match socks::greeting(bytes) {
        SocksGreeting::NeedMore => Seen::NeedMore,
        SocksGreeting::Open(length) => Seen::Known(length),
        SocksGreeting::Closed => Seen::Refused,
    }
}

/// Reads a request of SOCKS.
pub fn socks_request(bytes: &[u8]) -> Seen<Proxied> {
    match socks::request(bytes) {
        socks::SocksRequest::NeedMore => Seen::NeedMore,
        socks::SocksRequest::Connect { host, port, length } => Seen::Known(proxied(&host, port, length)),
        socks::SocksRequest::Refuse(..) => Seen::Refused,
    }
}

/// What a server got of what a client said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relayed {
    /// The bytes that passed.
    pub passed: Vec<u8>,
    /// Whether it passed without being looked at, from some point on.
    pub unseen: bool,
    /// Why the connection was ended, if it was.
    pub refused: Option<String>,
}

/// Lets a client of `a.test` say something in pieces of this length, and end.
pub fn request_stream(port: u16, bytes: &[u8], piece: usize) -> Relayed {
    let mut gate = RequestGate::new("a.test".to_owned(), port);
    let mut relayed = Relayed {
        passed: Vec::new(),
        unseen: false,
        refused: None,
    };
    let mut held = Vec::new();
    let pieces = bytes.chunks(piece.max(1)).map(|part| (part, ClientTurn::MayCome));
    for (part, more) in pieces.chain([(&[][..], ClientTurn::Ended)]) {
        held.extend_from_slice(part);
        loop {
            match gate.look(&held, more) {
                GateVerdict::NeedMore | GateVerdict::Pass(0) => break,
                GateVerdict::Pass(count) => relayed.passed.extend(held.drain(..count)),
                GateVerdict::Open => {
                    relayed.unseen = true;
                    relayed.passed.append(&mut held);
                    break;
                }
                GateVerdict::Drop => {
                    held.clear();
                    break;
                }
                GateVerdict::Refuse(reason) => {
                    relayed.refused = Some(reason);
                    return relayed;
                }
            }
        }
    }
    relayed
}
