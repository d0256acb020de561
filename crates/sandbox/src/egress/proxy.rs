//! The proxy: one port for HTTP and SOCKS 5, told apart by the first byte.

use std::io;
use std::net::TcpStream;

use super::deadline_socket::DeadlineSocket;
use super::gate::{self, RequestGate};
use super::http::{self, StatusLine};
use super::relay::FirstBytes;
use super::service::{EgressService, MissCause};
use super::socks::{self, SocksGreeting, SocksReply};

/// Serves one client.
pub(super) fn serve(egress: &EgressService, stream: &TcpStream) -> io::Result<()> {
    let wire = egress.wire(stream);
    let mut bytes = Vec::new();
    wire.read_more(&mut bytes, gate::MAX_HEAD_BYTES)?;
    match bytes.first() {
        Some(5) => serve_socks(egress, stream, wire, bytes),
        Some(_) | None => serve_http(egress, stream, wire, bytes),
    }
}

fn serve_http(
    egress: &EgressService,
    stream: &TcpStream,
    wire: DeadlineSocket<'_>,
    mut bytes: Vec<u8>,
) -> io::Result<()> {
    let (host, port, plain, length) = loop {
        match http::parse(&bytes) {
            http::ProxyRequest::NeedMore => wire.read_more(&mut bytes, gate::MAX_HEAD_BYTES)?,
            http::ProxyRequest::Connect { host, port, length } => break (host, port, None, length),
            http::ProxyRequest::Forward {
                host,
                port,
                plain,
                body,
                length,
            } => break (host, port, Some((plain, body)), length),
            http::ProxyRequest::Refuse(status, text) => {
                egress.deny(&format!("HTTP: {text}"));
                return refuse(wire, status, text);
            }
        }
    };
    let (server, name) = match egress.open(host, port) {
        Ok(opened) => opened,
        Err(miss) => return refuse(wire, status(&miss.cause), &miss.to_string()),
    };
    let rest = bytes.split_off(length);
    match plain {
        None => {
            wire.write_all(http::TUNNEL_OPENED)?;
            egress.connect(
                stream,
                &server,
                FirstBytes::looked_at(rest, RequestGate::new(name, port)),
            );
        }
        Some((plain, body)) => {
            let head = plain.head(&name, port);
            let gate = RequestGate::for_body(name, port, body);
            egress.connect(stream, &server, FirstBytes::after(head, &rest, gate));
        }
    }
    Ok(())
}

fn refuse(wire: DeadlineSocket<'_>, status: StatusLine, text: &str) -> io::Result<()> {
    wire.write_all(&http::answer(status, text))?;
    wire.finish();
    Ok(())
}

fn status(cause: &MissCause) -> StatusLine {
    match cause {
        MissCause::NotListed | MissCause::Literal | MissCause::Address(..) => StatusLine::Forbidden,
        MissCause::Unresolved | MissCause::Unreachable(_) => StatusLine::BadGateway,
    }
}

fn serve_socks(
    egress: &EgressService,
    stream: &TcpStream,
    wire: DeadlineSocket<'_>,
    mut bytes: Vec<u8>,
) -> io::Result<()> {
    let length = loop {
        match socks::greeting(&bytes) {
            SocksGreeting::NeedMore => wire.read_more(&mut bytes, socks::MAX_MESSAGE_BYTES)?,
            SocksGreeting::Open(length) => break length,
            SocksGreeting::Closed => return finish(wire, socks::NO_METHOD),
        }
    };
    bytes = bytes.split_off(length);
    wire.write_all(socks::NO_AUTHENTICATION)?;
    let (host, port, length) = loop {
        match socks::request(&bytes) {
            socks::SocksRequest::NeedMore => wire.read_more(&mut bytes, socks::MAX_MESSAGE_BYTES)?,
            socks::SocksRequest::Connect { host, port, length } => break (host, port, length),
            socks::SocksRequest::Refuse(reply, what) => {
                egress.deny(&format!("SOCKS: {what}"));
                return finish(wire, &reply.message());
            }
        }
    };
    let (server, name) = match egress.open(host, port) {
        Ok(opened) => opened,
        Err(miss) => return finish(wire, &reply(&miss.cause).message()),
    };
    wire.write_all(&SocksReply::Succeeded.message())?;
    let rest = bytes.split_off(length);
    egress.connect(
        stream,
        &server,
        FirstBytes::looked_at(rest, RequestGate::new(name, port)),
    );
    Ok(())
}

