//! A client that believes to talk to the server itself: the address that it connected to says which one.

use std::net::{IpAddr, SocketAddr, TcpStream};

use super::gate::Gate;
use super::host::Host;
use super::service::Egress;

/// Serves a client that connected to `local`, one of our addresses, on `port`.
///
/// There is no way to tell such a client why it was refused: its connection is closed.
pub(super) fn serve(egress: &Egress, stream: &TcpStream, local: IpAddr, port: u16) {
    let Some(name) = egress.name_of(local) else {
        egress.deny(&SocketAddr::new(local.to_canonical(), port).to_string());
        return;
    };
    if let Ok((server, name)) = egress.open(Host::Name(name), port) {
        egress.connect(stream, &server, Vec::new(), Some(Gate { name, port }));
    }
}
