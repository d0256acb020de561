//! A name inside that leads to one socket of the host, and to nothing else.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use argrail_sandbox::policy::{Exec, HostPattern, Policy};
use argrail_sandbox::{Error, Report};

use crate::place::{Place, out};

const NAME: &str = "host.internal";

/// Answers so many connections, and returns what each said.
fn server(socket: &Path, connections: usize) -> JoinHandle<Vec<String>> {
    let listener = UnixListener::bind(socket).unwrap();
    std::thread::spawn(move || {
        let answer = |_| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut said = Vec::new();
            let mut bytes = [0; 1024];
            while !said.ends_with(b"\r\n\r\n") {
                match stream.read(&mut bytes).unwrap() {
                    0 => break,
                    count => said.extend_from_slice(&bytes[..count]),
                }
            }
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nHELLO")
                .unwrap();
            String::from_utf8(said).unwrap()
        };
        (0..connections).map(answer).collect()
    })
}

/// Runs a script inside that has a door; `cat` is all that it may start.
fn inside(place: &Place, policy: Policy, socket: &Path, script: &str) -> Report {
    let policy = policy.exec(crate::place::list(&["cat"]));
    let command = place.command(policy, &["/bin/bash", "-c", script]);
    command.route_to_socket(NAME, socket).run().unwrap()
}

fn socket(place: &Place) -> PathBuf {
    place.anchors.home().join("socket")
}

fn through_the_proxy(target: &str) -> String {
    format!(
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://{target}/x HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3; exec 3>&-\n"
    )
}

#[test]
fn a_door_leads_to_its_socket() {
    let place = Place::new();
    let socket = socket(&place);
    let server = server(&socket, 3);
    let tunnel = format!(
        "exec 3<>/dev/tcp/127.0.0.1/1080; printf 'CONNECT {NAME}:80 HTTP/1.1\\r\\n\\r\\nGET /y HTTP/1.1\\r\\nHost: {NAME}\\r\\n\\r\\n' >&3; cat <&3; exec 3>&-\n"
    );
    // The shell looks the name up itself, and connects to the address that it gets.
    let itself = format!(
        "exec 3<>/dev/tcp/{NAME}/80; printf 'GET /z HTTP/1.1\\r\\nHost: {NAME}\\r\\n\\r\\n' >&3; cat <&3\n"
    );
    let script = [through_the_proxy("HOST.internal."), tunnel, itself].concat();
    let report = inside(&place, Policy::closed(), &socket, &script);
    assert_eq!(out(&report).matches("HELLO").count(), 3, "{report:?}");
    let said = server.join().unwrap();
    assert_eq!(
        said[0],
        format!("GET /x HTTP/1.1\r\nHost: {NAME}\r\nConnection: close\r\n\r\n")
    );
    assert!(
        said[1].starts_with("GET /y ") && said[2].starts_with("GET /z "),
        "{said:?}"
    );
    assert_eq!(report.hosts, [NAME]);
    assert_eq!(report.traffic.connections, 3);
    assert!(report.denials.is_empty(), "{report:?}");
    let note = format!("network: {NAME:?} leads to a socket of the host");
    assert!(report.notes.contains(&note), "{:?}", report.notes);
}

#[test]
fn nothing_else_is_reached_because_of_a_door() {
    let place = Place::new();
    let socket = socket(&place);
    let _door = UnixListener::bind(&socket).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = port.local_addr().unwrap();
    port.set_nonblocking(true).unwrap();
    for target in [
        address.to_string(),
        format!("localhost:{}", address.port()),
        format!("below.{NAME}"),
        "internal".to_owned(),
        format!("other.internal:{}", address.port()),
    ] {
        let report = inside(&place, Policy::closed(), &socket, &through_the_proxy(&target));
        assert!(out(&report).starts_with("HTTP/1.1 403 "), "{target}: {report:?}");
        assert_eq!(report.hosts, [""; 0], "{target}");
        assert_eq!(report.denials.len(), 1, "{target}: {report:?}");
    }
    // With every public name listed, one that leads to this machine is still refused.
    let everybody = Policy::closed().egress(HostPattern::public());
    let target = format!("localhost:{}", address.port());
    let report = inside(&place, everybody, &socket, &through_the_proxy(&target));
    assert!(out(&report).starts_with("HTTP/1.1 403 "), "{report:?}");
    // Nor is the socket itself to be found, or connected to by its path.
    let report = inside(
        &place,
        Policy::closed(),
        &socket,
        &format!("cat {}", socket.display()),
    );
    assert_ne!(report.ended.code(), Some(0), "{report:?}");
    assert!(port.accept().is_err(), "somebody came in");
}

#[test]
fn a_door_where_nobody_listens_is_told() {
    let place = Place::new();
    let report = inside(
        &place,
        Policy::closed(),
        &socket(&place),
        &through_the_proxy(NAME),
    );
    assert!(out(&report).starts_with("HTTP/1.1 502 "), "{report:?}");
    assert_eq!(report.unreached.len(), 1, "{report:?}");
}

#[test]
fn a_door_has_one_name_and_needs_a_network() {
    let place = Place::new();
    let socket = socket(&place);
    for name in ["*.internal", "127.0.0.1", "a b", ""] {
        let command = place
            .command(Policy::closed(), &["true"])
            .route_to_socket(name, &socket);
        let outcome = command.run();
        let Err(Error::Refused(refusal)) = &outcome else {
            panic!("{name}: {outcome:?}")
        };
        assert_eq!(refusal.field, "doors[0]", "{name}");
    }
    let command = place.command(Policy::closed().exec(Exec::None), &["true"]);
    let outcome = command.route_to_socket(NAME, &socket).without_namespaces().run();
    assert!(matches!(outcome, Err(Error::Refused(_))), "{outcome:?}");
}
