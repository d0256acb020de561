//! The network: reaching what was not granted, and being reached.
//!
//! The number above a test is that of the attack in the suite.

use std::io::Read;
use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};

use super::harness::{Host, Outcome, Target, each_host};
use super::outside::{Pipe, Server, free_port, own_address, processes_with};
use super::policy::Policy;

/// A host that gives names of ours the address of this machine, and lets them lead there.
fn machine(host: Host) -> Target {
    names(Target::new(host), "127.0.0.1").option("--allow-loopback")
}

/// Gives every name of these tests one address, listed or not: only the policy tells them apart.
fn names(target: Target, address: &str) -> Target {
    let names = ["api.test", "evilapi.test", "api.test.evil.test", "sub.test", "a.sub.test", "xsub.test"];
    names.into_iter().fold(target, |target, name| {
        target.option("--resolve").option(&format!("{name}={address}"))
    })
}

/// The one name that is listed.
fn api() -> Policy {
    Policy::new().egress("api.test")
}

/// Sees that the report names what was refused.
#[track_caller]
fn denied(outcome: &Outcome, target: &str) {
    assert!(denials(outcome).iter().any(|denial| denial == target), "no denial of {target}: {outcome}");
}

fn denials(outcome: &Outcome) -> Vec<String> {
    let denials = outcome.data("denials").as_array().unwrap();
    let network = denials.iter().filter(|denial| denial["kind"] == "net");
    network.map(|denial| denial["target"].as_str().unwrap().to_owned()).collect()
}

/// 37
#[test]
fn a_v4_address_leads_nowhere() {
    each_host(|host| {
        let (target, server) = (machine(host), Server::tcp("127.0.0.1:0"));
        let address = server.address();
        target.outside(&["tcp", &address]);
        server.forget();
        for policy in [Policy::new(), api()] {
            target.held(&policy, &["tcp", &address, "192.0.2.1:443", "10.0.0.1:22", "8.8.8.8:443"]);
            target.held(&policy, &["tcp-odd", &address, "192.0.2.1:443"]);
        }
        // Ports that lead to names do not lead to addresses.
        let held = target.held(&api(), &["tcp", "198.18.77.77:443", "127.0.0.1:443", "127.9.9.9:8080"]);
        denied(&held, "198.18.77.77:443");
        denied(&held, "127.0.0.1:443");
        server.nobody_came();
        target.allowed(&api(), &["connect", &format!("api.test:{}", server.port())]);
        assert_eq!(server.client(), b"hi\n");
    });
}

/// 38
#[test]
fn a_v6_address_leads_nowhere() {
    each_host(|host| {
        let (target, server) = (machine(host), Server::tcp("127.0.0.1:0"));
        let mapped = format!("[::ffff:127.0.0.1]:{}", server.port());
        let own = format!("[::1]:{}", server.port());
        target.outside(&["tcp", &mapped]);
        server.forget();
        for policy in [Policy::new(), api()] {
            target.held(&policy, &["tcp", &mapped, &own, "[2001:db8::1]:443", "[fe80::1]:443"]);
        }
        let held = target.held(&api(), &["tcp", "[::ffff:198.18.77.77]:443", "[::1]:443"]);
        denied(&held, "198.18.77.77:443");
        server.nobody_came();
        target.allowed(&api(), &["connect", &format!("api.test:{}", server.port())]);
    });
}

/// 39
#[test]
fn packets_lead_nowhere() {
    each_host(|host| {
        let (target, server) = (machine(host), Server::udp("127.0.0.1:0"));
        let address = server.address();
        target.outside(&["udp", &address]);
        assert_eq!(server.client(), b"hi\n");
        for policy in [Policy::new(), api()] {
            target.held(&policy, &["udp", &address, "192.0.2.1:53", "8.8.8.8:53", "[2001:db8::1]:53"]);
        }
        target.held(&api(), &["udp", "198.18.0.1:53", "198.18.0.1:443"]);
        // The one server of packets that there is.
        target.allowed(&api(), &["name", "api.test"]);
    });
}

/// 40
#[test]
fn no_socket_but_of_the_internet_is_made() {
    each_host(|host| {
        let target = machine(host);
        for policy in [Policy::new(), api(), Policy::new().spawn(&[])] {
            target.held(&policy, &["sockets"]);
        }
        target.outside(&["sockets", "unix", "uevent"]);
        let held = target.held(&api(), &["route"]);
        assert!(held.stdout().contains("EPERM"), "{held}");
    });
}

