//! The child's network as one thing: what is listed, who was dialled, what was refused.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::connection_threads::{Admission, ConnectionThreads};
use super::deadline_socket::DeadlineSocket;
use super::dial::{DialFailure, Dialer};
use super::dns::{self, DnsAnswer, RecordKind};
use super::host::TargetHost;
use super::names::NameAddresses;
use super::own_addresses::is_own;
use super::relay::{ConnectionEnd, FirstBytes, Traffic, TrafficMeter, relay};
use super::stop::StopSignal;
use super::unreached::{Absence, Unreached, UnreachedHosts};
use super::{proxy, transparent};
use crate::policy::HostPattern;
use crate::{DenialKind, Denials};

/// How many names are kept for the report.
const MAX_REPORTED_HOSTS: usize = 256;

/// What a child may reach, and how.
#[derive(Debug)]
pub(crate) struct EgressOptions {
    /// The names that are listed.
    pub(crate) allow: Vec<HostPattern>,
    /// Names with fixed addresses: local services, tests. Judged like any other address.
    pub(crate) resolve: Vec<(String, IpAddr)>,
    /// Whether names may lead to the machine itself.
    pub(crate) loopback: bool,
    /// Names that may lead anywhere.
    pub(crate) private_names: Vec<String>,
    /// Names that lead to unix sockets of the host, in lower case. They are listed, too.
    pub(crate) socket_routes: Vec<(String, PathBuf)>,
    /// Where refusals are noted.
    pub(crate) denials: Denials,
    /// How much of everything.
    pub(crate) limits: EgressLimits,
}

/// How much a child can ask of the host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EgressLimits {
    /// Connections at once.
    pub(crate) connections: usize,
    /// Names that get an address.
    pub(crate) names: usize,
    /// How long a client may take to say whom it wants.
    pub(crate) handshake: Duration,
    /// How long each address of a server may take to answer.
    pub(crate) connect: Duration,
}

impl Default for EgressLimits {
    fn default() -> Self {
        Self {
            connections: 256,
            names: 4096,
            handshake: Duration::from_secs(30),
            connect: Duration::from_secs(10),
        }
    }
}

/// Which listener a connection came through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EgressListener {
    /// The name server's port.
    Dns,
    /// A proxy's port: HTTP and SOCKS.
    Proxy,
    /// A port that clients believe to be the server's.
    Transparent(u16),
}

/// The network of one child.
#[derive(Debug)]
pub(crate) struct EgressService {
    allow: Vec<HostPattern>,
    dialer: Dialer,
    denials: Denials,
    limits: EgressLimits,
    names: NameAddresses,
    threads: ConnectionThreads,
    meter: TrafficMeter,
    hosts: Mutex<Vec<String>>,
    unreached: UnreachedHosts,
}

/// Why a host was not reached, with the host.
#[derive(Debug)]
pub(super) struct MissedHost {
    target: String,
    pub(super) cause: MissCause,
}

/// Why a host was not reached.
#[derive(Debug)]
pub(super) enum MissCause {
    /// The name is not listed.
    NotListed,
    /// It is an address, and only names are listed.
    Literal,
    /// The name leads to an address that is not dialled.
    Address(IpAddr, &'static str),
    /// The name has no address.
    Unresolved,
    /// Nobody answered.
    Unreachable(io::Error),
}

impl fmt::Display for MissedHost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = &self.target;
        match &self.cause {
            MissCause::NotListed => write!(
                out,
                "{target} is refused: network.egress of the policy does not list it"
            ),
            MissCause::Literal => {
                write!(
                    out,
                    "{target} is refused: network.egress of the policy lists names, so use the name"
                )
            }
            MissCause::Address(address, what) => write!(
                out,
                "{target} is refused: its address {address} is {what}, \
                 and network.egress reaches the open internet only"
            ),
            MissCause::Unresolved => write!(out, "{target} is listed, but has no address"),
            MissCause::Unreachable(error) => {
                write!(out, "{target} is listed, but cannot be reached: {error}")
            }
        }
    }
}

