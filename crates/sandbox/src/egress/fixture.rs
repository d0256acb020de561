//! Test support: a network with real sockets on loopback, and servers that answer once.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::net::{AddressFamily, SocketType, bind, getsockname, socket};

use super::service::{EgressLimits, EgressListener, EgressOptions, EgressService};
use crate::denial::Denials;
use crate::policy::HostPattern;

/// How long a test waits before it fails.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// A child's network in which `a.test` and everything below `wild.test` is listed.
pub(super) struct TestNetwork {
    pub(super) egress: Arc<EgressService>,
    pub(super) denials: Denials,
}

impl TestNetwork {
    /// The machine itself may be dialled, and is where every listed name leads.
    pub(super) fn new() -> Self {
        Self::with(Ipv4Addr::LOCALHOST.into(), true, EgressLimits::default())
    }

    pub(super) fn with(address: IpAddr, loopback: bool, limits: EgressLimits) -> Self {
        let denials = Denials::default();
        let allow =
            ["a.test", "*.wild.test"].map(|text| HostPattern::parse("network.egress[0]", text).unwrap());
        let names = ["a.test", "x.wild.test"];
        let egress = EgressService::new(EgressOptions {
            allow: allow.to_vec(),
            resolve: names.map(|name| (name.to_owned(), address)).to_vec(),
            loopback,
            private_names: Vec::new(),
            socket_routes: Vec::new(),
            denials: denials.clone(),
            limits,
        });
        Self {
            egress: egress.unwrap(),
            denials,
        }
    }

    /// Connects as the child would, through `through`.
    pub(super) fn connect(&self, through: EgressListener) -> TcpStream {
        let (client, served) = pair();
        self.egress.accept(served, through);
        client
    }

    /// Returns what was refused so far.
    pub(super) fn denied(&self) -> Vec<String> {
        self.denials
            .list()
            .into_iter()
            .map(|denial| denial.target)
            .collect()
    }
}

impl Drop for TestNetwork {
    fn drop(&mut self) {
        self.egress.close();
    }
}

/// Returns two sockets that are connected to each other, which give up after a while.
pub(super) fn pair() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (served, _) = listener.accept().unwrap();
    (patient(client), patient(served))
}

pub(super) fn patient(stream: TcpStream) -> TcpStream {
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Starts a server that answers one connection, and returns its port.
pub(super) fn server<T: Send + 'static>(
    answer: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (u16, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || answer(patient(listener.accept().unwrap().0)));
    (port, thread)
}

/// Starts a server that sends back what it gets, and returns its port.
pub(super) fn echo() -> u16 {
    let answer = |mut stream: TcpStream| {
        let mut bytes = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut bytes) {
            if stream.write_all(&bytes[..count]).is_err() {
                break;
            }
        }
    };
    server(answer).0
}

/// Returns everything until the end, or until the connection breaks.
pub(super) fn read_all(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    bytes
}

/// Returns exactly `count` bytes.
pub(super) fn read_exactly(stream: &mut TcpStream, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    stream.read_exact(&mut bytes).unwrap();
    bytes
}

/// Says it and returns everything that comes back.
pub(super) fn ask(stream: &mut TcpStream, words: &[u8]) -> String {
    stream.write_all(words).unwrap();
    String::from_utf8_lossy(&read_all(stream)).into_owned()
}

/// A port at which nobody listens, for as long as the descriptor is held: given up, it would be the next test's.
pub(super) fn silent_port() -> (OwnedFd, u16) {
    let held = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&held, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = SocketAddrV4::try_from(getsockname(&held).unwrap()).unwrap();
    (held, address.port())
}
