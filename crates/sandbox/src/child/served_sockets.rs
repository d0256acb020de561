//! The sockets inside a child's network that the host serves, and those by which it reaches in.

use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use super::command::Command;
use crate::denial::Denials;
use crate::egress::{self, EgressService, IngressPort, Traffic, Unreached};
use crate::launch::{LaunchOrder, ListenSocket};
use crate::policy::{HostPattern, Policy};
use crate::refusal::Refusal;

/// The longest question about a name that is read.
const MAX_DATAGRAM_BYTES: usize = 4096;

/// How many connections or questions are taken before others get their turn.
const AT_ONCE: usize = 64;

/// Everything that is served for one child.
#[derive(Default)]
pub(super) struct ServedSockets {
    egress: Option<Arc<EgressService>>,
    sockets: Vec<ServedSocket>,
    ingress: Vec<Arc<IngressPort>>,
}

enum ServedSocket {
    Names(UdpSocket),
    Out(TcpListener, egress::EgressListener),
    In(TcpListener, usize),
}

impl ServedSockets {
    /// Takes over the sockets that the launcher opened.
    pub(super) fn open_all(
        command: &Command,
        policy: &Policy,
        order: &LaunchOrder,
        sockets: Vec<OwnedFd>,
        callbacks: Vec<TcpListener>,
        denials: &Denials,
        notes: &mut Vec<String>,
    ) -> std::io::Result<Self> {
        let mut opened = Self::default();
        if !policy.egress.is_empty() {
            opened.egress = Some(EgressService::new(egress::EgressOptions {
                allow: policy.egress.clone(),
                resolve: command.resolve.clone(),
                loopback: command.loopback,
                private_names: command.private_names.clone(),
                socket_routes: command.socket_routes.clone(),
                denials: denials.clone(),
                limits: egress::EgressLimits::default(),
            })?);
            for (name, address) in &command.resolve {
                notes.push(format!(
                    "network: {name:?} was given the address {address} on the command line"
                ));
            }
            for name in &command.private_names {
                notes.push(format!("network: {name:?} may lead to any address"));
            }
            for (name, _) in &command.socket_routes {
                notes.push(format!("network: {name:?} leads to a socket of the host"));
            }
            if command.loopback {
                notes.push("network: allowed names may lead to this machine's loopback addresses".to_owned());
            }
        }
        let mut sockets = sockets.into_iter();
        for (listen, socket) in order.network.listen.iter().zip(sockets.by_ref()) {
            opened.sockets.push(match listen {
                ListenSocket::DnsUdp => ServedSocket::Names(socket.into()),
                ListenSocket::DnsTcp => ServedSocket::Out(socket.into(), egress::EgressListener::Dns),
                ListenSocket::Proxy(_) => ServedSocket::Out(socket.into(), egress::EgressListener::Proxy),
                ListenSocket::Transparent(port) => {
                    ServedSocket::Out(socket.into(), egress::EgressListener::Transparent(*port))
                }
            });
        }
        let mut inward: Vec<OwnedFd> = sockets.collect();
        let share = inward.len().checked_div(policy.ingress.len()).unwrap_or_default();
        for (callback, listener) in policy.ingress.iter().zip(callbacks) {
            let port = callback.port();
            let pool = inward.split_off(inward.len().saturating_sub(share));
            opened
                .sockets
                .push(ServedSocket::In(listener, opened.ingress.len()));
            opened
                .ingress
                .push(IngressPort::new(port, pool, denials.clone())?);
        }
        Ok(opened)
    }

    /// Lists the names that lead to sockets of the host: what is not listed is not looked up.
    pub(super) fn list(command: &Command, policy: &mut Policy) -> Result<(), Refusal> {
        for (index, (name, _)) in command.socket_routes.iter().enumerate() {
            let field = format!("doors[{index}]");
            let host = HostPattern::parse(&field, name)?;
            if host.as_str().starts_with('*') {
                let why = "a door has one name";
                return Err(Refusal::new(field, name, why, "Name one host"));
            }
            policy.egress.push(host);
        }
        Ok(())
    }

    /// Opens the ports outside at which the child is reached. Before it starts: one that is taken is a refusal.
    pub(super) fn listen(policy: &Policy) -> Result<Vec<TcpListener>, Refusal> {
        let listen = |(index, callback): (usize, &crate::policy::Ingress)| {
            let opened = IngressPort::listen(callback.port())
                .and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
            opened.map_err(|error| {
                Refusal::new(
                    format!("network.ingress[{index}]"),
                    callback.as_str(),
                    format!("its port cannot be opened: {error}"),
                    "Use another port, or end what holds this one",
                )
            })
        };
        policy.ingress.iter().enumerate().map(listen).collect()
    }

    /// Returns how many there are.
    pub(super) fn len(&self) -> usize {
        self.sockets.len()
    }

    /// Returns what to wait on for one of them.
    pub(super) fn descriptor(&self, index: usize) -> Option<BorrowedFd<'_>> {
        self.sockets.get(index).map(|socket| match socket {
            ServedSocket::Names(socket) => socket.as_fd(),
            ServedSocket::Out(listener, _) | ServedSocket::In(listener, _) => listener.as_fd(),
        })
    }

    /// Serves whoever waits at one of them.
    pub(super) fn open(&self, index: usize) {
        match self.sockets.get(index) {
            Some(ServedSocket::Names(socket)) => self.answer_names(socket),
            Some(ServedSocket::Out(listener, through)) => {
                for stream in arrivals(listener) {
                    if let Some(egress) = &self.egress {
                        egress.accept(stream, *through);
                    }
                }
            }
            Some(ServedSocket::In(listener, which)) => {
                for stream in arrivals(listener) {
                    if let Some(ingress) = self.ingress.get(*which) {
                        ingress.accept(stream);
                    }
                }
            }
            None => {}
        }
    }

    fn answer_names(&self, socket: &UdpSocket) {
        let mut question = [0; MAX_DATAGRAM_BYTES];
        for _ in 0..AT_ONCE {
            let Ok((length, asker)) = socket.recv_from(&mut question) else {
                return;
            };
            let question = question.get(..length).unwrap_or_default();
            if let Some(answer) = self
                .egress
                .as_ref()
                .and_then(|egress| egress.answer_dns(question))
            {
                // Who does not listen asks again.
                let _ = socket.send_to(&answer, asker);
            }
        }
    }

    /// Ends every connection, and returns the names that were dialled, who was not there, and what went through.
    pub(super) fn close(self) -> (Vec<String>, Vec<Unreached>, Traffic) {
        drop(self.sockets);
        let mut traffic = Traffic::default();
        for ingress in &self.ingress {
            ingress.close();
            traffic += ingress.traffic();
        }
        let Some(egress) = self.egress else {
            return (Vec::new(), Vec::new(), traffic);
        };
        egress.close();
        traffic += egress.traffic();
        (egress.hosts(), egress.unreached(), traffic)
    }
}

fn arrivals(listener: &TcpListener) -> impl Iterator<Item = TcpStream> {
    let accepted = (0..AT_ONCE).map_while(|_| listener.accept().ok());
    accepted.filter_map(|(stream, _)| stream.set_nonblocking(false).ok().map(|()| stream))
}
