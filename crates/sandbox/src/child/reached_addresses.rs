//! Whom a child wants to reach, where it can reach nobody.
//!
//! Only addresses of the internet are of interest: everything else that a socket is pointed at stays on the machine, and
//! the filter has no such sockets.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::caller::BlockedCaller;
use super::infer::SOME_HOST;
use crate::denial::{DenialKind, Denials};

/// The longest address that is read: that of IPv6.
const MAX_ADDRESS_BYTES: usize = 28;

/// Where names are looked up when nobody says where.
const DNS_PORT: u16 = 53;

/// Whether the child has a loopback interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopbackAccess {
    /// One of its own: what it reaches there is itself.
    Own,
    /// There is no loopback interface.
    Absent,
}

/// Notes whom a call wants to reach. Always left to the kernel, which knows no way there.
pub(super) fn look(caller: &BlockedCaller<'_>, loopback: LoopbackAccess, denials: &Denials) {
    let address = match caller.call() {
        libc::SYS_connect => address(caller, caller.argument(1), caller.argument(2)),
        libc::SYS_sendto => address(caller, caller.argument(4), caller.argument(5)),
        // The first of several messages is as good as any.
        libc::SYS_sendmsg | libc::SYS_sendmmsg => message_address(caller),
        _ => None,
    };
    let Some(address) = address.filter(|_| caller.waits()) else {
        return;
    };
    match address_owner(address, loopback) {
        AddressOwner::Nobody => {}
        AddressOwner::SomeName => denials.saw(DenialKind::Net, SOME_HOST),
        AddressOwner::Host => denials.saw(DenialKind::Net, &address.to_string()),
    }
}

fn address(caller: &BlockedCaller<'_>, at: u64, length: u64) -> Option<SocketAddr> {
    let length = usize::try_from(length).ok()?.min(MAX_ADDRESS_BYTES);
    parse(&caller.read(at, length)?)
}

/// The address in a message's head: where it stands, and how long it is.
fn message_address(caller: &BlockedCaller<'_>) -> Option<SocketAddr> {
    let head = caller.read(caller.argument(1), 12)?;
    let (at, length) = head.split_at_checked(8)?;
    let at = u64::from_ne_bytes(at.try_into().ok()?);
    let length = u32::from_ne_bytes(length.try_into().ok()?);
    if at == 0 {
        return None;
    }
    address(caller, at, length.into())
}

/// Reads an address as the kernel lays it out, if it is one of the internet.
pub(super) fn parse(bytes: &[u8]) -> Option<SocketAddr> {
    let (family, rest) = bytes.split_first_chunk::<2>()?;
    let (port, rest) = rest.split_first_chunk::<2>()?;
    let ip: IpAddr = match i32::from(u16::from_ne_bytes(*family)) {
        libc::AF_INET => Ipv4Addr::from(*rest.first_chunk::<4>()?).into(),
        libc::AF_INET6 => {
            let (_flow, rest) = rest.split_first_chunk::<4>()?;
            Ipv6Addr::from(*rest.first_chunk::<16>()?).to_canonical()
        }
        _ => return None,
    };
    Some(SocketAddr::new(ip, u16::from_be_bytes(*port)))
}

/// Who is meant by an address.
#[derive(Debug, PartialEq, Eq)]
enum AddressOwner {
    /// The child itself.
    Nobody,
    /// Somebody whose name it looks up, which is not known here: without a list of servers, libraries ask this machine.
    SomeName,
    Host,
}

fn address_owner(address: SocketAddr, loopback: LoopbackAccess) -> AddressOwner {
    // The unspecified address leads to this machine, too.
    let local = address.ip().is_loopback() || address.ip().is_unspecified();
    match (local, loopback) {
        (true, _) if address.port() == DNS_PORT => AddressOwner::SomeName,
        (true, LoopbackAccess::Own) => AddressOwner::Nobody,
        (true, LoopbackAccess::Absent) | (false, _) => AddressOwner::Host,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn v4(address: [u8; 4], port: u16) -> Vec<u8> {
        let mut bytes = (libc::AF_INET as u16).to_ne_bytes().to_vec();
        bytes.extend(port.to_be_bytes());
        bytes.extend(address);
        bytes.extend([0; 8]);
        bytes
    }

    fn v6(address: &str, port: u16) -> Vec<u8> {
        let mut bytes = (libc::AF_INET6 as u16).to_ne_bytes().to_vec();
        bytes.extend(port.to_be_bytes());
        bytes.extend([9; 4]);
        bytes.extend(address.parse::<Ipv6Addr>().unwrap().octets());
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn addresses_are_read_as_the_kernel_lays_them_out() {
        let check = |bytes: &[u8], expected: Option<&str>| {
            let read = parse(bytes).map(|address| address.to_string());
            assert_eq!(read.as_deref(), expected, "{bytes:?}");
        };
        check(&v4([192, 0, 2, 1], 443), Some("192.0.2.1:443"));
        check(&v6("2001:db8::1", 80), Some("[2001:db8::1]:80"));
        check(&v6("::ffff:192.0.2.1", 80), Some("192.0.2.1:80"));
        check(&v4([192, 0, 2, 1], 443)[..7], None);
        check(&v6("2001:db8::1", 80)[..23], None);
        check(&[], None);
        let mut unix = (libc::AF_UNIX as u16).to_ne_bytes().to_vec();
        unix.extend(b"/run/nscd/socket\0");
        check(&unix, None);
    }

    #[test]
    fn its_own_loopback_is_nobody_else() {
        let check = |address: &str, loopback, expected| {
            assert_eq!(
                address_owner(address.parse().unwrap(), loopback),
                expected,
                "{address} {loopback:?}"
            );
        };
        check("192.0.2.1:443", LoopbackAccess::Own, AddressOwner::Host);
        check("192.0.2.1:53", LoopbackAccess::Absent, AddressOwner::Host);
        check("127.0.0.1:8080", LoopbackAccess::Own, AddressOwner::Nobody);
        check("127.0.0.1:8080", LoopbackAccess::Absent, AddressOwner::Host);
        check("[::1]:8080", LoopbackAccess::Own, AddressOwner::Nobody);
        check("0.0.0.0:8080", LoopbackAccess::Own, AddressOwner::Nobody);
        check("127.0.0.1:53", LoopbackAccess::Absent, AddressOwner::SomeName);
        check("127.0.0.1:53", LoopbackAccess::Own, AddressOwner::SomeName);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_are_no_address(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some(address) = parse(&bytes) {
                prop_assert!(bytes.len() >= 8);
                prop_assert_eq!(address.port(), u16::from_be_bytes([bytes[2], bytes[3]]));
            }
        }
    }
}
