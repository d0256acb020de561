//! SOCKS 5 (RFC 1928), as far as it is spoken here: no authentication, CONNECT, a name or an address.
//!
//! Bytes in, values out. Other commands are answered with the code that says so.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::host::TargetHost;

/// How long a greeting or a request can be.
pub(super) const MAX_MESSAGE_BYTES: usize = 512;

/// A client's first message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SocksGreeting {
    /// The greeting is not complete.
    NeedMore,
    /// It can do without authentication; the greeting has this length.
    Open(usize),
    /// The client cannot do without a method that we lack.
    Closed,
}

/// A client's second message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SocksRequest {
    /// The request is not complete.
    NeedMore,
    /// A connection; `length` is the message's.
    Connect {
        host: TargetHost,
        port: u16,
        length: usize,
    },
    /// Nothing that we do.
    Refuse(SocksReply, &'static str),
}

/// The codes of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SocksReply {
    /// Connected.
    Succeeded,
    /// The message cannot be read.
    Failure,
    /// The host may not be reached.
    NotAllowed,
    /// The name has no address.
    HostUnreachable,
    /// Nobody answered.
    Refused,
    /// Not CONNECT.
    CommandNotSupported,
    /// Neither a name nor an address.
    AddressNotSupported,
}

/// The answer to a greeting that is accepted, and to one that is not.
pub(super) const NO_AUTHENTICATION: &[u8] = &[5, 0];
pub(super) const NO_METHOD: &[u8] = &[5, 0xff];

impl SocksReply {
    /// Returns the message. The bound address is of no use to a client, so it is zero.
    pub(super) fn message(self) -> [u8; 10] {
        let code = match self {
            Self::Succeeded => 0,
            Self::Failure => 1,
            Self::NotAllowed => 2,
            Self::HostUnreachable => 4,
            Self::Refused => 5,
            Self::CommandNotSupported => 7,
            Self::AddressNotSupported => 8,
        };
        [5, code, 0, 1, 0, 0, 0, 0, 0, 0]
    }
}

/// Reads a greeting: version, methods.
pub(super) fn greeting(bytes: &[u8]) -> SocksGreeting {
    match bytes {
        [] | [5] => SocksGreeting::NeedMore,
        [5, count, rest @ ..] => match rest.get(..usize::from(*count)) {
            Some(methods) if methods.contains(&0) => SocksGreeting::Open(2 + methods.len()),
            Some(_) => SocksGreeting::Closed,
            None => SocksGreeting::NeedMore,
        },
        _ => SocksGreeting::Closed,
    }
}

/// Reads a request: version, command, zero, address, port.
pub(super) fn request(bytes: &[u8]) -> SocksRequest {
    let (command, kind, rest) = match bytes {
        [5, command, 0, kind, rest @ ..] => (*command, *kind, rest),
        [] | [5] | [5, _] | [5, _, 0] => return SocksRequest::NeedMore,
        _ => return SocksRequest::Refuse(SocksReply::Failure, "a message that is not SOCKS 5"),
    };
    if command != 1 {
        return SocksRequest::Refuse(SocksReply::CommandNotSupported, "a command other than CONNECT");
    }
    let (size, host): (usize, ReadHost) = match (kind, rest) {
        (1, _) => (4, v4),
        (4, _) => (16, v6),
        (3, []) => return SocksRequest::NeedMore,
        (3, [length, ..]) => (1 + usize::from(*length), name),
        _ => return SocksRequest::Refuse(SocksReply::AddressNotSupported, "an unknown kind of address"),
    };
    let port = rest.get(size..).and_then(<[u8]>::first_chunk);
    let (Some(address), Some(port)) = (rest.get(..size), port) else {
        return SocksRequest::NeedMore;
    };
    let port = u16::from_be_bytes(*port);
    match host(address).filter(|_| port != 0) {
        Some(host) => SocksRequest::Connect {
            host,
            port,
            length: 4 + size + 2,
        },
        None => SocksRequest::Refuse(SocksReply::NotAllowed, "a host that is no plain name"),
    }
}