fn finish(wire: DeadlineSocket<'_>, message: &[u8]) -> io::Result<()> {
    wire.write_all(message)?;
    wire.finish();
    Ok(())
}

fn reply(cause: &MissCause) -> SocksReply {
    match cause {
        MissCause::NotListed | MissCause::Literal | MissCause::Address(..) => SocksReply::NotAllowed,
        MissCause::Unresolved => SocksReply::HostUnreachable,
        MissCause::Unreachable(_) => SocksReply::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{TestNetwork, ask, echo, read_all, read_exactly, server, silent_port};
    use super::super::service::{EgressLimits, EgressListener};
    use super::super::tls::samples::client_hello;
    use super::super::unreached::{Absence, Unreached};
    use std::io::{Read, Write};
    use std::net::{Shutdown, TcpStream};

    const OPENED: &str = "HTTP/1.1 200 Connection established\r\n\r\n";

    /// Opens a tunnel, which must succeed.
    fn tunnel(network: &TestNetwork, host: &str, port: u16) -> TcpStream {
        let mut client = network.connect(EgressListener::Proxy);
        write!(
            client,
            "CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
        )
        .unwrap();
        let opened = read_exactly(&mut client, OPENED.len());
        assert_eq!(String::from_utf8_lossy(&opened), OPENED);
        client
    }

    fn refused(network: &TestNetwork, target: &str) -> String {
        let mut client = network.connect(EgressListener::Proxy);
        ask(
            &mut client,
            format!("CONNECT {target} HTTP/1.1\r\n\r\n").as_bytes(),
        )
    }

    #[test]
    fn a_listed_name_is_reached_through_connect() {
        let network = TestNetwork::new();
        for host in ["a.test", "A.TEST.", "x.wild.test"] {
            let mut client = tunnel(&network, host, echo());
            client.write_all(b"hello").unwrap();
            assert_eq!(read_exactly(&mut client, 5), b"hello");
        }
        network.egress.close();
        let traffic = network.egress.traffic();
        assert_eq!((traffic.sent, traffic.received, traffic.connections), (15, 15, 3));
        assert_eq!(network.egress.hosts(), ["a.test", "x.wild.test"]);
        assert!(network.denied().is_empty());
    }

    #[test]
    fn words_sent_with_the_head_are_not_lost() {
        let network = TestNetwork::new();
        let mut client = network.connect(EgressListener::Proxy);
        write!(client, "CONNECT a.test:{} HTTP/1.1\r\n\r\nhello", echo()).unwrap();
        client.shutdown(Shutdown::Write).unwrap();
        assert_eq!(read_all(&mut client), format!("{OPENED}hello").as_bytes());
    }

    #[test]
    fn an_unlisted_name_is_refused_with_a_reason() {
        let network = TestNetwork::new();
        let targets = [
            "evil.test:443",
            "evila.test:443",      // ends like a listed name
            "a.test.evil.test:22", // begins like one
            "wild.test:443",       // not strictly below
            "xwild.test:443",
            "127.0.0.1:80",
            "[::1]:80",
            "[::ffff:127.0.0.1]:80",
            "169.254.169.254:80",
            "198.18.0.9:443", // ours, but nobody's yet
        ];
        for target in targets {
            let answer = refused(&network, target);
            assert!(answer.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{answer}");
            let text = format!("\r\n\r\n{target} is refused: network.egress of the policy ");
            assert!(answer.contains(&text), "{answer}");
        }
        assert_eq!(network.denied(), targets);
        for target in [
            "127.1:80",
            "0x7f.1:80",
            "2130706433:80",
            "a%2etest:80",
            "u@a.test:80",
            "ä.test:80",
        ] {
            let answer = refused(&network, target);
            assert!(answer.starts_with("HTTP/1.1 400 "), "{target}: {answer}");
        }
        assert_eq!(network.egress.traffic().connections, 0);
    }

    #[test]
    fn a_listed_name_must_lead_to_the_open_internet() {
        for (address, loopback, what) in [
            ("127.0.0.1", false, "loopback"),
            ("::ffff:127.0.0.1", false, "loopback"),
            ("::1", false, "loopback"),
            ("169.254.169.254", false, "cloud metadata"),
            ("169.254.169.254", true, "cloud metadata"),
            ("10.0.0.1", true, "private"),
        ] {
            let network = TestNetwork::with(address.parse().unwrap(), loopback, EgressLimits::default());
            let answer = refused(&network, "a.test:443");
            assert!(
                answer.starts_with("HTTP/1.1 403 ") && answer.contains(what),
                "{answer}"
            );
            let denied = network.denied().concat();
            assert!(
                denied.starts_with(&format!("a.test:443 at {address} (")),
                "{denied}"
            );
        }
    }

    #[test]
    fn nobody_there_is_not_a_refusal() {
        let network = TestNetwork::new();
        let (_held, port) = silent_port();
        let answer = refused(&network, &format!("a.test:{port}"));
        assert!(
            answer.starts_with("HTTP/1.1 502 ") && answer.contains("is listed, but"),
            "{answer}"
        );
        assert!(network.denied().is_empty());
        let silent = Unreached {
            target: format!("a.test:{port}"),
            why: Absence::NoAnswer,
        };
        assert_eq!(network.egress.unreached(), [silent]);
    }

    #[test]
    fn a_refusal_reaches_a_client_that_is_still_sending() {
        let network = TestNetwork::new();
        let mut client = network.connect(EgressListener::Proxy);
        let mut request = b"POST http://evil.test/ HTTP/1.1\r\nContent-Length: 500000\r\n\r\n".to_vec();
        request.resize(500_000, b'x');
        assert!(ask(&mut client, &request).contains("evil.test:80 is refused"));
    }

    #[test]
    fn a_plain_request_is_passed_on_rewritten() {
        let network = TestNetwork::new();
        let (port, server) = server(|mut stream| {
            let mut seen = Vec::new();
            while !seen.ends_with(b"body") {
                let mut bytes = [0; 100];
                let count = stream.read(&mut bytes).unwrap();
                seen.extend_from_slice(&bytes[..count]);
            }
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                .unwrap();
            String::from_utf8(seen).unwrap()
        });
        let mut client = network.connect(EgressListener::Proxy);
        let request = format!(
            "POST http://a.test:{port}/x HTTP/1.1\r\nHost: evil.test\r\nProxy-Connection: keep-alive\r\n\
             Content-Length: 4\r\n\r\nbody"
        );
        assert!(ask(&mut client, request.as_bytes()).ends_with("\r\n\r\nok"));
        assert_eq!(
            server.join().unwrap(),
            format!(
                "POST /x HTTP/1.1\r\nHost: a.test:{port}\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody"
            )
        );
    }

    #[test]
    fn behind_a_plain_request_nothing_arrives() {
        for (next, denied) in [
            ("GET http://a.test:PORT/2 HTTP/1.1\r\n\r\n", None),
            (
                "GET http://evil.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n",
                Some("http request for evil.test behind one for a.test"),
            ),
            (
                "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n",
                Some("words behind an http request to a.test"),
            ),
        ] {
            let network = TestNetwork::new();
            let (port, server) = server(|mut stream| {
                let (mut seen, mut byte) = (Vec::new(), [0]);
                while !seen.ends_with(b"\r\n0\r\n\r\n") && stream.read(&mut byte).is_ok_and(|count| count > 0)
                {
                    seen.extend(byte);
                }
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok");
                let _ = stream.shutdown(Shutdown::Write);
                seen.extend(read_all(&mut stream));
                String::from_utf8(seen).unwrap()
            });
            let next = next.replace("PORT", &port.to_string());
            let mut client = network.connect(EgressListener::Proxy);
            let request = format!(
                "POST http://a.test:{port}/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n{next}"
            );
            let answer = ask(&mut client, request.as_bytes());
            drop(client);
            let expected = format!(
                "POST /x HTTP/1.1\r\nHost: a.test:{port}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n\
                 4\r\nbody\r\n0\r\n\r\n"
            );
            let seen = server.join().unwrap();
            match denied {
                // One that was sent ahead is asked again: the first one is answered.
                None => {
                    assert!(answer.ends_with("\r\n\r\nok"), "{answer:?}");
                    assert_eq!(seen, expected);
                }
                // Refused at once, not even the first one need arrive.
                Some(denied) => {
                    assert_eq!(network.denied(), [denied]);
                    assert!(expected.starts_with(&seen), "{seen:?}");
                }
            }
        }
    }

    #[test]
    fn a_plain_request_whose_end_is_in_doubt_is_refused() {
        let network = TestNetwork::new();
        for fields in [
            "Content-Length: 4\r\nTransfer-Encoding: chunked",
            "Content-Length: 4\r\nContent-Length: 4",
            "Transfer-Encoding: chunked, chunked",
            "Content-Length: 4,4",
        ] {
            let request = format!(
                "POST http://a.test:{}/ HTTP/1.1\r\n{fields}\r\n\r\n0\r\n\r\n",
                echo()
            );
            let answer = ask(&mut network.connect(EgressListener::Proxy), request.as_bytes());
            assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
            assert!(answer.contains("where its body ends"), "{answer}");
        }
    }

    #[test]
    fn a_listed_name_is_reached_through_socks() {
        let network = TestNetwork::new();
        let port = echo().to_be_bytes();
        let mut client = network.connect(EgressListener::Proxy);
        client.write_all(b"\x05\x02\x00\x02").unwrap();
        assert_eq!(read_exactly(&mut client, 2), [5, 0]);
        client
            .write_all(&[&b"\x05\x01\x00\x03\x06a.test"[..], &port, b"hello"].concat())
            .unwrap();
        assert_eq!(read_exactly(&mut client, 10), [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        assert_eq!(read_exactly(&mut client, 5), b"hello");
    }

    #[test]
    fn an_address_of_ours_is_as_good_as_its_name() {
        let network = TestNetwork::new();
        let query = b"\0\x01\x01\0\0\x01\0\0\0\0\0\0\x01a\x04test\0\0\x01\0\x01";
        let answer = network.egress.answer_dns(query).unwrap();
        assert!(answer.ends_with(&[198, 18, 0, 1]));
        let mut client = tunnel(&network, "198.18.0.1", echo());
        client.write_all(b"hello").unwrap();
        assert_eq!(read_exactly(&mut client, 5), b"hello");
        let mut client = network.connect(EgressListener::Proxy);
        client.write_all(b"\x05\x01\x00").unwrap();
        let port = echo().to_be_bytes();
        client
            .write_all(&[&b"\x05\x01\x00\x01\xc6\x12\x00\x01"[..], &port, b"hello"].concat())
            .unwrap();
        assert_eq!(read_exactly(&mut client, 17)[12..], *b"hello");
    }

    #[test]
    fn socks_refuses_with_the_right_code() {
        let network = TestNetwork::new();
        for (request, code) in [
            (&b"\x05\x01\x00\x03\x09evil.test\x01\xbb"[..], 2),
            (b"\x05\x01\x00\x01\x7f\x00\x00\x01\x01\xbb", 2),
            (b"\x05\x03\x00\x01\x00\x00\x00\x00\x00\x00", 7),
            (b"\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00", 7),
            (b"\x05\x01\x00\x07", 8),
        ] {
            let mut client = network.connect(EgressListener::Proxy);
            client.write_all(b"\x05\x01\x00").unwrap();
            client.write_all(request).unwrap();
            let answer = read_all(&mut client);
            assert_eq!(answer.get(3), Some(&code), "{request:?}: {answer:?}");
        }
        assert_eq!(network.denied()[..2], ["evil.test:443", "127.0.0.1:443"]);
        let mut client = network.connect(EgressListener::Proxy);
        client.write_all(b"\x05\x01\x02").unwrap();
        assert_eq!(read_all(&mut client), [5, 0xff]);
    }

    #[test]
    fn a_tls_hello_for_another_name_does_not_arrive() {
        for (name, arrives) in [(Some("a.test"), true), (Some("evil.test"), false), (None, false)] {
            let network = TestNetwork::new();
            let (port, server) = server(|mut stream| read_all(&mut stream));
            let mut client = tunnel(&network, "a.test", port);
            let hello = client_hello(name, 50);
            for part in hello.chunks(7) {
                let _ = client.write_all(part);
            }
            let _ = client.shutdown(Shutdown::Write);
            read_all(&mut client);
            assert_eq!(server.join().unwrap(), if arrives { hello } else { Vec::new() });
            assert_eq!(network.denied().is_empty(), arrives, "{:?}", network.denied());
        }
    }

    #[test]
    fn a_first_request_for_another_host_does_not_arrive() {
        let network = TestNetwork::new();
        let (port, server) = server(|mut stream| read_all(&mut stream));
        let mut client = tunnel(&network, "a.test", port);
        assert_eq!(ask(&mut client, b"GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n"), "");
        assert_eq!(server.join().unwrap(), b"");
        assert_eq!(network.denied(), ["http host evil.test ≠ a.test"]);
    }
}