impl EgressService {
    /// Makes a network in which nothing is open yet.
    pub(crate) fn new(options: EgressOptions) -> io::Result<Arc<Self>> {
        let EgressOptions {
            allow,
            resolve,
            loopback,
            private_names: anywhere,
            socket_routes,
            denials,
            limits,
        } = options;
        Ok(Arc::new(Self {
            allow,
            dialer: Dialer {
                overrides: resolve,
                loopback,
                private_names: anywhere,
                socket_routes,
                patience: limits.connect,
                is_own,
                lookups: Arc::default(),
            },
            denials,
            limits,
            names: NameAddresses::new(limits.names),
            threads: ConnectionThreads::new(limits.connections)?,
            meter: TrafficMeter::default(),
            hosts: Mutex::default(),
            unreached: UnreachedHosts::default(),
        }))
    }

    /// Answers one packet to the name server. `None` when it deserves no answer.
    pub(crate) fn answer_dns(&self, query: &[u8]) -> Option<Vec<u8>> {
        dns::answer(query, |name, wanted| self.look_up(name, wanted))
    }

    /// Serves a connection in a thread of its own, or closes it when there are too many.
    pub(crate) fn accept(self: &Arc<Self>, stream: TcpStream, through: EgressListener) {
        let egress = Arc::clone(self);
        match self.threads.start(move || egress.serve(&stream, through)) {
            Admission::Started | Admission::Closed => {}
            Admission::Full => self.deny(&format!(
                "more than {} connections at once",
                self.limits.connections
            )),
        }
    }

    /// Ends every connection and waits for its thread. Again does no harm.
    pub(crate) fn close(&self) {
        self.threads.close();
    }

    /// Returns how much went through so far.
    pub(crate) fn traffic(&self) -> Traffic {
        self.meter.read()
    }

    /// Returns the names that were dialled, in order.
    pub(crate) fn hosts(&self) -> Vec<String> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the hosts that are listed and were not there, in order.
    pub(crate) fn unreached(&self) -> Vec<Unreached> {
        self.unreached.list()
    }

    fn serve(&self, stream: &TcpStream, through: EgressListener) {
        let Ok(local) = prepare(stream) else {
            return; // It is gone already.
        };
        // An error here is a client that left or took too long. There is nobody to tell.
        let _ = match through {
            EgressListener::Dns => dns::serve(self.wire(stream), |query| self.answer_dns(query)),
            EgressListener::Proxy => proxy::serve(self, stream),
            EgressListener::Transparent(port) => {
                transparent::serve(self, stream, local.ip(), port);
                Ok(())
            }
        };
    }

    /// Begins an exchange with a client.
    pub(super) fn wire<'a>(&'a self, stream: &'a TcpStream) -> DeadlineSocket<'a> {
        DeadlineSocket::new(stream, self.stop(), self.limits.handshake)
    }

    fn stop(&self) -> &StopSignal {
        self.threads.stop()
    }

    /// Notes a refusal.
    pub(super) fn deny(&self, target: &str) {
        self.denials.saw(DenialKind::Net, target);
    }

    /// Returns the name that one of our addresses stands for.
    pub(super) fn name_of(&self, address: IpAddr) -> Option<String> {
        match address.to_canonical() {
            IpAddr::V4(v4) => self.names.name(v4),
            IpAddr::V6(_) => None,
        }
    }

