//! The child's network: a loopback interface at most, and sockets on it that the host serves.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::net::{AddressFamily, SocketFlags, SocketType, bind, listen, socket_with, sockopt};

use super::order::{ListenSocket, NetworkSetup};
use super::wire::{LauncherEvent, send};
use crate::sys::network::{add_local_block, raise_loopback};

/// How many connections may wait to be accepted.
const LISTEN_BACKLOG: i32 = 128;

/// The block of addresses that stand for names: set aside for benchmarks, so nobody's.
pub(crate) const NAME_ADDRESS_BLOCK: (Ipv4Addr, u8) = (Ipv4Addr::new(198, 18, 0, 0), 15);

/// Sets the network up and hands its sockets to the host.
pub(super) fn open(network: &NetworkSetup, host: &OwnedFd) -> io::Result<()> {
    if network.loopback {
        raise_loopback()?;
    }
    let transparent = |listen: &ListenSocket| matches!(listen, ListenSocket::Transparent(_));
    if network.listen.iter().any(transparent) {
        add_local_block(NAME_ADDRESS_BLOCK.0, NAME_ADDRESS_BLOCK.1)?;
    }
    let mut sockets: Vec<OwnedFd> = network
        .listen
        .iter()
        .map(|listen| open_one(*listen))
        .collect::<io::Result<_>>()?;
    for _ in 0..network.outbound {
        sockets.push(socket_with(
            AddressFamily::INET,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )?);
    }
    if sockets.is_empty() {
        return Ok(());
    }
    let sockets: Vec<BorrowedFd<'_>> = sockets.iter().map(AsFd::as_fd).collect();
    send(host, &LauncherEvent::Sockets, &sockets)
}

fn open_one(what: ListenSocket) -> io::Result<OwnedFd> {
    let (kind, address, port) = match what {
        ListenSocket::DnsUdp => (SocketType::DGRAM, Ipv4Addr::LOCALHOST, 53),
        ListenSocket::DnsTcp => (SocketType::STREAM, Ipv4Addr::LOCALHOST, 53),
        ListenSocket::Proxy(port) => (SocketType::STREAM, Ipv4Addr::LOCALHOST, port),
        ListenSocket::Transparent(port) => (SocketType::STREAM, Ipv4Addr::UNSPECIFIED, port),
    };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::INET, kind, flags, None)?;
    sockopt::set_socket_reuseaddr(&socket, true)?;
    bind(&socket, &SocketAddrV4::new(address, port))?;
    if kind == SocketType::STREAM {
        listen(&socket, LISTEN_BACKLOG)?;
    }
    Ok(socket)
}
