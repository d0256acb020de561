//! The network: reaching what was not granted.
//!
//! The number above a test is that of the attack in the suite.

use super::harness::{Host, Outcome, Target, each_host};
use super::outside::{Pipe, Server, WebServer, own_address, processes_with};
use super::policy::Policy;

/// A host that gives names of ours the address of this machine, and lets them lead there.
pub(super) fn machine(host: Host) -> Target {
    names(Target::new(host), "127.0.0.1").option("--allow-loopback")
}

/// Gives every name of these tests one address, listed or not: only the policy tells them apart.
fn names(target: Target, address: &str) -> Target {
    let names = [
        "api.test",
        "evilapi.test",
        "api.test.evil.test",
        "sub.test",
        "a.sub.test",
        "xsub.test",
    ];
    names.into_iter().fold(target, |target, name| {
        target.option("--resolve").option(&format!("{name}={address}"))
    })
}

/// The one name that is listed.
pub(super) fn api() -> Policy {
    Policy::new().egress("api.test")
}

/// Sees that the report names what was refused.
#[track_caller]
fn denied(outcome: &Outcome, target: &str) {
    assert!(
        denials(outcome).iter().any(|denial| denial == target),
        "no denial of {target}: {outcome}"
    );
}

fn denials(outcome: &Outcome) -> Vec<String> {
    let denials = outcome.data("denials").as_array().unwrap();
    let network = denials.iter().filter(|denial| denial["kind"] == "net");
    network
        .map(|denial| denial["target"].as_str().unwrap().to_owned())
        .collect()
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
            target.held(
                &policy,
                &["tcp", &address, "192.0.2.1:443", "10.0.0.1:22", "8.8.8.8:443"],
            );
            target.held(&policy, &["tcp-odd", &address, "192.0.2.1:443"]);
        }
        // Ports that lead to names do not lead to addresses.
        let held = target.held(
            &api(),
            &["tcp", "198.18.77.77:443", "127.0.0.1:443", "127.9.9.9:8080"],
        );
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
            target.held(
                &policy,
                &["tcp", &mapped, &own, "[2001:db8::1]:443", "[fe80::1]:443"],
            );
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
            target.held(
                &policy,
                &["udp", &address, "192.0.2.1:53", "8.8.8.8:53", "[2001:db8::1]:53"],
            );
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
            let held = target.held(
                &api(),
                &[act, "evil.test", "x.api.test", "api.test.evil.test", "test"],
            );
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
            assert!(
                denials
                    .iter()
                    .all(|denial| denial.starts_with("DNS ") && denial.ends_with(domain)),
                "{held}"
            );
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
        let hosts = [
            "127.0.0.1",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
        ];
        let mut connect = vec!["connect".to_owned()];
        connect.extend(hosts.map(|host| format!("{host}:{port}")));
        let words: Vec<&str> = connect.iter().map(String::as_str).collect();
        let held = target.held(&api(), &words);
        denied(&held, &format!("127.0.0.1:{port}"));
        let held = target.held(
            &api(),
            &["get", &format!("http://127.0.0.1:{port}/"), "http://[::1]/"],
        );
        denied(&held, &format!("127.0.0.1:{port}"));
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            target.held(&api(), &["socks", address, &port.to_string()]);
        }
        server.nobody_came();
        target.allowed(
            &api(),
            &[
                "connect",
                &format!("api.test:{port}"),
                &format!("API.test.:{port}"),
            ],
        );
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
            let told = denials(&held)
                .iter()
                .any(|denial| denial.starts_with(&format!("{to} at ")));
            assert!(told, "{held}");
            target.held(&api(), &["socks", "api.test", &port.to_string()]);
        }
        server.nobody_came();
        machine(host).allowed(&api(), &["connect", &to]);
    });
}

