//! Tools of servers that are addresses, called.

use std::io::Write;
use std::net::TcpStream;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use argrail_engine::catalog::mcp::{Call, Called, Hold, McpError, call};
use argrail_sandbox::Cancel;
use argrail_testkit::{Home, with_time_to_begin};
use serde_json::{Map, Value, json};

use super::ask::{LONG, means, url};
use super::peer::{Peer, Seen, begin, respond};

const JSON: &str = "Content-Type: application/json\r\n";

fn answer(seen: &Seen, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": seen.body["id"], "result": result}).to_string()
}

/// A server that greets, with a session, and does `then` when a tool is called.
fn after_hello(then: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static) -> Peer {
    Peer::start(move |seen, stream| match seen.asks() {
        "initialize" => {
            let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}});
            let head = format!("{JSON}Mcp-Session-Id: abc\r\n");
            respond(stream, "200 OK", &head, &answer(seen, &hello));
        }
        "tools/call" => then(seen, stream),
        _ => respond(stream, "202 Accepted", "", ""),
    })
}

fn called(peer: &Peer, timeout: Duration, cancel: Option<&Cancel>) -> Result<Called, McpError> {
    let mut arguments = Map::new();
    arguments.insert("a".to_owned(), json!(1));
    let call_it = Call {
        name: "demo",
        server: &url(&peer.url, &[("Authorization", "Bearer s3cret")]),
        tool: "get",
        arguments,
        hold: &Hold::Closed,
        cancel,
    };
    call(call_it, &means(&Home::new(), timeout))
}

#[test]
fn a_tool_is_called_within_its_session() {
    let cancel = Cancel::new().unwrap();
    for cancel in [None, Some(&cancel)] {
        let peer = after_hello(|seen, stream| {
            let said = json!({"content": [{"type": "text", "text": seen.header("authorization")}],
                "structuredContent": seen.body["params"]});
            respond(stream, "200 OK", JSON, &answer(seen, &said));
        });
        let called = called(&peer, LONG, cancel).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            called.structured,
            Some(json!({"name": "get", "arguments": {"a": 1}}))
        );
        assert_eq!(called.content[0]["text"], "***");
        let seen = peer.seen();
        let order: Vec<(&str, &str)> = seen
            .iter()
            .map(|seen| (seen.method.as_str(), seen.asks()))
            .collect();
        assert_eq!(
            order,
            [
                ("POST", "initialize"),
                ("POST", "notifications/initialized"),
                ("POST", "tools/call"),
                ("DELETE", "")
            ]
        );
        for request in &seen[1..] {
            assert_eq!(request.header("mcp-session-id"), Some("abc"));
        }
    }
}

#[test]
fn progress_may_come_before_the_answer() {
    let peer = after_hello(|seen, stream| {
        begin(stream, "text/event-stream");
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}});
        let done = answer(seen, &json!({"content": [], "isError": true}));
        let _ = write!(stream, "data: {progress}\n\ndata: {progress}\n\ndata: {done}\n\n");
    });
    assert!(called(&peer, LONG, None).unwrap().is_error);
}

#[test]
fn what_goes_wrong_is_told_without_what_was_given_in_confidence() {
    let check = |then: fn(&Seen, &mut TcpStream), timeout, code: &str, part: &str| {
        let error = called(&after_hello(then), timeout, None).unwrap_err();
        let said = error.to_string();
        assert_eq!(error.code().name(), code, "{said}");
        assert!(said.contains(part) && !said.contains("s3cret"), "{said}");
    };
    check(
        |_, stream| respond(stream, "401 Unauthorized", "", ""),
        LONG,
        "AUTH_REQUIRED",
        "sign in (status 401)",
    );
    check(
        |seen, stream| {
            let error = json!({"code": -32602, "message": "bad s3cret"});
            let said = json!({"jsonrpc": "2.0", "id": seen.body["id"], "error": error});
            respond(stream, "200 OK", JSON, &said.to_string());
        },
        LONG,
        "EXECUTION_ERROR",
        "refuses tools/call with -32602: 'bad ***'",
    );
    check(
        |seen, stream| respond(stream, "200 OK", JSON, &answer(seen, &json!({}))),
        LONG,
        "OUTPUT_PARSE_FAILED",
        "content",
    );
    check(
        |_, stream| {
            begin(stream, "application/json");
            let flood = vec![b'['; 64 << 10];
            while stream.write_all(&flood).is_ok() {}
        },
        LONG,
        "OUTPUT_PARSE_FAILED",
        "more than is listened to",
    );
    check(
        |_, stream| respond(stream, "302 Found", "Location: http://127.0.0.1:1/\r\n", ""),
        LONG,
        "EXECUTION_ERROR",
        "redirects",
    );
}

#[test]
fn a_server_that_never_answers_a_call_is_given_up() {
    with_time_to_begin(|time| {
        let (_hold, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        let peer = after_hello(move |_, stream| {
            begin(stream, "text/event-stream");
            // Until the test ends.
            let _ = held.lock().unwrap().recv();
        });
        let error = called(&peer, time, None).unwrap_err();
        assert_eq!(error.code().name(), "TIMEOUT", "{error}");
        error.to_string().contains("tools/call").then_some(())
    });
}

#[test]
fn a_call_that_nobody_wants_any_more_is_left_and_the_server_is_told() {
    let cancel = Cancel::new().unwrap();
    let (told, hear) = mpsc::channel::<Seen>();
    let (_hold, held) = mpsc::channel::<()>();
    let (held, switch) = (Mutex::new(held), cancel.clone());
    let peer = Peer::start(move |seen, stream| match (seen.asks(), seen.method.as_str()) {
        ("initialize", _) => {
            let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}});
            let head = format!("{JSON}Mcp-Session-Id: abc\r\n");
            respond(stream, "200 OK", &head, &answer(seen, &hello));
        }
        ("tools/call", _) => {
            switch.cancel();
            // Until the test ends.
            let _ = held.lock().unwrap().recv();
        }
        ("notifications/cancelled", _) | (_, "DELETE") => {
            // Before the answer, so that the order is that of the requests.
            let _ = told.send(seen.clone());
            respond(stream, "202 Accepted", "", "");
        }
        (_, _) => respond(stream, "202 Accepted", "", ""),
    });
    let begun = Instant::now();
    let error = called(&peer, 10 * LONG, Some(&cancel)).unwrap_err();
    assert!(error.to_string().contains("cancelled"), "{error}");
    assert!(begun.elapsed() < 5 * LONG);
    let first = hear.recv_timeout(LONG).unwrap();
    assert_eq!(first.body["params"]["requestId"], 2);
    assert_eq!(first.header("mcp-session-id"), Some("abc"));
    assert_eq!(hear.recv_timeout(LONG).unwrap().method, "DELETE");
}
