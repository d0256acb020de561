//! A name and a port become a connected socket, or a reason.
//!
//! The name is resolved once; each address is judged, and exactly the address that was judged is dialled.

use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

use super::address;
use super::own_addresses::{AskOwn, is_public_by};
use super::stop::StopSignal;

/// How many addresses of one name are tried.
const MAX_ADDRESSES_TRIED: usize = 4;

/// How long the system's resolver is waited for.
const RESOLVE_TIMEOUT: Duration = Duration::from_secs(30);

/// How many questions to the resolver may be open, those included that nobody waits for any more.
const MAX_OPEN_LOOKUPS: usize = 512;

/// Why nobody was reached.
#[derive(Debug)]
pub(super) enum DialFailure {
    /// Every address of the name is one that is not dialled; this is the first, and what it is.
    Refused(IpAddr, &'static str),
    /// The name has no address.
    Unresolved,
    /// Nobody answered.
    Unreachable(io::Error),
}

/// How names become sockets.
#[derive(Debug)]
pub(super) struct Dialer {
    /// Names with fixed addresses.
    pub(super) overrides: Vec<(String, IpAddr)>,
    /// Whether the machine itself may be dialled.
    pub(super) loopback: bool,
    /// Names that may lead anywhere, in lower case.
    pub(super) private_names: Vec<String>,
    /// Names that lead to unix sockets of the host, in lower case.
    pub(super) socket_routes: Vec<(String, PathBuf)>,
    /// How long each address may take to answer.
    pub(super) patience: Duration,
    /// Held by every question to the resolver, which makes them countable.
    pub(super) lookups: Arc<()>,
    /// Tells this machine's own addresses.
    pub(super) is_own: AskOwn,
}

impl Dialer {
    /// Connects to `name`, which is in lower case and without a trailing dot.
    pub(super) fn dial(&self, name: &str, port: u16, stop: &StopSignal) -> Result<TcpStream, DialFailure> {
        if let Some((_, socket)) = self.socket_routes.iter().find(|(own, _)| own == name) {
            return open_door(socket).map_err(DialFailure::Unreachable);
        }
        let mut addresses = self.preset_addresses(name);
        if addresses.is_empty() {
            addresses = self
                .resolve(name, port, stop)
                .map_err(|_| DialFailure::Unresolved)?;
        }
        let mut failure = DialFailure::Unresolved;
        let mut tries = 0;
        for address in addresses {
            let address = match self.judge(name, address) {
                Ok(address) => address,
                Err(what) => {
                    if matches!(failure, DialFailure::Unresolved) {
                        failure = DialFailure::Refused(address, what);
                    }
                    continue;
                }
            };
            match connect(SocketAddr::new(address, port), stop, self.patience) {
                Ok(stream) => return Ok(stream),
                Err(error) => failure = DialFailure::Unreachable(error),
            }
            tries += 1;
            if tries == MAX_ADDRESSES_TRIED {
                break;
            }
        }
        Err(failure)
    }

    fn preset_addresses(&self, name: &str) -> Vec<IpAddr> {
        let same = |own: &str| own.strip_suffix('.').unwrap_or(own).eq_ignore_ascii_case(name);
        let own = self.overrides.iter().filter(|(own, _)| same(own));
        own.map(|(_, address)| *address).collect()
    }

    /// Asks the system's resolver.
    ///
    /// It cannot be interrupted, and without a network it takes its time. So it runs in a thread of its
    /// own, which owns nothing but the name and is left to itself when the end comes first.
    fn resolve(&self, name: &str, port: u16, stop: &StopSignal) -> io::Result<Vec<IpAddr>> {
        if Arc::strong_count(&self.lookups) > MAX_OPEN_LOOKUPS {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let lookup = Arc::clone(&self.lookups);
        let (done, mut working) = io::pipe()?;
        let found = Arc::new(Mutex::new(Vec::new()));
        let (result, name) = (Arc::clone(&found), name.to_owned());
        Builder::new().name("resolve".into()).spawn(move || {
            if let Ok(addresses) = (name.as_str(), port).to_socket_addrs() {
                let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
                *result = addresses.map(|address| address.ip()).collect();
            }
            // A byte, since a child that was just forked may hold a copy and keep the pipe open.
            let _ = working.write_all(&[1]);
            drop(lookup);
        })?;
        stop.wait(
            done.as_fd(),
            PollFlags::IN,
            Some(Instant::now() + RESOLVE_TIMEOUT),
        )?;
        let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(std::mem::take(&mut *found))
    }

    fn judge(&self, name: &str, given: IpAddr) -> Result<IpAddr, &'static str> {
        if self.private_names.iter().any(|known| known == name) {
            // Nobody keeps packages where a cloud keeps its keys.
            return match address::is_global(given) {
                Err(what) if what.ends_with("cloud metadata") => Err(what),
                Ok(public) => Ok(public),
                Err(_) => Ok(given),
            };
        }
        match (self.loopback, address::loopback(given)) {
            (true, Some(own)) => Ok(own),
            // What listens on the machine's other addresses is no nearer than what may be dialled.
            (true, None) => address::is_global(given),
            (false, _) => is_public_by(given, self.is_own),
        }
    }
}

/// Connects to a unix socket of the host. It is carried as any other stream: what a relay does with one, reading,
/// writing, closing one side, is the same for both.
fn open_door(path: &Path) -> io::Result<TcpStream> {
    let address = SocketAddrUnix::new(path)?;
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    rustix::net::connect(&socket, &address)?;
    Ok(socket.into())
}

/// Connects a new socket.
fn connect(address: SocketAddr, stop: &StopSignal, patience: Duration) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
    connect_socket(&socket, address, stop, patience)?;
    Ok(socket.into())
}

