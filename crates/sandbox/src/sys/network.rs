//! The empty network of a sandbox: the loopback interface comes up, and addresses that stand for names lead there.

use std::io;
use std::net::Ipv4Addr;
use std::os::fd::{AsFd, AsRawFd};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};

use super::check;

/// Brings the loopback interface up. Needs `CAP_NET_ADMIN` in the network's user namespace.
pub(crate) fn raise_loopback() -> io::Result<()> {
    let socket = socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    // SAFETY: the structure is plain bytes, for which zero is a value.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: `request` is what this ioctl reads, and lives across the call.
    check(unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw const request) }).map(drop)
}

/// A route message: header, route, two attributes of eight bytes.
const ROUTE_LENGTH: usize = 16 + 12 + 8 + 8;

/// Makes every address of a block one of this machine's own, on the loopback interface.
pub(crate) fn add_local_block(address: Ipv4Addr, prefix: u8) -> io::Result<()> {
    const LOOPBACK_INDEX: u32 = 1;
    let socket = rustix::net::socket_with(
        AddressFamily::NETLINK,
        SocketType::RAW,
        SocketFlags::CLOEXEC,
        None,
    )?;
    let flags = libc::NLM_F_REQUEST | libc::NLM_F_ACK | libc::NLM_F_CREATE;
    let mut message = Vec::with_capacity(ROUTE_LENGTH);
    message.extend((ROUTE_LENGTH as u32).to_ne_bytes());
    message.extend(libc::RTM_NEWROUTE.to_ne_bytes());
    message.extend((flags as u16).to_ne_bytes());
    message.extend(1_u32.to_ne_bytes()); // sequence
    message.extend(0_u32.to_ne_bytes()); // to the kernel
    message.push(libc::AF_INET as u8);
    message.extend([prefix, 0, 0]);
    message.push(libc::RT_TABLE_LOCAL);
    message.push(libc::RTPROT_BOOT);
    message.push(libc::RT_SCOPE_HOST);
    message.push(libc::RTN_LOCAL);
    message.extend(0_u32.to_ne_bytes());
    for (kind, value) in [
        (libc::RTA_DST, address.octets()),
        (libc::RTA_OIF, LOOPBACK_INDEX.to_ne_bytes()),
    ] {
        message.extend(8_u16.to_ne_bytes());
        message.extend(kind.to_ne_bytes());
        message.extend(value);
    }
    rustix::net::send(&socket, &message, rustix::net::SendFlags::empty())?;
    receive_acknowledgement(&socket)
}

/// Reads the answer to one request: header, then zero or a negative error number.
fn receive_acknowledgement(socket: impl AsFd) -> io::Result<()> {
    let mut answer = [0_u8; 256];
    let (length, _) = rustix::net::recv(socket, &mut answer[..], rustix::net::RecvFlags::empty())?;
    let code = answer
        .get(16..20)
        .filter(|_| length >= 20)
        .and_then(|bytes| <[u8; 4]>::try_from(bytes).ok())
        .map(i32::from_ne_bytes);
    match code {
        Some(0) => Ok(()),
        Some(code) => Err(io::Error::from_raw_os_error(-code)),
        None => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
