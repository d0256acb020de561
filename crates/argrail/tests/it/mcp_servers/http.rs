//! Servers that are addresses. What they are told in confidence goes to them only, and stands in no error.

use std::io::Write;
use std::net::{TcpListener, TcpStream};

use argrail_testkit::{Home, with_time_to_begin};
use serde_json::{Value, json};

use super::ask::{LONG, SHORT, failed, listed, url};
use super::peer::{Peer, Seen, begin, respond};

const JSON: &str = "Content-Type: application/json\r\n";

fn answer(seen: &Seen, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": seen.body["id"], "result": result}).to_string()
}

fn hello(seen: &Seen) -> String {
    let info = json!({"name": "s", "version": "1"});
    answer(
        seen,
        &json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info}),
    )
}

/// Answers as a server should, with one tool.
fn good(seen: &Seen, stream: &mut TcpStream) {
    match seen.asks() {
        "initialize" => respond(stream, "200 OK", JSON, &hello(seen)),
        "tools/list" => respond(
            stream,
            "200 OK",
            JSON,
            &answer(seen, &json!({"tools": [{"name": "a"}]})),
        ),
        _ => respond(stream, "202 Accepted", "", ""),
    }
}

/// A server that answers `initialize` as it should, and then does `then`.
fn after_hello(then: impl Fn(&Seen, &mut TcpStream) + Send + Sync + 'static) -> Peer {
    Peer::start(move |seen, stream| match seen.asks() {
        "tools/list" => then(seen, stream),
        _ => good(seen, stream),
    })
}

fn fails(peer: &Peer) -> (&'static str, String) {
    let outcome = failed(
        &Home::new(),
        &url(&peer.url, &[("Authorization", "Bearer s3cret")]),
        LONG,
    );
    assert!(
        !outcome.1.contains("s3cret") && !outcome.1.contains("k3y"),
        "{}",
        outcome.1
    );
    outcome
}

#[test]
fn a_server_is_asked_in_order_and_the_session_is_kept() {
    let peer = Peer::start(
        |seen, stream| match (seen.asks(), seen.header("mcp-session-id")) {
            ("initialize", None) => respond(
                stream,
                "200 OK",
                &format!("{JSON}Mcp-Session-Id: abc-123\r\n"),
                &hello(seen),
            ),
            (_, Some("abc-123")) => good(seen, stream),
            (_, _) => respond(stream, "400 Bad Request", "", ""),
        },
    );
    let loaded = listed(
        &Home::new(),
        &url(
            &peer.url,
            &[("Authorization", "Bearer s3cret"), ("X-Team", "red")],
        ),
    );
    assert_eq!(loaded.metadata.commands.keys().collect::<Vec<_>>(), ["a"]);
    let seen = peer.seen();
    let order: Vec<(&str, &str)> = seen
        .iter()
        .map(|seen| (seen.method.as_str(), seen.asks()))
        .collect();
    let initialized = "notifications/initialized";
    assert_eq!(
        order,
        [
            ("POST", "initialize"),
            ("POST", initialized),
            ("POST", "tools/list"),
            ("DELETE", "")
        ]
    );
    for request in &seen {
        assert_eq!(request.header("authorization"), Some("Bearer s3cret"));
        assert_eq!(request.header("x-team"), Some("red"));
    }
    let (first, rest) = seen.split_first().unwrap();
    assert_eq!(
        first.header("accept"),
        Some("application/json, text/event-stream")
    );
    assert_eq!(
        (
            first.header("mcp-protocol-version"),
            first.header("mcp-session-id")
        ),
        (None, None)
    );
    for request in rest {
        assert_eq!(request.header("mcp-protocol-version"), Some("2025-06-18"));
        assert_eq!(request.header("mcp-session-id"), Some("abc-123"));
    }
}

