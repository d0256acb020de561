//! This machine's own addresses, which are no part of the open internet for whoever is on it.
//!
//! A listed name may lead to the public address of this very machine, and there to what trusts whoever is near: a
//! database, a development server, an agent's socket. The kernel is asked what it would do with a packet: an address that
//! it delivers here is our own, whatever interface, alias or range it comes from. A router in front of us that sends
//! its own address back in here is not seen.

use std::io;
use std::net::IpAddr;

use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with};

use super::address::{embedded_ipv4, is_global};

/// What is said of such an address.
pub(super) const OWN_ADDRESS: &str = "this machine's own";

/// What is said where the kernel cannot be asked.
const PERHAPS_OWN_ADDRESS: &str = "perhaps this machine's own";

/// Asks whether an address is one of this machine's own.
pub(super) type AskOwn = fn(IpAddr) -> io::Result<bool>;

/// Returns the address to dial when `address` is one of the open internet and not this machine's own.
///
/// # Errors
/// What it is instead: loopback, private, link-local, a cloud's metadata, this machine itself.
pub fn is_public(address: IpAddr) -> Result<IpAddr, &'static str> {
    is_public_by(address, is_own)
}

pub(super) fn is_public_by(address: IpAddr, is_own: AskOwn) -> Result<IpAddr, &'static str> {
    let global = is_global(address)?;
    let inside = match global {
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) => embedded_ipv4(v6).map(IpAddr::V4),
    };
    for address in [Some(global), inside].into_iter().flatten() {
        match is_own(address) {
            Ok(false) => {}
            Ok(true) => return Err(OWN_ADDRESS),
            Err(_) => return Err(PERHAPS_OWN_ADDRESS),
        }
    }
    Ok(global)
}

/// Asks the kernel where a packet to this address would go.
pub(super) fn is_own(address: IpAddr) -> io::Result<bool> {
    let socket = socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        None,
    )?;
    send(&socket, &question(address), SendFlags::empty())?;
    let mut answer = [0; 1024];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
    read(answer.get(..length).unwrap_or_default())
}

/// A header, a route of which only the destination is known, and the destination.
fn question(address: IpAddr) -> Vec<u8> {
    let (family, octets) = match address {
        IpAddr::V4(v4) => (libc::AF_INET, v4.octets().to_vec()),
        IpAddr::V6(v6) => (libc::AF_INET6, v6.octets().to_vec()),
    };
    let bits = (octets.len() * 8) as u8;
    let attribute = (4 + octets.len()) as u16;
    let length = 16 + 12 + u32::from(attribute);
    let mut message = Vec::with_capacity(64);
    message.extend(length.to_ne_bytes());
    message.extend(libc::RTM_GETROUTE.to_ne_bytes());
    message.extend((libc::NLM_F_REQUEST as u16).to_ne_bytes());
    message.extend(1_u32.to_ne_bytes()); // sequence
    message.extend(0_u32.to_ne_bytes()); // to the kernel
    message.extend([family as u8, bits]);
    message.extend([0; 10]);
    message.extend(attribute.to_ne_bytes());
    message.extend(libc::RTA_DST.to_ne_bytes());
    message.extend(octets);
    message
}

/// Reads the route, or why there is none. Where there is none, nobody is reached, and so not we.
fn read(answer: &[u8]) -> io::Result<bool> {
    let odd = || io::Error::from(io::ErrorKind::InvalidData);
    let (header, rest) = answer.split_first_chunk::<16>().ok_or_else(odd)?;
    let [_, _, _, _, low, high, ..] = *header;
    match u16::from_ne_bytes([low, high]) {
        libc::RTM_NEWROUTE => {
            let route: &[u8; 12] = rest.first_chunk().ok_or_else(odd)?;
            let [_, _, _, _, _, _, _, kind, ..] = *route;
            Ok(kind == libc::RTN_LOCAL || kind == libc::RTN_ANYCAST)
        }
        kind if i32::from(kind) == libc::NLMSG_ERROR => {
            let code: &[u8; 4] = rest.first_chunk().ok_or_else(odd)?;
            let error = Errno::from_raw_os_error(i32::from_ne_bytes(*code).saturating_neg());
            match error {
                Errno::NETUNREACH | Errno::HOSTUNREACH => Ok(false),
                error => Err(error.into()),
            }
        }
        _ => Err(odd()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_kernel_knows_what_is_delivered_here() {
        for own in ["127.0.0.1", "127.5.6.7", "::1"] {
            assert!(is_own(own.parse().unwrap()).unwrap(), "{own}");
        }
        // Every machine has a route to these or none; neither leads back.
        for other in ["8.8.8.8", "192.88.98.1", "2001:4860:4860::8888", "2606:4700::1"] {
            assert!(!is_own(other.parse().unwrap()).unwrap(), "{other}");
        }
    }

    #[test]
    fn our_own_address_is_refused_in_every_dress() {
        fn ours(address: IpAddr) -> io::Result<bool> {
            let own: [IpAddr; 2] = ["8.8.4.4".parse().unwrap(), "2606:4700::9".parse().unwrap()];
            Ok(own.contains(&address))
        }
        let check = |address: &str, expected: Result<&str, &str>| {
            let found = is_public_by(address.parse().unwrap(), ours).map(|found| found.to_string());
            assert_eq!(found.as_deref().map_err(|what| *what), expected, "for {address}");
        };
        check("8.8.8.8", Ok("8.8.8.8"));
        check("8.8.4.4", Err(OWN_ADDRESS));
        check("::ffff:8.8.4.4", Err(OWN_ADDRESS));
        check("64:ff9b::808:404", Err(OWN_ADDRESS)); // NAT64
        check("2002:808:404::1", Err(OWN_ADDRESS)); // 6to4
        check("2606:4700::5efe:808:404", Err(OWN_ADDRESS)); // ISATAP
        check("2606:4700::9", Err(OWN_ADDRESS));
        check("2606:4700::a", Ok("2606:4700::a"));
        check("127.0.0.1", Err("loopback"));
        let silent: AskOwn = |_| Err(io::ErrorKind::PermissionDenied.into());
        assert_eq!(
            is_public_by("8.8.8.8".parse().unwrap(), silent),
            Err(PERHAPS_OWN_ADDRESS)
        );
    }

    proptest! {
        #[test]
        fn no_answer_panics(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = read(&bytes);
        }
    }
}