/// 41
#[test]
fn a_name_that_is_not_listed_does_not_exist() {
    each_host(|host| {
        let target = machine(host);
        for act in ["name", "name-tcp"] {
            let held = target.held(&api(), &[act, "evil.test", "x.api.test", "api.test.evil.test", "test"]);
            assert_eq!(held.stdout().matches("NXDOMAIN").count(), 4, "{held}");
            denied(&held, "DNS evil.test");
            denied(&held, "DNS x.api.test");
            assert_eq!(held.data("hosts"), &serde_json::json!([]), "{held}");
            let allowed = target.allowed(&api(), &[act, "api.test", "API.test"]);
            assert!(allowed.stdout().contains("api.test 198.18."), "{allowed}");
            // An answer of ours is no question to anybody: the name is looked up when it is dialled.
            assert_eq!(allowed.data("hosts"), &serde_json::json!([]), "{allowed}");
        }
        target.held(&Policy::new(), &["name", "api.test"]);
    });
}

/// 42
#[test]
fn names_carry_no_secret_out() {
    each_host(|host| {
        let target = machine(host);
        for domain in ["evil.test", "api.test"] {
            let held = target.held(&api(), &["tunnel", domain]);
            assert!(held.stdout().contains("200 answers"), "{held}");
            assert_eq!(held.data("hosts"), &serde_json::json!([]), "{held}");
            let denials = denials(&held);
            assert!(denials.iter().all(|denial| denial.starts_with("DNS ") && denial.ends_with(domain)), "{held}");
            assert!((10..=64).contains(&denials.len()), "{held}");
        }
        target.allowed(&api(), &["name", "api.test"]);
    });
}

/// 43
#[test]
fn the_proxy_connects_to_no_address() {
    each_host(|host| {
        let (target, server) = (machine(host), Server::tcp("127.0.0.1:0"));
        let port = server.port();
        let hosts = ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "127.1", "2130706433", "0x7f.1", "0177.0.0.1"];
        let mut connect = vec!["connect".to_owned()];
        connect.extend(hosts.map(|host| format!("{host}:{port}")));
        let words: Vec<&str> = connect.iter().map(String::as_str).collect();
        let held = target.held(&api(), &words);
        denied(&held, &format!("127.0.0.1:{port}"));
        let held = target.held(&api(), &["get", &format!("http://127.0.0.1:{port}/"), "http://[::1]/"]);
        denied(&held, &format!("127.0.0.1:{port}"));
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            target.held(&api(), &["socks", address, &port.to_string()]);
        }
        server.nobody_came();
        target.allowed(&api(), &["connect", &format!("api.test:{port}"), &format!("API.test.:{port}")]);
        target.allowed(&api(), &["get", &format!("http://api.test:{port}/")]);
        target.allowed(&api(), &["socks", "api.test", &port.to_string()]);
    });
}

/// 44
#[test]
fn a_name_that_ends_alike_is_another_name() {
    each_host(|host| {
        let (target, server) = (machine(host), Server::tcp("127.0.0.1:0"));
        let policy = api().egress("*.sub.test");
        let port = server.port();
        for name in ["evilapi.test", "api.test.evil.test", "sub.test", "xsub.test"] {
            let to = format!("{name}:{port}");
            for attack in [vec!["connect", &to], vec!["socks", name, &port.to_string()]] {
                denied(&target.held(&policy, &attack), &to);
            }
            denied(&target.held(&policy, &["name", name]), &format!("DNS {name}"));
        }
        server.nobody_came();
        target.allowed(&policy, &["connect", &format!("a.sub.test:{port}")]);
    });
}

/// 45
#[test]
fn a_listed_name_does_not_lead_to_this_machine() {
    each_host(|host| {
        let server = Server::tcp("127.0.0.1:0");
        let port = server.port();
        let to = format!("api.test:{port}");
        for address in ["127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0"] {
            let target = names(Target::new(host), address);
            let held = target.held(&api(), &["connect", &to]);
            let told = denials(&held).iter().any(|denial| denial.starts_with(&format!("{to} at ")));
            assert!(told, "{held}");
            target.held(&api(), &["socks", "api.test", &port.to_string()]);
        }
        server.nobody_came();
        machine(host).allowed(&api(), &["connect", &to]);
    });
}

/// 46
#[test]
fn a_listed_name_does_not_lead_to_a_metadata_service() {
    each_host(|host| {
        for address in ["169.254.169.254", "fd00:ec2::254", "10.0.0.1", "100.100.100.200"] {
            // What opens this machine opens nothing else.
            let target = names(Target::new(host), address).option("--allow-loopback");
            let held = target.held(&api(), &["get", "http://api.test/latest/meta-data/"]);
            denied_at(&held, &format!("api.test:80 at {address}"));
            let held = target.held(&api(), &["hello-direct", "api.test", "80", "api.test"]);
            denied_at(&held, &format!("api.test:80 at {address}"));
        }
        let server = Server::tcp("127.0.0.1:0");
        machine(host).allowed(&api(), &["get", &format!("http://api.test:{}/", server.port())]);
    });
}

