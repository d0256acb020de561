//! Sessions and calls over HTTP, in both lifecycles, and the end.

use std::net::TcpStream;

use argrail_testkit::{Signal, signal};
use serde_json::{Value, json};

use super::http_client::{Answer, Place, Server, rpc};
use super::process::{self, Scratch};
use super::talk::{initialize_params, inline_meta};

#[test]
fn a_session_lists_calls_and_ends() {
    let server = Server::start();
    let session = server.initialize();
    let tools = server
        .post(&rpc("t", "tools/list", &json!({})))
        .session(&session)
        .send();
    assert_eq!(tools.message("t")["result"]["tools"][0]["name"], "cli");
    let result = server.call(&session, "c", "help").send().message("c")["result"].clone();
    assert_eq!(result["isError"], false);
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    let wrong = rpc("w", "tools/call", &json!({"name": "cli", "arguments": "help"}));
    let answer = server.post(&wrong).session(&session).send();
    assert_eq!(answer.message("w")["result"]["isError"], true);
    let other = rpc("o", "tools/call", &json!({"name": "other"}));
    assert_eq!(
        server.post(&other).session(&session).send().message("o")["error"]["code"],
        -32602
    );
    let end = server.post(&json!({})).method("DELETE").session(&session);
    assert!((200..300).contains(&end.send().status));
    assert_eq!(server.call(&session, "d", "help").send().status, 404);
}

#[test]
fn the_revision_without_sessions_is_spoken() {
    let server = Server::start();
    let discover = rpc("d", "server/discover", &json!({"_meta": inline_meta(json!({}))}));
    let found = server
        .post(&discover)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "server/discover")
        .send();
    assert!(found.header("mcp-session-id").is_none());
    let versions = found.message("d")["result"]["supportedVersions"].clone();
    assert!(
        versions.as_array().unwrap().contains(&json!("2026-07-28")),
        "{found:?}"
    );
    let call = server.call_inline("c", "help").send();
    assert_eq!(call.message("c")["result"]["isError"], false, "{call:?}");
    // A stray session id means nothing in this revision.
    let stray = server
        .call_inline("s", "help")
        .header("mcp-session-id", "x")
        .send();
    assert_eq!(stray.message("s")["result"]["isError"], false, "{stray:?}");
    // Nor does the handshake, which this revision took away.
    let hello = rpc("h", "initialize", &json!({"_meta": inline_meta(json!({}))}));
    let removed = server
        .post(&hello)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "initialize")
        .send();
    assert_eq!(
        (removed.status, removed.message("h")["error"]["code"].as_i64()),
        (404, Some(-32601))
    );
    let mut slow = server.call_inline("p", "x-argrail wait 1").open();
    assert_eq!(slow.event().unwrap()["method"], "notifications/progress");
    assert_eq!(slow.event().unwrap()["id"], "p");
}

#[test]
fn a_quick_call_does_not_wait_for_a_slow_one() {
    let server = Server::start();
    let session = server.initialize();
    let mut slow = server.call(&session, "slow", "x-argrail wait 2").open();
    assert_eq!(slow.event().unwrap()["params"]["progressToken"], "slow"); // it runs
    assert_eq!(
        server.call(&session, "quick", "help").send().message("quick")["result"]["isError"],
        false
    );
    assert_eq!(slow.event().unwrap()["params"]["progress"], 2.0);
    assert_eq!(slow.event().unwrap()["result"]["isError"], false);
    assert!(slow.event().is_none());
}

#[test]
fn a_cancelled_call_stops_and_is_not_answered() {
    let server = Server::start();
    let session = server.initialize();
    let mut gone = server.call(&session, "gone", "x-argrail wait 50").open();
    gone.event().unwrap();
    let cancel =
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "gone"}});
    assert_eq!(server.post(&cancel).session(&session).send().status, 202);
    while let Some(event) = gone.event() {
        assert_ne!(event["id"], "gone");
    }
    assert_eq!(
        server.call(&session, "c", "help").send().message("c")["result"]["isError"],
        false
    );
}

#[test]
fn a_call_whose_session_is_ended_is_told() {
    let server = Server::start();
    let session = server.initialize();
    let mut cut = server.call(&session, "cut", "x-argrail wait 50").open();
    cut.event().unwrap();
    let end = server.post(&json!({})).method("DELETE").session(&session);
    assert!((200..300).contains(&end.send().status));
    let answer = std::iter::from_fn(|| cut.event()).find(|event| event["id"] == "cut");
    let answer = answer.expect("the stream does not end without an answer");
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
}

#[test]
fn what_is_left_when_the_server_ends_is_told() {
    let server = Server::start();
    let session = server.initialize();
    let mut slow = server.call(&session, "slow", "x-argrail wait 50").open();
    let mut inline = server.call_inline("inline", "x-argrail wait 50").open();
    slow.event().unwrap();
    inline.event().unwrap();
    // The second one ends the grace.
    signal(server.pid(), Signal::TERM);
    let Place::Port(port) = server.place else {
        panic!("no port")
    };
    while TcpStream::connect(("127.0.0.1", port)).is_ok() {}
    signal(server.pid(), Signal::TERM);
    for (mut open, id) in [(slow, "slow"), (inline, "inline")] {
        let answer = std::iter::from_fn(|| open.event()).find(|event| event["id"] == id);
        let answer = answer.expect("the stream does not end without an answer");
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
    }
    assert!(server.ended().success());
}