/// Reads the host of one kind of address.
type ReadHost = fn(&[u8]) -> Option<TargetHost>;

fn v4(address: &[u8]) -> Option<TargetHost> {
    let octets: [u8; 4] = address.try_into().ok()?;
    Some(TargetHost::Address(IpAddr::V4(Ipv4Addr::from(octets))))
}

fn v6(address: &[u8]) -> Option<TargetHost> {
    let octets: [u8; 16] = address.try_into().ok()?;
    Some(TargetHost::Address(IpAddr::V6(Ipv6Addr::from(octets))))
}

fn name(address: &[u8]) -> Option<TargetHost> {
    let (_, name) = address.split_first()?;
    TargetHost::parse(str::from_utf8(name).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_greeting_must_offer_no_authentication() {
        for (bytes, expected) in [
            (&b""[..], SocksGreeting::NeedMore),
            (b"\x05", SocksGreeting::NeedMore),
            (b"\x05\x02\x02", SocksGreeting::NeedMore),
            (b"\x05\x01\x00", SocksGreeting::Open(3)),
            (b"\x05\x02\x02\x00rest", SocksGreeting::Open(4)),
            (b"\x05\x01\x02", SocksGreeting::Closed),
            (b"\x05\x00", SocksGreeting::Closed),
            (b"\x04\x01", SocksGreeting::Closed),
        ] {
            assert_eq!(greeting(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_request_names_a_host() {
        let connect = |host, length| SocksRequest::Connect {
            host,
            port: 443,
            length,
        };
        let name = |name: &str| TargetHost::Name(name.into());
        let address = |address: &str| TargetHost::Address(address.parse().unwrap());
        let check = |bytes: &[u8], expected: SocksRequest| {
            assert_eq!(request(bytes), expected, "{bytes:?}");
            if let SocksRequest::Connect { length, .. } = expected {
                for end in 0..length {
                    assert_eq!(
                        request(&bytes[..end]),
                        SocksRequest::NeedMore,
                        "{:?}",
                        &bytes[..end]
                    );
                }
            }
        };
        check(
            b"\x05\x01\x00\x03\x06A.test\x01\xbbrest",
            connect(name("a.test"), 13),
        );
        check(b"\x05\x01\x00\x03\x03abc\x01\xbb", connect(name("abc"), 10)); // as long as an address
        check(
            b"\x05\x01\x00\x03\x0fabcdefghij.test\x01\xbb",
            connect(name("abcdefghij.test"), 22),
        );
        check(
            b"\x05\x01\x00\x03\x0910.0.0.10\x01\xbb",
            connect(address("10.0.0.10"), 16),
        );
        check(
            b"\x05\x01\x00\x01\x7f\x00\x00\x01\x01\xbb",
            connect(address("127.0.0.1"), 10),
        );
        let v6 = [b"\x05\x01\x00\x04", &[0; 15][..], b"\x01\x01\xbb"].concat();
        check(&v6, connect(address("::1"), 22));
    }

    #[test]
    fn everything_else_gets_its_code() {
        for (bytes, code) in [
            (&b"\x05\x02\x00\x01\x7f\x00\x00\x01\x01\xbb"[..], 7), // BIND
            (b"\x05\x03\x00\x01\x00\x00\x00\x00\x00\x00", 7),      // UDP ASSOCIATE
            (b"\x05\x01\x00\x09", 8),
            (b"\x05\x01\x00\x03\x05127.1\x01\xbb", 2),
            (b"\x05\x01\x00\x03\x06a\0test\x01\xbb", 2),
            (b"\x05\x01\x00\x03\x00\x01\xbb", 2),
            (b"\x05\x01\x00\x03\x06a.test\x00\x00", 2),
            (b"\x05\x01\x01\x03", 1),
            (b"\x04\x01", 1),
        ] {
            let SocksRequest::Refuse(reply, _) = request(bytes) else {
                panic!("{bytes:?}")
            };
            assert_eq!(reply.message()[1], code, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            greeting(&bytes);
            request(&bytes);
            request(&[b"\x05\x01\x00", &bytes[..]].concat());
        }
    }
}