#[track_caller]
fn denied_at(outcome: &Outcome, start: &str) {
    assert!(denials(outcome).iter().any(|denial| denial.starts_with(start)), "no denial of {start}: {outcome}");
}

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
        for policy in [Policy::new(), api(), Policy::new().ingress(&format!("http://127.0.0.1:{}/", free_port()))] {
            target.held(&policy, &["tcp", &here, &format!("0.0.0.0:{port}"), &known.address()]);
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
        let (stream, packets) = (target.path("work/run/docker.sock"), target.path("work/run/log.sock"));
        let listener = UnixListener::bind(&stream).unwrap();
        listener.set_nonblocking(true).unwrap();
        let log = UnixDatagram::bind(&packets).unwrap();
        log.set_nonblocking(true).unwrap();
        let mut space = [0; 16];
        for policy in [Policy::new().read("**"), Policy::new().write("run/**"), api().read("**").spawn(&[])] {
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

/// 50
#[test]
fn no_ring_opens_sockets_behind_the_filter() {
    each_host(|host| {
        let target = machine(host).file("work/note", "hello");
        for policy in [Policy::new(), api(), Policy::new().spawn(&[])] {
            target.held(&policy, &["io-uring"]);
        }
        target.allowed(&Policy::new().read("**"), &["read", &target.path("work/note")]);
    });
}

/// 51
#[test]
fn nobody_comes_in_but_through_a_granted_port() {
    each_host(|host| {
        let target = machine(host).directory("work/pipes");
        for policy in [Policy::new(), api()] {
            target.held(&policy, &["bind", "127.0.0.1:0", "0.0.0.0:0", "0.0.0.0:18085", "[::]:0"]);
        }
        // No rule is about listening without a port, but the network in which that happens is nobody else's.
        let pipe = target.path("work/pipes/unbound");
        let port = listening(&target, &api().write("pipes/**"), &["listen", &pipe], "blocked", |port| {
            assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "port {port} is open outside");
        });
        assert_ne!(port, 0);
        let (pipe, port) = (target.path("work/pipes/granted"), free_port());
        let policy = Policy::new().ingress(&format!("http://127.0.0.1:{port}/callback")).write("pipes/**");
        listening(&target, &policy, &["listen", &pipe, &format!("127.0.0.1:{port}")], "ESCAPED", |port| {
            let mut answer = String::new();
            TcpStream::connect(("127.0.0.1", port)).unwrap().read_to_string(&mut answer).unwrap();
            assert_eq!(answer, "outside\n");
        });
        target.held(&policy, &["bind", &format!("127.0.0.1:{}", free_port())]);
    });
}

/// Runs a child that listens, calls it, and sees how it went.
#[track_caller]
fn listening(target: &Target, policy: &Policy, attack: &[&str], start: &str, call: impl Fn(u16)) -> u16 {
    let pipe = Pipe::new(attack[1]);
    let program = target.hostile();
    let argv: Vec<&str> = [program.as_str()].into_iter().chain(attack.iter().copied()).collect();
    let child = target.spawn(policy, &argv);
    let port = pipe.line().parse().unwrap();
    call(port);
    let run = child.finish();
    let said = run.json()["data"]["stdout"].as_str().unwrap_or_default().to_owned();
    assert!(said.starts_with(start), "{run}");
    port
}

/// 52
#[test]
fn a_hello_for_another_name_does_not_go_through() {
    each_host(|host| {
        let server = Server::tcp(&format!("{}:8443", own_address()));
        let address = server.address().replace(":8443", "");
        let target = names(Target::new(host), &address).option("--allow-loopback");
        for name in ["evil.test", "x.api.test", "127.0.0.1", ""] {
            for attack in [["hello", "api.test:8443", name].as_slice(), &["hello-direct", "api.test", "8443", name]] {
                let held = target.held(&api(), attack);
                let start = if name.is_empty() { "tls without a name".to_owned() } else { format!("tls name {name} ") };
                denied_at(&held, &start);
            }
        }
        server.nobody_spoke();
        target.allowed(&api(), &["hello", "api.test:8443", "api.test"]);
        target.allowed(&api(), &["hello-direct", "api.test", "8443", "API.test"]);
        assert_eq!(server.client().first(), Some(&22));
    });
}

/// 53
#[test]
fn without_its_host_a_child_has_no_network() {
    each_host(|host| {
        let target = machine(host).directory("work/pipes");
        let server = Server::tcp("127.0.0.1:0");
        let path = target.path("work/pipes/alive");
        let pipe = Pipe::new(&path);
        let (program, to) = (target.hostile(), format!("api.test:{}", server.port()));
        let child = target.spawn(&api().write("pipes/**"), &[&program, "talk-on", &path, &to]);
        for _ in 0..3 {
            assert_eq!(server.client(), b"hi\n");
        }
        child.kill();
        pipe.let_go();
        server.forget();
        server.nobody_came();
        assert_eq!(processes_with(&path), [""; 0]);
    });
}