#[test]
fn answers_may_come_as_events_and_questions_are_answered_meanwhile() {
    let (tell, told) = std::sync::mpsc::channel();
    let (tell, told) = (std::sync::Mutex::new(tell), std::sync::Mutex::new(told));
    let peer = Peer::start(move |seen, stream| match seen.asks() {
        "tools/list" => {
            begin(stream, "text/event-stream; charset=utf-8");
            let ping = json!({"jsonrpc": "2.0", "id": "q", "method": "ping"});
            let _ = write!(
                stream,
                "id: 0\ndata:\n\n: hello\n\nevent: message\ndata: {ping}\n\n"
            );
            // Only after the answer to that comes ours.
            let pong: Value = told.lock().unwrap().recv_timeout(LONG).unwrap();
            assert_eq!(pong, json!({"jsonrpc": "2.0", "id": "q", "result": {}}));
            let tools = answer(seen, &json!({"tools": [{"name": "a"}]}));
            let _ = write!(stream, "event: other\ndata: x\n\ndata: {tools}\n\n");
        }
        "" if seen.body.get("result").is_some() => {
            tell.lock().unwrap().send(seen.body.clone()).unwrap();
            respond(stream, "202 Accepted", "", "");
        }
        _ => good(seen, stream),
    });
    let loaded = listed(&Home::new(), &url(&peer.url, &[]));
    assert_eq!(loaded.metadata.commands.len(), 1);
    // Without a session there is none to end.
    assert!(peer.seen().iter().all(|seen| seen.method == "POST"));
}

#[test]
fn what_was_given_in_confidence_is_not_kept_when_it_comes_back() {
    let peer = after_hello(|seen, stream| {
        let said = seen.header("authorization").unwrap_or_default().to_owned();
        let tools = json!({"tools": [{"name": "a", "description": said}]});
        respond(stream, "200 OK", JSON, &answer(seen, &tools));
    });
    let loaded = listed(
        &Home::new(),
        &url(&peer.url, &[("Authorization", "Bearer s3cret")]),
    );
    assert_eq!(loaded.metadata.commands["a"].description, "***");
    let peer = after_hello(|seen, stream| {
        let error = json!({"code": -32000, "message": "token s3cret has expired"});
        let said = json!({"jsonrpc": "2.0", "id": seen.body["id"], "error": error});
        respond(stream, "200 OK", JSON, &said.to_string());
    });
    let (code, message) = fails(&peer);
    assert_eq!(code, "EXECUTION_ERROR");
    assert!(
        message.contains("refuses tools/list with -32000: 'token *** has expired'"),
        "{message}"
    );
}

#[test]
fn a_redirect_is_told_and_not_followed() {
    let other = Peer::start(good);
    let elsewhere = other.url.clone();
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        let location = format!("Location: {elsewhere}\r\n");
        let peer = Peer::start(move |_, stream| respond(stream, status, &location, ""));
        let (code, message) = fails(&peer);
        assert_eq!(code, "EXECUTION_ERROR", "{message}");
        assert!(message.contains("redirects to 'http://127.0.0.1:"), "{message}");
    }
    assert!(other.seen().is_empty());
}

#[test]
fn refusals_of_the_web_are_told_apart() {
    let check = |status: &'static str, body: &'static str, code: &str, part: &str| {
        let peer = Peer::start(move |_, stream| respond(stream, status, JSON, body));
        let (came, message) = fails(&peer);
        assert_eq!(came, code, "{status}: {message}");
        assert!(message.contains(part), "{status}: {message}");
    };
    check("401 Unauthorized", "", "AUTH_REQUIRED", "sign in (status 401)");
    check("403 Forbidden", "", "AUTH_REQUIRED", "sign in (status 403)");
    check("404 Not Found", "<html>", "EXECUTION_ERROR", "status 404");
    check("500 Oops", "", "EXECUTION_ERROR", "status 500");
    let said = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}"#;
    check("400 Bad Request", said, "EXECUTION_ERROR", "with -32600: 'no'");
    check("200 OK", "", "OUTPUT_PARSE_FAILED", "nothing to read");
    check("200 OK", "<html>", "OUTPUT_PARSE_FAILED", "cannot be read");
    check(
        "200 OK",
        r#"{"jsonrpc":"2.0","id":99,"result":{}}"#,
        "OUTPUT_PARSE_FAILED",
        "no answer to what was asked",
    );
    check("202 Accepted", "", "OUTPUT_PARSE_FAILED", "nothing to read");
}

