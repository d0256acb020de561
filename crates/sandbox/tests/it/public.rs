//! Every public host: names decide nothing then, addresses still do.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpListener};

use argrail_sandbox::policy::{Exec, HostPattern, Policy};
use argrail_sandbox::{DenialKind, Report};

use crate::place::{Place, out};

/// Asks the proxy for a host from inside.
fn ask(place: &Place, name: &str, address: IpAddr, port: u16, loopback: bool) -> Report {
    let script = format!(
        "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT {name}:{port} HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"
    );
    let policy = Policy::closed()
        .egress(HostPattern::public())
        .exec(crate::place::list(&["cat"]));
    let command = place
        .command(policy, &["/bin/bash", "-c", &script])
        .resolve([("any.test".to_owned(), address)]);
    let command = match loopback {
        true => command.allow_loopback(),
        false => command,
    };
    command.run().unwrap()
}

#[test]
fn any_name_is_reached_and_no_address_of_ours() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    for address in [
        [127, 0, 0, 1],
        [169, 254, 169, 254],
        [10, 0, 0, 1],
        [192, 168, 1, 1],
        [100, 64, 0, 1],
    ] {
        let report = ask(&place, "any.test", address.into(), port, false);
        assert!(
            out(&report).starts_with("HTTP/1.1 403"),
            "{address:?}: {report:?}"
        );
        let denial = report.denials.first().unwrap();
        assert_eq!(denial.kind, DenialKind::Net);
        assert!(
            denial.target.starts_with(&format!("any.test:{port} at ")),
            "{denial:?}"
        );
    }
    for address in ["127.0.0.1", "169.254.169.254", "[::1]", "2130706433"] {
        let report = ask(&place, address, [127, 0, 0, 1].into(), port, false);
        assert!(!out(&report).starts_with("HTTP/1.1 200"), "{address}: {report:?}");
        assert_eq!(report.hosts, [""; 0], "{address}");
    }
    // The same act, where it is allowed.
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"hello").unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let report = ask(&place, "any.test", [127, 0, 0, 1].into(), port, true);
    assert!(out(&report).ends_with("hello"), "{report:?}");
    assert_eq!(report.hosts, ["any.test"]);
    server.join().unwrap();
}

#[test]
fn a_text_stands_in_the_place_of_a_file_that_can_only_be_read() {
    let place = Place::new();
    let file = place.workspace.join("settings");
    std::fs::write(&file, "theirs").unwrap();
    let read = |policy: Policy| {
        let report = place
            .command(policy, &["cat", "settings"])
            .overlay_file(&file, "ours")
            .run();
        out(&report.unwrap())
    };
    assert_eq!(read(Policy::closed().read(place.tree())), "ours");
    assert_eq!(read(Policy::closed().write(place.tree())), "theirs");
    assert_eq!(read(Policy::closed()), ""); // what is not granted is not there, whatever it says
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
}

#[test]
fn a_fixed_file_says_what_it_said_whatever_becomes_of_it() {
    let place = Place::new();
    let file = place.workspace.join("script");
    std::fs::write(&file, "theirs").unwrap();
    let run = |policy: Policy, script: &str| {
        let command = place.shell(policy, script).pin_file(&file, "ours");
        out(&command.run().unwrap())
    };
    let writes = || Policy::closed().write(place.tree()).exec(Exec::Any);
    assert_eq!(
        run(Policy::closed().read(place.tree()).exec(Exec::Any), "cat script"),
        "ours"
    );
    assert_eq!(run(writes(), "cat script"), "ours");
    // It cannot be changed, and neither can it be moved out of the way; beside it everything goes on.
    let tried = "echo x 2>/dev/null > script; mv script other 2>/dev/null; rm -f script 2>/dev/null; echo y > beside; cat script";
    assert_eq!(run(writes(), tried), "ours");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "theirs");
    assert_eq!(
        std::fs::read_to_string(place.workspace.join("beside")).unwrap(),
        "y\n"
    );
    assert_eq!(
        run(Policy::closed().exec(Exec::Any), "cat script 2>/dev/null"),
        ""
    );
    let long = vec![b'x'; 16 << 20];
    let command = place.shell(writes(), "wc -c < script").pin_file(&file, long);
    assert_eq!(out(&command.run().unwrap()).trim(), "16777216");
}

#[test]
fn a_fixed_file_whose_place_was_taken_is_a_refusal() {
    let place = Place::new();
    let file = place.workspace.join("script");
    let refused = || {
        let policy = Policy::closed().write(place.tree());
        match place
            .command(policy, &["cat", "script"])
            .pin_file(&file, "ours")
            .run()
        {
            Err(argrail_sandbox::Error::Refused(refusal)) => refusal.field,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(), "files");
    std::fs::write(place.workspace.join("evil"), "evil").unwrap();
    std::os::unix::fs::symlink("evil", &file).unwrap();
    assert_eq!(refused(), "files");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(refused(), "files");
}