    /// Connects to a host that may be reached, and returns its name too. Notes a refusal, and who is not there.
    pub(super) fn open(&self, host: TargetHost, port: u16) -> Result<(TcpStream, String), MissedHost> {
        let name = match host {
            TargetHost::Name(name) => name,
            TargetHost::Address(address) => self.name_of(address).ok_or_else(|| {
                let target = SocketAddr::new(address, port).to_string();
                self.deny(&target);
                MissedHost {
                    target,
                    cause: MissCause::Literal,
                }
            })?,
        };
        let target = format!("{name}:{port}");
        if !self.lists(&name) {
            self.deny(&target);
            return Err(MissedHost {
                target,
                cause: MissCause::NotListed,
            });
        }
        match self.dialer.dial(&name, port, self.stop()) {
            Ok(stream) => {
                self.note(&name);
                self.meter.count_connection();
                Ok((stream, name))
            }
            Err(DialFailure::Refused(address, what)) => {
                self.deny(&format!("{target} at {address} ({what})"));
                Err(MissedHost {
                    target,
                    cause: MissCause::Address(address, what),
                })
            }
            Err(DialFailure::Unresolved) => {
                self.unreached.note(&target, Absence::NoAddress);
                Err(MissedHost {
                    target,
                    cause: MissCause::Unresolved,
                })
            }
            Err(DialFailure::Unreachable(error)) => {
                self.unreached.note(&target, Absence::NoAnswer);
                Err(MissedHost {
                    target,
                    cause: MissCause::Unreachable(error),
                })
            }
        }
    }

    /// Relays between a client and a server whose name and port the client asked for.
    pub(super) fn connect(&self, client: &TcpStream, server: &TcpStream, first: FirstBytes) {
        let _ = server.set_nodelay(true);
        match relay(client, server, first, self.stop(), &self.meter) {
            ConnectionEnd::Over => {}
            ConnectionEnd::Refused(reason) => self.deny(&reason),
        }
    }

    fn lists(&self, name: &str) -> bool {
        self.allow.iter().any(|pattern| pattern.matches(name))
    }

    fn look_up(&self, name: Option<&str>, wanted: RecordKind) -> DnsAnswer {
        let Some(name) = name else {
            self.deny("DNS: a name that is no host name");
            return DnsAnswer::Unknown;
        };
        if !self.lists(name) {
            // Programs ask for these on their own: the first is in /etc/hosts, the others ask for the
            // name of an address.
            if name != "localhost" && !name.ends_with(".arpa") {
                self.deny(&format!("DNS {name}"));
            }
            return DnsAnswer::Unknown;
        }
        match wanted {
            RecordKind::Other => DnsAnswer::Empty,
            RecordKind::Address => match self.names.address(name) {
                Some(address) => DnsAnswer::Address(address),
                None => {
                    self.deny(&format!("DNS: more than {} names", self.limits.names));
                    DnsAnswer::Full
                }
            },
        }
    }

    fn note(&self, name: &str) {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() < MAX_REPORTED_HOSTS && !hosts.iter().any(|known| known == name) {
            hosts.push(name.to_owned());
        }
    }
}

