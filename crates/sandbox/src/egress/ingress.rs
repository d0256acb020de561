//! The other way round: a port of the host's loopback that leads to a server inside the child.
//!
//! The host cannot make a socket in the child's network, so the child's launcher makes some before the child
//! starts, and hands them over unconnected. One is taken for each connection and put back after it: a socket that
//! was disconnected can connect again. The launcher must have closed its own copies.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::crew::{Admission, Crew};
use super::dial::connect_socket;
use super::relay::{First, Meter, Traffic, relay};
use crate::{DenialKind, Denials};

/// How long the child's server may take to accept.
const PATIENCE: Duration = Duration::from_secs(10);

/// One port.
#[derive(Debug)]
pub(crate) struct Ingress {
    port: u16,
    pool: Mutex<Vec<OwnedFd>>,
    denials: Denials,
    crew: Crew,
    meter: Meter,
}

impl Ingress {
    /// Opens the port on the host, on loopback only.
    pub(crate) fn listen(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port))
    }

    /// Makes a way to `port` in the child; `pool` are TCP sockets that were made there.
    pub(crate) fn new(port: u16, pool: Vec<OwnedFd>, denials: Denials) -> io::Result<Arc<Self>> {
        let crew = Crew::new(pool.len().max(1))?;
        Ok(Arc::new(Self {
            port,
            pool: Mutex::new(pool),
            denials,
            crew,
            meter: Meter::default(),
        }))
    }

    /// Serves a connection in a thread of its own, or closes it when there are too many.
    pub(crate) fn accept(self: &Arc<Self>, stream: TcpStream) {
        let Some(socket) = self.pool().pop() else {
            return self.deny();
        };
        let ingress = Arc::clone(self);
        match self.crew.start(move || ingress.serve(&stream, socket)) {
            Admission::Started | Admission::Closed => {}
            Admission::Full => self.deny(),
        }
    }

    /// Ends every connection and waits for its thread. Again does no harm.
    pub(crate) fn close(&self) {
        self.crew.close();
        self.pool().clear();
    }

    /// Returns how much went through so far.
    pub(crate) fn traffic(&self) -> Traffic {
        self.meter.read()
    }

    fn serve(&self, stream: &TcpStream, socket: OwnedFd) {
        let server = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let socket = match connect_socket(&socket, server, self.crew.stop(), PATIENCE) {
            Ok(()) => self.relay(stream, socket),
            Err(_) => socket, // Nobody listens there yet.
        };
        if rustix::net::connect_unspec(&socket).is_ok() {
            self.pool().push(socket);
        }
    }

    fn relay(&self, stream: &TcpStream, socket: OwnedFd) -> OwnedFd {
        let server = TcpStream::from(socket);
        if stream.set_nonblocking(true).is_ok() {
            let _ = (stream.set_nodelay(true), server.set_nodelay(true));
            self.meter.connected();
            let first = First {
                bytes: Vec::new(),
                gate: None,
            };
            relay(&server, stream, first, self.crew.stop(), &self.meter);
        }
        server.into()
    }

    fn pool(&self) -> std::sync::MutexGuard<'_, Vec<OwnedFd>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn deny(&self) {
        self.denials.saw(
            DenialKind::Net,
            &format!("ingress port {}: too many connections", self.port),
        );
    }
}