#[test]
fn what_is_no_answer_of_a_server_is_told() {
    let check = |then: fn(&Seen, &mut TcpStream), code: &str, part: &str| {
        let (came, message) = fails(&after_hello(then));
        assert_eq!(came, code, "{message}");
        assert!(message.contains(part), "{message}");
    };
    let unread = "OUTPUT_PARSE_FAILED";
    check(
        |_, stream| respond(stream, "200 OK", "Content-Type: text/html\r\n", "hi"),
        unread,
        "neither JSON nor",
    );
    check(
        |_, stream| respond(stream, "200 OK", "", "{}"),
        unread,
        "neither JSON nor",
    );
    check(
        |_, stream| {
            begin(stream, "text/event-stream");
            let _ = stream.write_all(b"data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n");
        },
        unread,
        "ended before the answer",
    );
    check(
        |_, stream| {
            begin(stream, "text/event-stream");
            let _ = stream.write_all(b"data: nonsense\n\n");
        },
        unread,
        "cannot be read",
    );
    // The head promises more than comes.
    check(
        |_, stream| {
            drop(stream.write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
            ))
        },
        "EXECUTION_ERROR",
        "cannot be reached",
    );
    check(
        |_, stream| drop(stream.write_all(b"SSH-2.0-OpenSSH\r\n")),
        unread,
        "no answer of HTTP",
    );
}

#[test]
fn a_flood_is_stopped() {
    let check = |kind: &'static str, part: &'static [u8]| {
        let peer = after_hello(move |_, stream| {
            begin(stream, kind);
            let flood = part.repeat((64 << 10) / part.len());
            while stream.write_all(&flood).is_ok() {}
        });
        let (code, message) = failed(&Home::new(), &url(&peer.url, &[]), LONG);
        assert_eq!(code, "OUTPUT_PARSE_FAILED", "{message}");
        assert!(message.contains("more than is listened to"), "{message}");
    };
    check("application/json", b"[");
    check("text/event-stream", b"data: x\n");
    check("text/event-stream", b": comment\n\n");
    check(
        "text/event-stream",
        b"data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n",
    );
    check(
        "text/event-stream",
        b"data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":7}\n\n",
    );
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    // Accepts and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", silent.local_addr().unwrap());
    let (code, message) = failed(&Home::new(), &url(&address, &[]), SHORT);
    assert_eq!(code, "TIMEOUT", "{message}");
    // Begins, and never ends.
    for kind in ["application/json", "text/event-stream"] {
        with_time_to_begin(|time| {
            let (_hold, held) = std::sync::mpsc::channel::<()>();
            let held = std::sync::Mutex::new(held);
            let peer = after_hello(move |_, stream| {
                begin(stream, kind);
                let _ = stream.write_all(b" ");
                // Until the test ends.
                let _ = held.lock().unwrap().recv();
            });
            let (code, message) = failed(&Home::new(), &url(&peer.url, &[]), time);
            assert_eq!(code, "TIMEOUT", "{kind}: {message}");
            message.contains("no answer to tools/list in time").then_some(())
        });
    }
}

#[test]
fn odd_sessions_are_refused() {
    for id in ["a b", "é", ""] {
        let header = format!("{JSON}Mcp-Session-Id: {id}\r\n");
        let peer = Peer::start(move |seen, stream| respond(stream, "200 OK", &header, &hello(seen)));
        let (code, message) = fails(&peer);
        assert_eq!(code, "OUTPUT_PARSE_FAILED", "{id:?}: {message}");
        assert!(message.contains("session"), "{message}");
    }
}

#[test]
fn nobody_there_and_nowhere_to_go() {
    // A port that was held, and is free again: nobody listens on it.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let (code, message) = failed(
        &Home::new(),
        &url(&format!("http://127.0.0.1:{port}/k3y"), &[]),
        LONG,
    );
    assert_eq!(code, "EXECUTION_ERROR", "{message}");
    assert!(
        message.contains("cannot be reached: 'connection refused'") && !message.contains("k3y"),
        "{message}"
    );
    for address in ["ftp://mcp.example/k3y", "https://me:k3y@mcp.example/", "k3y"] {
        let (code, message) = failed(&Home::new(), &url(address, &[]), LONG);
        assert_eq!(code, "VALIDATION_ERROR", "{message}");
        assert!(!message.contains("k3y"), "{message}");
    }
}