/// Makes a socket ready to be served, and returns the address that the client connected to.
fn prepare(stream: &TcpStream) -> io::Result<SocketAddr> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)?;
    stream.local_addr()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{PATIENCE, TestNetwork, echo, pair, read_all, read_exactly};
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn query(name: &str) -> Vec<u8> {
        let mut bytes = b"\0\x01\x01\0\0\x01\0\0\0\0\0\0".to_vec();
        for label in name.split('.') {
            bytes.push(u8::try_from(label.len()).unwrap());
            bytes.extend_from_slice(label.as_bytes());
        }
        bytes.extend(b"\0\0\x01\0\x01");
        bytes
    }

    #[test]
    fn only_listed_names_have_an_address() {
        let limits = EgressLimits {
            names: 2,
            ..EgressLimits::default()
        };
        let network = TestNetwork::with(IpAddr::from([127, 0, 0, 1]), true, limits);
        let code = |name: &str| network.egress.answer_dns(&query(name)).unwrap()[3] & 15;
        assert_eq!([code("a.test"), code("y.wild.test"), code("A.TEST")], [0, 0, 0]);
        assert_eq!(code("z.wild.test"), 2); // the table is full
        for name in [
            "evil.test",
            "wild.test",
            "a.test.evil.test",
            "localhost",
            "1.0.18.198.in-addr.arpa",
        ] {
            assert_eq!(code(name), 3, "{name}");
        }
        assert_eq!(
            network.denied(),
            [
                "DNS: more than 2 names",
                "DNS evil.test",
                "DNS wild.test",
                "DNS a.test.evil.test"
            ]
        );
    }

    #[test]
    fn names_are_answered_over_tcp_too() {
        let network = TestNetwork::new();
        let mut client = network.connect(EgressListener::Dns);
        for _ in 0..2 {
            let query = query("a.test");
            let framed = [&[0, u8::try_from(query.len()).unwrap()][..], &query].concat();
            for part in framed.chunks(5) {
                client.write_all(part).unwrap();
            }
            let length = read_exactly(&mut client, 2);
            let answer = read_exactly(&mut client, usize::from(length[0]) << 8 | usize::from(length[1]));
            assert!(answer.ends_with(&[198, 18, 0, 1]));
        }
        client.write_all(&[0xff, 0xff, 0]).unwrap(); // longer than any query
        assert!(read_all(&mut client).is_empty());
    }

    #[test]
    fn connections_are_bounded() {
        let network = TestNetwork::new();
        let mut clients: Vec<_> = (0..300).map(|_| network.connect(EgressListener::Proxy)).collect();
        let refused = clients.split_off(256);
        for mut client in refused {
            assert!(read_all(&mut client).is_empty()); // closed at once
        }
        assert_eq!(network.denied(), ["more than 256 connections at once"]);
        let mut last = clients.pop().unwrap();
        write!(last, "CONNECT a.test:{} HTTP/1.1\r\n\r\nhello", echo()).unwrap();
        let answer = read_exactly(&mut last, 44);
        assert!(
            answer.ends_with(b"\r\n\r\nhello"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
        network.egress.close();
        for mut client in clients {
            assert!(read_all(&mut client).is_empty());
        }
    }

    #[test]
    fn closing_ends_what_is_stuck_and_nothing_opens_after_it() {
        let network = TestNetwork::new();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let silent = network.connect(EgressListener::Proxy);
        let mut slow = network.connect(EgressListener::Proxy);
        slow.write_all(b"CONNECT a.test").unwrap();
        let mut open = network.connect(EgressListener::Proxy);
        write!(open, "CONNECT a.test:{port} HTTP/1.1\r\n\r\n").unwrap();
        let (server, _) = listener.accept().unwrap();
        server.set_read_timeout(Some(PATIENCE)).unwrap();
        read_exactly(&mut open, 39);
        network.egress.close();
        network.egress.close();
        for mut stream in [silent, slow, open, server] {
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest);
            assert!(rest.is_empty());
        }
        assert_eq!(Arc::strong_count(&network.egress), 1); // no thread is left
        assert!(read_all(&mut network.connect(EgressListener::Proxy)).is_empty());
    }

    #[test]
    fn closing_does_not_wait_for_a_server_that_does_not_answer() {
        let limits = EgressLimits {
            connect: Duration::from_secs(3600),
            ..EgressLimits::default()
        };
        let network = TestNetwork::with(IpAddr::from([127, 0, 0, 1]), true, limits);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        rustix::net::listen(&listener, 0).unwrap();
        let address = listener.local_addr().unwrap();
        // Nobody accepts, so at some point nobody gets in either.
        let connect = || TcpStream::connect_timeout(&address, Duration::from_millis(100));
        let queued: Vec<_> = std::iter::from_fn(|| connect().ok()).collect();
        let mut client = network.connect(EgressListener::Proxy);
        write!(client, "CONNECT a.test:{} HTTP/1.1\r\n\r\n", address.port()).unwrap();
        client.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        assert!(client.read(&mut [0]).is_err()); // it waits
        network.egress.close();
        drop(queued);
    }

    #[test]
    fn a_client_that_says_nothing_is_given_up() {
        let limits = EgressLimits {
            handshake: Duration::from_millis(10),
            ..EgressLimits::default()
        };
        let network = TestNetwork::with(IpAddr::from([127, 0, 0, 1]), true, limits);
        assert!(read_all(&mut network.connect(EgressListener::Proxy)).is_empty());
        let (_, served) = pair();
        network.egress.accept(served, EgressListener::Transparent(443)); // not an address of ours
        network.egress.close();
        assert_eq!(network.denied(), ["127.0.0.1:443"]);
    }
}