#[test]
fn a_client_with_roots_is_asked_on_the_stream_of_its_call() {
    let server = Server::start();
    let hello = rpc(
        "init",
        "initialize",
        &initialize_params("2025-11-25", json!({"roots": {}})),
    );
    let session = server
        .post(&hello)
        .send()
        .header("mcp-session-id")
        .unwrap()
        .to_owned();
    let version = server.call(&session, "v", "version").send();
    assert_eq!(version.message("v")["result"]["isError"], false); // it needs none
    let mut call = server.call(&session, "c", "x-argrail path .").open();
    let question = call.event().unwrap();
    assert_eq!(question["method"], "roots/list");
    let roots = json!({"roots": [{"uri": "file:///"}]});
    let answer = json!({"jsonrpc": "2.0", "id": question["id"], "result": roots});
    assert_eq!(server.post(&answer).session(&session).send().status, 202);
    assert_eq!(call.event().unwrap()["id"], "c");
    let mut next = server.call(&session, "d", "x-argrail path .").open();
    assert_eq!(next.event().unwrap()["id"], "d"); // not asked again
}

#[test]
fn the_rate_limit_counts_the_credential_and_not_the_session() {
    let home = Scratch::new();
    let config = home.path().join(".config/agent-tools");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(
        config.join("config.json"),
        r#"{"rateLimit": {"requests": 2, "per": "1h"}}"#,
    )
    .unwrap();
    let server = Server::with(&["--http", "127.0.0.1:0"], home);
    let sessions = [server.initialize(), server.initialize(), server.initialize()];
    let code = |answer: Answer| answer.message("c")["result"]["structuredContent"]["error"]["code"].clone();
    assert_eq!(
        code(server.call(&sessions[0], "c", "version").send()),
        Value::Null
    );
    assert_eq!(code(server.call_inline("c", "version").send()), Value::Null);
    for session in &sessions {
        assert_eq!(code(server.call(session, "c", "version").send()), "RATE_LIMITED");
    }
    assert_eq!(code(server.call_inline("c", "version").send()), "RATE_LIMITED");
}

#[test]
fn an_id_in_use_is_refused() {
    let server = Server::start();
    let session = server.initialize();
    let mut first = server.call(&session, "twin", "x-argrail wait 2").open();
    first.event().unwrap();
    let second = server.call(&session, "twin", "help").send();
    assert_eq!(second.message("twin")["error"]["code"], -32600);
    first.event().unwrap();
    assert_eq!(first.event().unwrap()["result"]["isError"], false);
}

#[test]
fn a_client_that_hangs_up_takes_nobody_with_it() {
    let server = Server::start();
    let (leaving, staying) = (server.initialize(), server.initialize());
    let mut slow = server.call(&staying, "slow", "x-argrail wait 3").open();
    slow.event().unwrap();
    for id in 0..3 {
        let mut broken = server
            .call(&leaving, &format!("b{id}"), "x-argrail wait 1")
            .open();
        assert!(broken.event().is_some());
        drop(broken);
        drop(server.call_inline("i", "x-argrail wait 50").open());
        break_off(&server);
    }
    while let Some(event) = slow.event() {
        assert!(event.get("error").is_none(), "{event}");
    }
    for session in [&leaving, &staying] {
        assert_eq!(
            server.call(session, "c", "help").send().message("c")["result"]["isError"],
            false
        );
    }
}

/// Sends half a request and hangs up.
fn break_off(server: &Server) {
    use std::io::Write;
    let Place::Port(port) = server.place else {
        panic!("no port")
    };
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {}\r\n",
        server.token
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
        .write_all(b"content-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"jsonrpc\"")
        .unwrap();
}

#[test]
fn many_sessions_live_side_by_side() {
    let server = Server::start();
    // What one session costs is there whatever comes: the program itself, and the catalogue.
    let first = server.initialize();
    assert_eq!(
        server.call(&first, "c", "help").send().message("c")["result"]["isError"],
        false
    );
    let alone = process::peak_kib(server.pid());
    let sessions: Vec<String> = (0..100).map(|_| server.initialize()).collect();
    let mut different = sessions.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), sessions.len());
    let slow: Vec<_> = sessions
        .iter()
        .map(|id| server.call(id, "s", "x-argrail wait 2").open())
        .collect();
    for session in &sessions {
        assert_eq!(
            server.call(session, "c", "help").send().message("c")["result"]["isError"],
            false
        );
    }
    for open in slow {
        assert_eq!(open.rest().message("s")["result"]["isError"], false);
    }
    let peak = process::peak_kib(server.pid());
    // A session is a few hundred KiB at the most, with a call under way and its catalogue shared.
    assert!(peak < alone + 30_000, "{alone} KiB, then {peak} KiB");
}

#[test]
fn a_signal_waits_for_what_is_running() {
    let server = Server::start();
    let session = server.initialize();
    let mut slow = server.call(&session, "slow", "x-argrail wait 2").open();
    let mut inline = server.call_inline("inline", "x-argrail wait 2").open();
    // Somebody who only listens, and would for ever.
    let listening = server.post(&json!({})).method("GET").session(&session).open();
    assert_eq!(listening.status, 200);
    slow.event().unwrap();
    inline.event().unwrap();
    signal(server.pid(), Signal::TERM);
    for mut open in [slow, inline] {
        let answer = std::iter::from_fn(|| open.event()).find(|event| event.get("id").is_some());
        assert_eq!(answer.unwrap()["result"]["isError"], false);
    }
    let place = server.place.clone();
    assert!(server.ended().success());
    let Place::Port(port) = place else {
        panic!("no port")
    };
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}