/// Connects a socket that exists already, and which is made non-blocking.
pub(super) fn connect_socket(
    socket: &OwnedFd,
    address: SocketAddr,
    stop: &StopSignal,
    patience: Duration,
) -> io::Result<()> {
    rustix::io::ioctl_fionbio(socket, true)?;
    match rustix::net::connect(socket, &address) {
        Ok(()) => Ok(()),
        Err(Errno::INPROGRESS | Errno::INTR) => {
            let waited = stop.wait(socket.as_fd(), PollFlags::OUT, Some(Instant::now() + patience));
            // Whoever is connected by now may have spoken already, and ended.
            if rustix::net::getpeername(socket).is_err() {
                waited?;
            }
            Ok(rustix::net::sockopt::socket_error(socket)??)
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn dialer(overrides: &[(&str, &str)], loopback: bool) -> Dialer {
        let parse = |(name, address): &(&str, &str)| ((*name).to_owned(), address.parse().unwrap());
        Dialer {
            overrides: overrides.iter().map(parse).collect(),
            loopback,
            private_names: vec!["own.test".to_owned()],
            socket_routes: Vec::new(),
            patience: Duration::from_secs(30),
            lookups: Arc::default(),
            is_own: |address| Ok(address == IpAddr::from([11, 22, 33, 44])),
        }
    }

    #[test]
    fn a_fixed_address_is_judged_like_any_other() {
        let stop = StopSignal::new().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let dial =
            |overrides: &[(&str, &str)], loopback| dialer(overrides, loopback).dial("a.test", port, &stop);
        let refused = |result: Result<TcpStream, DialFailure>| match result {
            Err(DialFailure::Refused(address, what)) => format!("{address} {what}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            refused(dial(&[("a.test", "127.0.0.1")], false)),
            "127.0.0.1 loopback"
        );
        assert_eq!(
            refused(dial(&[("A.test.", "::ffff:127.0.0.1")], false)),
            "::ffff:127.0.0.1 loopback"
        );
        assert!(refused(dial(&[("a.test", "169.254.169.254")], true)).contains("metadata"));
        assert!(refused(dial(&[("a.test", "10.0.0.1"), ("a.test", "::")], true)).contains("10.0.0.1"));
        let own = dialer(&[("own.test", "127.0.0.1")], false).dial("own.test", port, &stop);
        assert_eq!(own.unwrap().peer_addr().unwrap(), listener.local_addr().unwrap());
        let keys = dialer(&[("own.test", "169.254.169.254")], false).dial("own.test", port, &stop);
        assert!(refused(keys).contains("metadata"));
        // A public address that is this machine's: not even tried.
        let mine = &[("a.test", "11.22.33.44"), ("a.test", "::ffff:11.22.33.44")];
        assert_eq!(refused(dial(mine, false)), "11.22.33.44 this machine's own");
        let both = dial(&[("a.test", "10.0.0.1"), ("a.test", "::ffff:127.0.0.1")], true).unwrap();
        assert_eq!(both.peer_addr().unwrap(), listener.local_addr().unwrap());
    }

    #[test]
    fn nobody_there_is_no_refusal() {
        let stop = StopSignal::new().unwrap();
        let (_held, port) = super::super::fixture::silent_port();
        let result = dialer(&[("a.test", "127.0.0.1")], true).dial("a.test", port, &stop);
        assert!(matches!(result, Err(DialFailure::Unreachable(_))), "{result:?}");
        let result = dialer(&[], false).dial("localhost", port, &stop); // the system knows this one
        assert!(
            matches!(result, Err(DialFailure::Refused(_, "loopback"))),
            "{result:?}"
        );
    }

    #[test]
    fn a_door_is_opened_by_its_name_alone() {
        let stop = StopSignal::new().unwrap();
        let place = tempfile::tempdir().unwrap();
        let socket = place.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let dialer = Dialer {
            socket_routes: vec![
                ("host.test".to_owned(), socket.clone()),
                ("gone.test".to_owned(), place.path().join("gone")),
                ("long.test".to_owned(), place.path().join("x".repeat(200))),
            ],
            ..dialer(
                &[("host.test", "169.254.169.254"), ("a.test", "127.0.0.1")],
                false,
            )
        };
        for port in [80, 443, 1] {
            assert!(dialer.dial("host.test", port, &stop).is_ok(), "{port}");
        }
        for absent in ["gone.test", "long.test"] {
            let result = dialer.dial(absent, 80, &stop);
            assert!(matches!(result, Err(DialFailure::Unreachable(_))), "{result:?}");
        }
        let result = dialer.dial("a.test", 80, &stop);
        assert!(matches!(result, Err(DialFailure::Refused(..))), "{result:?}");
    }
}
