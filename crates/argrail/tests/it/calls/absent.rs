//! A host that may be reached and is not there: what our own proxy says in its place is no answer.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};

use rustix::net::{AddressFamily, SocketType, bind, getsockname, socket};
use serde_json::{Value, json};

use super::ground::{call, home, reads, vouched};
use crate::ARGRAIL;

/// What asks a server through the proxy, prints what comes, and is content with all of it.
fn fetcher(port: u16) -> String {
    format!(
        "exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; \
         printf \"GET http://api.test:{port}/ HTTP/1.1\\r\\nHost: api.test\\r\\n\\r\\n\" >&3; cat <&3'"
    )
}

fn effects() -> Value {
    let mut effects = reads();
    effects["network"] = json!(true);
    effects["x-egress"] = json!(["api.test"]);
    effects["subprocess"] = json!(true);
    effects
}

#[test]
fn a_host_that_is_not_there_is_an_error_and_not_a_page() {
    // Nobody listens there, for as long as it is held.
    let held = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
    bind(&held, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = SocketAddrV4::try_from(getsockname(&held).unwrap())
        .unwrap()
        .port();
    let config = json!({"network": {"resolve": {"api.test": "127.0.0.1"}, "allowLoopback": true}});
    let home = home().config(&config.to_string());
    let home = vouched(home, "fetcher", &fetcher(port), &json!({"effects": effects()}));
    let run = call(&home, "fetcher");
    let error = &run.json()["error"];
    assert_eq!(error["code"], "EXECUTION_ERROR", "{run}");
    let target = format!("api.test:{port}");
    assert!(error["message"].as_str().unwrap().contains(&target), "{run}");
    assert_eq!(
        error["unreached"],
        json!([{"target": target, "why": "no answer"}]),
        "{run}"
    );
    let run = home.run(ARGRAIL, &["run", "--", "fetcher"]);
    assert_eq!(run.exit, Some(1), "{run}");
    // Somebody is there, and says nothing worth mentioning.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        assert_ne!(stream.read(&mut [0; 4096]).unwrap(), 0);
        stream
            .write_all(b"HTTP/1.1 502 Bad Gateway\r\n\r\nits own\n")
            .unwrap();
    });
    let home = vouched(home, "fetcher", &fetcher(port), &json!({"effects": effects()}));
    let run = call(&home, "fetcher");
    assert_eq!(run.json()["success"], true, "{run}");
    assert!(run.stdout.contains("its own"), "{run}");
}
