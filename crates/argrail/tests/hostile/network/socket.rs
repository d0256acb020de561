//! Sockets that no client needs, made by hand.

use std::io;
use std::net::{SocketAddr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::{PATIENCE, WORD, addresses, talked};
use crate::outcome::{Outcome, check};

/// Families, kinds and protocols that lead to the wire, to the hypervisor, or to the kernel itself.
const FAMILIES: &[(&str, i32, i32, i32)] = &[
    ("raw", libc::AF_INET, libc::SOCK_RAW, libc::IPPROTO_ICMP),
    (
        "raw-flags",
        libc::AF_INET,
        libc::SOCK_RAW | libc::SOCK_CLOEXEC,
        libc::IPPROTO_RAW,
    ),
    ("raw6", libc::AF_INET6, libc::SOCK_RAW, libc::IPPROTO_ICMPV6),
    ("packet", libc::AF_PACKET, libc::SOCK_RAW, 0x0300),
    ("packet-cooked", libc::AF_PACKET, libc::SOCK_DGRAM, 0x0300),
    ("old-packet", libc::AF_INET, OLD_PACKET, 0x0300),
    ("vsock", libc::AF_VSOCK, libc::SOCK_STREAM, 0),
    ("alg", libc::AF_ALG, libc::SOCK_SEQPACKET, 0),
    ("xdp", libc::AF_XDP, libc::SOCK_RAW, 0),
    ("key", libc::AF_KEY, libc::SOCK_RAW, 2),
    ("bluetooth", libc::AF_BLUETOOTH, libc::SOCK_RAW, 1),
    ("can", libc::AF_CAN, libc::SOCK_RAW, 1),
    ("tipc", libc::AF_TIPC, libc::SOCK_STREAM, 0),
    ("rds", libc::AF_RDS, libc::SOCK_SEQPACKET, 0),
    ("audit", libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_AUDIT),
    (
        "netfilter",
        libc::AF_NETLINK,
        libc::SOCK_RAW,
        libc::NETLINK_NETFILTER,
    ),
    ("xfrm", libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_XFRM),
    (
        "uevent",
        libc::AF_NETLINK,
        libc::SOCK_DGRAM,
        libc::NETLINK_KOBJECT_UEVENT,
    ),
    (
        "diag",
        libc::AF_NETLINK,
        libc::SOCK_DGRAM,
        libc::NETLINK_SOCK_DIAG,
    ),
    ("generic", libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_GENERIC),
    ("unix", libc::AF_UNIX, libc::SOCK_STREAM, 0),
    ("unix-datagram", libc::AF_UNIX, libc::SOCK_DGRAM, 0),
];

/// What packet sockets were before they had a family. Some kernels still know it.
const OLD_PACKET: i32 = 10;

/// A protocol that is TCP with more roads.
const MPTCP: i32 = 262;

/// Makes each kind of socket, or only the one given, also with bits that only a careless filter looks at.
pub(super) fn families(args: &[String]) -> Result<Outcome, String> {
    let wanted = |name: &str| args.is_empty() || args.iter().any(|arg| arg == name);
    let ways =
        FAMILIES
            .iter()
            .filter(|(name, ..)| wanted(name))
            .flat_map(|(name, family, kind, protocol)| {
                let high = 1_i64 << 32;
                [0, high].map(|bits| {
                    let made = make(i64::from(*family) | bits, i64::from(*kind), i64::from(*protocol));
                    (
                        format!("{name}{}", if bits == 0 { "" } else { "-high" }),
                        Outcome::of(made, |_| "made".to_owned()),
                    )
                })
            });
    Ok(Outcome::any(ways))
}

fn make(family: i64, kind: i64, protocol: i64) -> io::Result<OwnedFd> {
    // SAFETY: three numbers, of which the kernel reads the lower halves.
    let number = check(unsafe { libc::syscall(libc::SYS_socket, family, kind, protocol) })?;
    let number = i32::try_from(number).map_err(io::Error::other)?;
    // SAFETY: the kernel just made it for us.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

/// Reaches a TCP server by ways that a rule about `connect` may not know of.
pub(super) fn odd_tcp(args: &[String]) -> Result<Outcome, String> {
    let mut ways = Vec::new();
    for address in addresses(args)? {
        let SocketAddr::V4(address) = address else {
            return Err("only IPv4 is tried here".to_owned());
        };
        ways.push((format!("multipath {address}"), talked(by_multipath(address))));
        ways.push((format!("fast-open {address}"), talked(by_fast_open(address))));
    }
    Ok(Outcome::any(ways))
}

fn by_multipath(address: SocketAddrV4) -> io::Result<TcpStream> {
    let socket = make(
        i64::from(libc::AF_INET),
        i64::from(libc::SOCK_STREAM),
        i64::from(MPTCP),
    )?;
    let (name, length) = raw(address);
    // SAFETY: `name` is an address of that length and lives across the call.
    check(unsafe { libc::connect(socket.as_raw_fd(), (&raw const name).cast(), length) })?;
    Ok(socket.into())
}

fn by_fast_open(address: SocketAddrV4) -> io::Result<TcpStream> {
    let socket = make(i64::from(libc::AF_INET), i64::from(libc::SOCK_STREAM), 0)?;
    let (name, length) = raw(address);
    // SAFETY: the bytes and the address live across the call, with their true lengths.
    let sent = unsafe {
        libc::sendto(
            socket.as_raw_fd(),
            WORD.as_ptr().cast(),
            WORD.len(),
            libc::MSG_FASTOPEN | libc::MSG_NOSIGNAL,
            (&raw const name).cast(),
            length,
        )
    };
    check(i64::try_from(sent).map_err(io::Error::other)?)?;
    let stream = TcpStream::from(socket);
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn raw(address: SocketAddrV4) -> (libc::sockaddr_in, libc::socklen_t) {
    let name = libc::sockaddr_in {
        sin_family: libc::AF_INET as libc::sa_family_t,
        sin_port: address.port().to_be(),
        sin_addr: libc::in_addr {
            s_addr: u32::from_ne_bytes(address.ip().octets()),
        },
        sin_zero: [0; 8],
    };
    (name, size_of::<libc::sockaddr_in>() as libc::socklen_t)
}

/// Listens without having bound: the kernel then chooses a port, and no rule about `bind` is asked.
pub(super) fn listen_unbound() -> io::Result<TcpListener> {
    let socket = make(i64::from(libc::AF_INET), i64::from(libc::SOCK_STREAM), 0)?;
    // SAFETY: the descriptor is a socket of ours.
    check(unsafe { libc::listen(socket.as_raw_fd(), 8) })?;
    Ok(socket.into())
}

/// Asks the kernel about routes, which is fine, and then for one to everywhere, which is not.
pub(super) fn route(_: &[String]) -> Result<Outcome, String> {
    let socket = make(
        i64::from(libc::AF_NETLINK),
        i64::from(libc::SOCK_RAW),
        i64::from(libc::NETLINK_ROUTE),
    )
    .map_err(|error| format!("no socket for questions about routes: {error}"))?;
    let question = message(
        libc::RTM_GETLINK,
        libc::NLM_F_REQUEST | libc::NLM_F_DUMP,
        &[0; 16],
    );
    ask(&socket, &question).map_err(|error| format!("a question about links: {error}"))?;
    // Whatever else was answered to the question is not wanted any more.
    let socket = make(
        i64::from(libc::AF_NETLINK),
        i64::from(libc::SOCK_RAW),
        i64::from(libc::NETLINK_ROUTE),
    )
    .map_err(|error| error.to_string())?;
    let flags = libc::NLM_F_REQUEST | libc::NLM_F_ACK | libc::NLM_F_CREATE;
    let mut body = vec![
        libc::AF_INET as u8,
        0,
        0,
        0,
        libc::RT_TABLE_MAIN,
        3,
        0,
        1,
        0,
        0,
        0,
        0,
    ];
    body.extend([8, 0, 4, 0, 1, 0, 0, 0]); // through the loopback interface
    let answer = ask(&socket, &message(libc::RTM_NEWROUTE, flags, &body));
    Ok(Outcome::of(answer, |()| "a route to everywhere".to_owned()))
}

fn message(kind: u16, flags: i32, body: &[u8]) -> Vec<u8> {
    let mut message = Vec::new();
    message.extend((16 + body.len() as u32).to_ne_bytes());
    message.extend(kind.to_ne_bytes());
    message.extend((flags as u16).to_ne_bytes());
    message.extend([0; 8]); // sequence, and to the kernel
    message.extend(body);
    message
}

/// Sends one request and reads the beginning of the answer, which may be an error.
fn ask(socket: &OwnedFd, request: &[u8]) -> io::Result<()> {
    // SAFETY: the bytes live across the call.
    let sent = unsafe { libc::send(socket.as_raw_fd(), request.as_ptr().cast(), request.len(), 0) };
    check(i64::try_from(sent).map_err(io::Error::other)?)?;
    let mut answer = [0_u8; 32 * 1024];
    // SAFETY: `answer` is a place to write to, of that length.
    let length = unsafe { libc::recv(socket.as_raw_fd(), answer.as_mut_ptr().cast(), answer.len(), 0) };
    check(i64::try_from(length).map_err(io::Error::other)?)?;
    let kind = u16::from_ne_bytes([answer[4], answer[5]]);
    let code = i32::from_ne_bytes([answer[16], answer[17], answer[18], answer[19]]);
    if i32::from(kind) == libc::NLMSG_ERROR && code != 0 {
        return Err(io::Error::from_raw_os_error(-code));
    }
    Ok(())
}

/// Makes a ring through which the kernel would open sockets by itself, unseen by a filter.
pub(super) fn io_uring(_: &[String]) -> Result<Outcome, String> {
    let mut parameters = [0_u8; 120];
    // SAFETY: `parameters` is as long as the structure that the kernel fills.
    let ring = check(unsafe { libc::syscall(libc::SYS_io_uring_setup, 8, parameters.as_mut_ptr()) });
    // SAFETY: plain numbers; with no ring behind them there is nothing to do.
    let enter = check(unsafe { libc::syscall(libc::SYS_io_uring_enter, 0, 0, 0, 0, 0, 0) });
    // SAFETY: plain numbers, no memory.
    let register = check(unsafe { libc::syscall(libc::SYS_io_uring_register, -1, 0, 0, 0) });
    let told = |result: io::Result<i64>| match result {
        // Only a filter or a kernel without rings says so; anything else was looked at by the ring's own code.
        Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => Outcome::Blocked("ENOSYS".to_owned()),
        Err(error) => Outcome::Escaped(format!("got as far as {}", crate::errno::name(&error))),
        Ok(value) => Outcome::Escaped(value.to_string()),
    };
    Ok(Outcome::any([
        ("setup", told(ring)),
        ("enter", told(enter)),
        ("register", told(register)),
    ]))
}