/// 45, by an address that looks like anybody's.
#[test]
fn a_listed_name_does_not_lead_to_this_machines_public_address() {
    each_host(|host| {
        let machine = |address| {
            let target = names(Target::new(host), address);
            target
                .own_address("11.22.33.44:8080")
                .own_address("[2606:4700::77]:8080")
        };
        let attacks = [
            ["connect", "api.test:8080"].as_slice(),
            &["get", "http://api.test:8080/"],
            &["socks", "api.test", "8080"],
            &["hello-direct", "api.test", "8080", "api.test"],
        ];
        for address in [
            "11.22.33.44",
            "::ffff:11.22.33.44",
            "2002:b16:212c::1",
            "2606:4700::77",
        ] {
            let target = machine(address);
            for attack in attacks {
                let held = target.held(&api(), attack);
                let start = format!("api.test:8080 at {address} (this machine's own)");
                denied_at(&held, &start);
            }
        }
        // The servers are there, and open where this machine is.
        for address in ["11.22.33.44", "2606:4700::77"] {
            let target = machine(address);
            target.outside(&["tcp", "11.22.33.44:8080", "[2606:4700::77]:8080"]);
            let target = target.option("--allow-loopback");
            target.allowed(&api(), &["connect", "api.test:8080"]);
        }
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
    assert!(
        denials(outcome).iter().any(|denial| denial.starts_with(start)),
        "no denial of {start}: {outcome}"
    );
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

/// 52
#[test]
fn a_hello_for_another_name_does_not_go_through() {
    each_host(|host| {
        let server = Server::tcp(&format!("{}:8443", own_address()));
        let address = server.address().replace(":8443", "");
        let target = names(Target::new(host), &address).option("--allow-loopback");
        for name in ["evil.test", "x.api.test", "127.0.0.1", ""] {
            for attack in [
                ["hello", "api.test:8443", name].as_slice(),
                &["hello-direct", "api.test", "8443", name],
            ] {
                let held = target.held(&api(), attack);
                let start = if name.is_empty() {
                    "tls without a name".to_owned()
                } else {
                    format!("tls name {name} ")
                };
                denied_at(&held, &start);
            }
        }
        server.nobody_spoke();
        target.allowed(&api(), &["hello", "api.test:8443", "api.test"]);
        target.allowed(&api(), &["hello-direct", "api.test", "8443", "API.test"]);
        assert_eq!(server.client().first(), Some(&22));
    });
}

/// 52, in plain HTTP: every request of a connection is looked at.
#[test]
fn a_request_for_another_name_does_not_go_through() {
    const OWN: &str = "GET / HTTP/1.1\r\nHost: api.test\r\n\r\n";
    const OTHER: &str = "GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n";
    const DOUBTFUL: &str = "POST / HTTP/1.1\r\nHost: api.test\r\nContent-Length: 46\r\n\
                            Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    each_host(|host| {
        let server = WebServer::new(&format!("{}:8080", own_address()));
        let address = server.address();
        let target = names(Target::new(host), &address).option("--allow-loopback");
        let in_doubt = format!("{DOUBTFUL}{OTHER}");
        let ahead = format!("{OWN}{OTHER}");
        let odd = OTHER.replace("GET", "PROPFIND");
        for way in ["tunnel", "direct"] {
            let attack = |texts: &[&str]| {
                let words = [&["requests", way, "api.test:8080"], texts].concat();
                target.held(&api(), &words)
            };
            for (texts, reason) in [
                (&[OWN, OTHER][..], "http host evil.test ≠ api.test"),
                (&[OWN, OWN, OTHER], "http host evil.test ≠ api.test"),
                (&[&ahead, OWN], "http host evil.test ≠ api.test"),
                (&[OWN, &odd], "http host evil.test ≠ api.test"),
                (&[&odd], "http host evil.test ≠ api.test"),
                (
                    &[&in_doubt, OWN],
                    "http request to api.test has more than one Content-Length or Transfer-Encoding",
                ),
            ] {
                denied(&attack(texts), reason);
                let heard = server.connection();
                assert!(!heard.contains("evil"), "{way} {texts:?}: {heard:?}");
            }
            let words = ["requests", way, "api.test:8080", OWN, OWN, OWN];
            target.allowed(&api(), &words);
            assert_eq!(server.connection(), OWN.repeat(3));
        }
        let plain = "GET http://api.test:8080/ HTTP/1.1\r\nHost: api.test\r\n\r\n";
        let ahead = format!("{plain}{OTHER}");
        let held = target.held(&api(), &["requests", "proxy", "api.test:8080", &ahead]);
        denied(&held, "words behind an http request to api.test");
        assert!(!server.connection().contains("evil"));
        target.allowed(&api(), &["requests", "proxy", "api.test:8080", plain]);
        assert!(
            server
                .connection()
                .starts_with("GET / HTTP/1.1\r\nHost: api.test:8080\r\n")
        );
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
