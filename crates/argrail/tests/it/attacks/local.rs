//! This machine: its ports, the sockets of its daemons, and callers who come in from it.
//!
//! The number above a test is that of the attack in the suite.

use std::io::Read;
use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};

use super::harness::{Target, each_host};
use super::network::{api, machine};
use super::outside::{Pipe, Server, free_port, own_address};
use super::policy::Policy;

/// 47
#[test]
fn a_port_of_this_machine_is_not_a_port_of_the_child() {
    each_host(|host| {
        let (target, server) = (machine(host), Server::tcp("127.0.0.1:0"));
        let port = server.port();
        // One more on a port that names can be reached at, where a connection is at least accepted.
        let known = Server::tcp(&format!("{}:8080", own_address()));
        let here = format!("127.0.0.1:{port}");
        target.outside(&["tcp", &here, &known.address()]);
        server.forget();
        known.forget();
        for policy in [
            Policy::new(),
            api(),
            Policy::new().ingress(&format!("http://127.0.0.1:{}/", free_port())),
        ] {
            target.held(
                &policy,
                &["tcp", &here, &format!("0.0.0.0:{port}"), &known.address()],
            );
        }
        server.nobody_came();
        known.nobody_came();
        target.allowed(&api(), &["connect", &format!("api.test:{port}")]);
    });
}

/// 48
#[test]
fn an_abstract_socket_is_out_of_reach() {
    each_host(|host| {
        let target = machine(host);
        let name = target.path("abstract");
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let listener = UnixListener::bind_addr(&address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let packets = format!("{name}-packets");
        let _packets = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&packets).unwrap()).unwrap();
        for policy in [Policy::new(), api(), Policy::new().spawn(&[])] {
            for name in [&name, &packets] {
                target.held(&policy, &["unix-abstract", name]);
                target.held(&policy, &["unix-pair-abstract", name]);
            }
        }
        assert!(listener.accept().is_err(), "somebody came");
        target.outside(&["unix-pair-abstract", &packets]);
    });
}

/// 49
#[test]
fn a_daemon_with_a_socket_in_a_granted_directory_is_out_of_reach() {
    each_host(|host| {
        let target = machine(host).file("work/run/note", "hello");
        let (stream, packets) = (
            target.path("work/run/docker.sock"),
            target.path("work/run/log.sock"),
        );
        let listener = UnixListener::bind(&stream).unwrap();
        listener.set_nonblocking(true).unwrap();
        let log = UnixDatagram::bind(&packets).unwrap();
        log.set_nonblocking(true).unwrap();
        let mut space = [0; 16];
        for policy in [
            Policy::new().read("**"),
            Policy::new().write("run/**"),
            api().read("**").spawn(&[]),
        ] {
            for path in [&stream, &packets] {
                target.held(&policy, &["unix", path]);
                target.held(&policy, &["unix-pair", path]);
            }
            // What lies beside them may be used.
            target.allowed(&policy, &["read", &target.path("work/run/note")]);
        }
        assert!(listener.accept().is_err(), "somebody came");
        assert!(log.recv(&mut space).is_err(), "somebody wrote");
        target.outside(&["unix-pair", &packets]);
    });
}

/// 51
#[test]
fn nobody_comes_in_but_through_a_granted_port() {
    each_host(|host| {
        let target = machine(host).directory("work/pipes");
        for policy in [Policy::new(), api()] {
            target.held(
                &policy,
                &["bind", "127.0.0.1:0", "0.0.0.0:0", "0.0.0.0:18085", "[::]:0"],
            );
        }
        // No rule is about listening without a port, but the network in which that happens is nobody else's.
        let pipe = target.path("work/pipes/unbound");
        let port = listening(
            &target,
            &api().write("pipes/**"),
            &["listen", &pipe],
            "blocked",
            |port| {
                assert!(
                    TcpStream::connect(("127.0.0.1", port)).is_err(),
                    "port {port} is open outside"
                );
            },
        );
        assert_ne!(port, 0);
        let (pipe, port) = (target.path("work/pipes/granted"), free_port());
        let policy = Policy::new()
            .ingress(&format!("http://127.0.0.1:{port}/callback"))
            .write("pipes/**");
        listening(
            &target,
            &policy,
            &["listen", &pipe, &format!("127.0.0.1:{port}")],
            "ESCAPED",
            |port| {
                let mut answer = String::new();
                TcpStream::connect(("127.0.0.1", port))
                    .unwrap()
                    .read_to_string(&mut answer)
                    .unwrap();
                assert_eq!(answer, "outside\n");
            },
        );
        target.held(&policy, &["bind", &format!("127.0.0.1:{}", free_port())]);
    });
}

/// Runs a child that listens, calls it, and sees how it went.
#[track_caller]
fn listening(target: &Target, policy: &Policy, attack: &[&str], start: &str, call: impl Fn(u16)) -> u16 {
    let pipe = Pipe::new(attack[1]);
    let program = target.hostile();
    let argv: Vec<&str> = [program.as_str()]
        .into_iter()
        .chain(attack.iter().copied())
        .collect();
    let child = target.spawn(policy, &argv);
    let port = pipe.line().parse().unwrap();
    call(port);
    let run = child.finish();
    let said = run.json()["data"]["stdout"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(said.starts_with(start), "{run}");
    port
}
