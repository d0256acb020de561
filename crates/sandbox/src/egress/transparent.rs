//! A client that believes to talk to the server itself: the address that it connected to says which one.

use std::net::{IpAddr, SocketAddr, TcpStream};

use super::gate::RequestGate;
use super::host::TargetHost;
use super::relay::FirstBytes;
use super::service::EgressService;

/// Serves a client that connected to `local`, one of our addresses, on `port`.
///
/// There is no way to tell such a client why it was refused: its connection is closed.
pub(super) fn serve(egress: &EgressService, stream: &TcpStream, local: IpAddr, port: u16) {
    let Some(name) = egress.name_of(local) else {
        egress.deny(&SocketAddr::new(local.to_canonical(), port).to_string());
        return;
    };
    if let Ok((server, name)) = egress.open(TargetHost::Name(name), port) {
        let first = FirstBytes::looked_at(Vec::new(), RequestGate::new(name, port));
        egress.connect(stream, &server, first);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{TestNetwork, echo, pair, read_all, read_exactly};
    use super::*;
    use std::io::Write;
    use std::sync::Arc;

    /// Connects as if to `local`, which loopback cannot be.
    fn connect(network: &TestNetwork, local: [u8; 4], port: u16) -> TcpStream {
        let (client, served) = pair();
        served.set_nonblocking(true).unwrap();
        let egress = Arc::clone(&network.egress);
        std::thread::spawn(move || serve(&egress, &served, local.into(), port));
        client
    }

    #[test]
    fn the_address_says_which_server_is_meant() {
        let network = TestNetwork::new();
        let query = b"\0\x01\x01\0\0\x01\0\0\0\0\0\0\x01a\x04test\0\0\x01\0\x01";
        network.egress.answer_dns(query).unwrap();
        let mut client = connect(&network, [198, 18, 0, 1], echo());
        client.write_all(b"hello").unwrap();
        assert_eq!(read_exactly(&mut client, 5), b"hello");
    }

    #[test]
    fn an_address_without_a_name_is_closed() {
        let network = TestNetwork::new();
        for local in [[198, 18, 0, 1], [127, 0, 0, 1], [198, 18, 0, 0]] {
            assert!(read_all(&mut connect(&network, local, 443)).is_empty());
        }
        assert_eq!(
            network.denied(),
            ["198.18.0.1:443", "127.0.0.1:443", "198.18.0.0:443"]
        );
    }
}
