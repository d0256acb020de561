//! The other way round: a port of the host's loopback that leads to a server inside the child.
//!
//! The host cannot make a socket in the child's network, so the child's launcher makes some before the
//! child starts, and hands them over unconnected. One is taken for each connection and put back after
//! it: a socket that was disconnected can connect again. The launcher must have closed its own copies.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::connection_threads::{Admission, ConnectionThreads};
use super::dial::connect_socket;
use super::relay::{FirstBytes, Traffic, TrafficMeter, relay};
use crate::{DenialKind, Denials};

/// How long the child's server may take to accept.
const ACCEPT_TIMEOUT: Duration = Duration::from_secs(10);

/// How many connections are looked at together. The pool is the narrower bound, and the one that is
/// meant: a thread may still be ending when its socket is back already.
const MAX_THREADS: usize = 256;

/// One port of the host that leads to a server in the sandbox.
#[derive(Debug)]
pub(crate) struct IngressPort {
    port: u16,
    pool: Mutex<Vec<OwnedFd>>,
    denials: Denials,
    threads: ConnectionThreads,
    meter: TrafficMeter,
}

impl IngressPort {
    /// Opens the port on the host, on loopback only.
    pub(crate) fn listen(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port))
    }

    /// Makes a way to `port` in the child; `pool` are TCP sockets that were made there.
    pub(crate) fn new(port: u16, pool: Vec<OwnedFd>, denials: Denials) -> io::Result<Arc<Self>> {
        let threads = ConnectionThreads::new(MAX_THREADS)?;
        Ok(Arc::new(Self {
            port,
            pool: Mutex::new(pool),
            denials,
            threads,
            meter: TrafficMeter::default(),
        }))
    }

    /// Serves a connection in a thread of its own, or closes it when there are too many.
    pub(crate) fn accept(self: &Arc<Self>, stream: TcpStream) {
        let ingress = Arc::clone(self);
        match self.threads.start(move || ingress.serve(&stream)) {
            Admission::Started | Admission::Closed => {}
            Admission::Full => self.deny(),
        }
    }

    /// Ends every connection and waits for its thread. Again does no harm.
    pub(crate) fn close(&self) {
        self.threads.close();
        self.pool().clear();
    }

    /// Returns how much went through so far.
    pub(crate) fn traffic(&self) -> Traffic {
        self.meter.read()
    }

    fn serve(&self, stream: &TcpStream) {
        let Some(socket) = self.take() else {
            return self.deny();
        };
        let server = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        let socket = match connect_socket(&socket, server, self.threads.stop(), ACCEPT_TIMEOUT) {
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
            self.meter.count_connection();
            relay(
                &server,
                stream,
                FirstBytes::nothing(),
                self.threads.stop(),
                &self.meter,
            );
        }
        server.into()
    }

    fn take(&self) -> Option<OwnedFd> {
        self.pool().pop()
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

#[cfg(test)]
mod tests {
    use super::super::fixture::{pair, patient, read_all, read_exactly};
    use super::*;
    use rustix::net::{AddressFamily, SocketFlags, SocketType};
    use std::io::Write;

    fn sockets(count: usize) -> Vec<OwnedFd> {
        let flags = SocketFlags::CLOEXEC;
        let socket =
            || rustix::net::socket_with(AddressFamily::INET, SocketType::STREAM, flags, None).unwrap();
        (0..count).map(|_| socket()).collect()
    }

    /// Waits until a socket is back in the pool.
    fn wait_for_room(ingress: &IngressPort) {
        while ingress.pool().is_empty() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_socket_serves_one_connection_after_another() {
        let inside = TcpListener::bind("127.0.0.1:0").unwrap();
        let denials = Denials::default();
        let ingress =
            IngressPort::new(inside.local_addr().unwrap().port(), sockets(1), denials.clone()).unwrap();
        let outside = IngressPort::listen(0).unwrap();
        assert!(outside.local_addr().unwrap().ip().is_loopback());
        for _ in 0..3 {
            let mut client = patient(TcpStream::connect(outside.local_addr().unwrap()).unwrap());
            ingress.accept(outside.accept().unwrap().0);
            let mut server = patient(inside.accept().unwrap().0);
            client.write_all(b"question").unwrap();
            assert_eq!(read_exactly(&mut server, 8), b"question");
            server.write_all(b"answer").unwrap();
            drop(server);
            assert_eq!(read_all(&mut client), b"answer");
            drop(client);
            wait_for_room(&ingress);
        }
        assert!(denials.list().is_empty());
        assert_eq!(
            ingress.traffic(),
            Traffic {
                sent: 18,
                received: 24,
                connections: 3
            }
        );
        ingress.close();
    }

    #[test]
    fn too_many_connections_are_closed() {
        let inside = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = inside.local_addr().unwrap().port();
        let denials = Denials::default();
        let ingress = IngressPort::new(port, sockets(1), denials.clone()).unwrap();
        let ((mut first, served), (mut second, refused)) = (pair(), pair());
        ingress.accept(served);
        let mut server = patient(inside.accept().unwrap().0);
        ingress.accept(refused);
        assert!(read_all(&mut second).is_empty());
        assert_eq!(
            denials.list()[0].target,
            format!("ingress port {port}: too many connections")
        );
        ingress.close();
        ingress.close();
        assert!(read_all(&mut first).is_empty() && read_all(&mut server).is_empty());
        assert_eq!(Arc::strong_count(&ingress), 1);
    }

    #[test]
    fn a_server_that_does_not_listen_yet_costs_no_socket() {
        let (_held, port) = super::super::fixture::silent_port();
        let ingress = IngressPort::new(port, sockets(1), Denials::default()).unwrap();
        for _ in 0..3 {
            let (mut client, served) = pair();
            ingress.accept(served);
            assert!(read_all(&mut client).is_empty());
            wait_for_room(&ingress);
        }
        ingress.close();
    }
}
