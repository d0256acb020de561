//! Who is not let in over HTTP, and what opens the door.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::http_client::{Answer, Place, Request, Server, rpc};
use super::process::Scratch;
use super::talk::initialize_params;

fn hello() -> Value {
    rpc("init", "initialize", &initialize_params("2025-11-25", json!({})))
}

/// Checks the status, and that a program, a person and an agent can each read why.
fn check_refusal(answer: &Answer, status: u16, what: &str) {
    assert_eq!(answer.status, status, "{what}: {answer:?}");
    let error = &answer.json()["error"];
    for part in ["code", "message", "hint"] {
        assert!(
            error[part].as_str().is_some_and(|text| !text.is_empty()),
            "{what}: {answer:?}"
        );
    }
}

#[test]
fn a_request_that_is_not_quite_right_is_refused() {
    let server = Server::start();
    let Place::Port(port) = server.place else {
        panic!("no port")
    };
    let good = || server.post(&hello());
    let session = server.initialize();
    let other = format!("127.0.0.1:{}", port ^ 1);
    let with_port = format!("example.org:{port}");
    let wrong = format!("Bearer {}", "0".repeat(64));
    let guessed = "00000000-0000-4000-8000-000000000000";
    let get = || server.post(&json!({})).method("GET").session(guessed);
    let twice = |name: &str, value: &str| {
        let request = server.call(&session, "c", "help");
        request.and_header(name, value)
    };
    let cases: Vec<(&str, u16, Request)> = vec![
        ("foreign host", 403, good().header("host", &with_port)),
        ("another port", 403, good().header("host", &other)),
        ("no port", 403, good().header("host", "127.0.0.1")),
        (
            "another address",
            403,
            good().header("host", &format!("127.9.9.9:{port}")),
        ),
        (
            "the other loopback",
            403,
            good().header("host", &format!("[::1]:{port}")),
        ),
        (
            "a port with a sign",
            403,
            good().header("host", &format!("127.0.0.1:+{port}")),
        ),
        ("two sessions", 400, twice("mcp-session-id", &session)),
        ("two revisions", 400, twice("mcp-protocol-version", "2025-11-25")),
        ("no host", 403, good().without("host")),
        (
            "foreign origin",
            403,
            good().header("origin", "http://example.org"),
        ),
        (
            "our own origin",
            403,
            good().header("origin", &format!("http://127.0.0.1:{port}")),
        ),
        ("null origin", 403, good().header("origin", "null")),
        (
            "preflight",
            403,
            good().method("OPTIONS").header("origin", "http://example.org"),
        ),
        ("no token", 401, good().without("authorization")),
        ("wrong token", 401, good().header("authorization", &wrong)),
        ("no bearer", 401, good().header("authorization", &server.token)),
        ("text", 415, good().header("content-type", "text/plain")),
        (
            "form",
            415,
            good().header("content-type", "application/x-www-form-urlencoded"),
        ),
        ("no type", 415, good().without("content-type")),
        ("unknown path", 404, good().path("/")),
        ("unknown method", 405, good().method("PUT")),
        ("guessed session", 404, server.call(guessed, "c", "help")),
        ("guessed session to listen to", 404, get()),
        ("guessed session to end", 404, get().method("DELETE")),
        (
            "too large by its own word",
            413,
            good().header("content-length", "600000"),
        ),
    ];
    for (what, status, request) in cases {
        check_refusal(&request.send(), status, what);
    }
    assert!(
        good()
            .without("authorization")
            .send()
            .header("www-authenticate")
            .is_some()
    );
    // After all that, the session that is there still answers.
    assert_eq!(
        server.call(&session, "c", "help").send().message("c")["result"]["isError"],
        false
    );
}

#[test]
fn bodies_that_are_no_message_are_refused() {
    let server = Server::start();
    for (body, code) in [
        ("garbage", -32700),
        ("{\"jsonrpc\":", -32700),
        ("[]", -32600),
        ("{}", -32600),
    ] {
        let answer = server.post(&json!({})).raw_body(body.as_bytes()).send();
        assert_eq!(
            (answer.status, answer.json()["error"]["code"].as_i64()),
            (400, Some(code)),
            "{body}"
        );
    }
    let chunked = server.post(&json!({})).header("transfer-encoding", "chunked");
    let mut large = Vec::new();
    for _ in 0..5 {
        large.extend_from_slice(format!("{:x}\r\n{}\r\n", 1 << 20, "x".repeat(1 << 20)).as_bytes());
    }
    large.extend_from_slice(b"0\r\n\r\n");
    let answer = chunked
        .header("content-length", "0")
        .without("content-length")
        .raw_body(&large);
    assert_eq!(answer.send().status, 413);
    let headers = server
        .post(&hello())
        .header("x-large", &"x".repeat(20_000))
        .send();
    assert_eq!(headers.status, 431);
    server.initialize();
}

#[test]
fn a_listed_page_is_let_in() {
    let origin = "http://localhost:6274";
    let server = Server::with(
        &["--http", "127.0.0.1:0", "--allow-origin", origin],
        Scratch::new(),
    );
    let answer = server.post(&hello()).header("origin", origin).send();
    assert_eq!(
        (answer.status, answer.header("access-control-allow-origin")),
        (200, Some(origin))
    );
    let asked = server
        .post(&json!({}))
        .method("OPTIONS")
        .without("authorization")
        .header("origin", origin)
        .header("access-control-request-method", "POST")
        .send();
    assert_eq!(asked.status, 204);
    assert!(
        asked
            .header("access-control-allow-headers")
            .unwrap()
            .contains("authorization")
    );
    check_refusal(
        &server.post(&hello()).header("origin", "null").send(),
        403,
        "null",
    );
    for bad in ["null", "*", "localhost"] {
        let said = Server::refused(
            &["--http", "127.0.0.1:0", "--allow-origin", bad],
            server.home.path(),
        );
        assert!(said.contains("--allow-origin"), "{said}");
    }
}

#[test]
fn the_token_is_made_once_and_shown_once() {
    let server = Server::start();
    assert_eq!(server.token.len(), 64);
    let file = server.home.path().join(".local/state/argrail/http-token");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let token = server.token.clone();
    let (said, home) = server.stopped();
    assert!(said.iter().any(|line| line.contains(&token)), "{said:?}");
    let again = Server::with(&["--http", "127.0.0.1:0"], home);
    assert_eq!(again.token, token);
    again.initialize();
    let (said, _home) = again.stopped();
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn a_token_that_others_can_read_is_refused() {
    let home = Scratch::new();
    let file = home.path().join("token");
    std::fs::write(&file, "x".repeat(64)).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let args = ["--http", "127.0.0.1:0", "--token-file", file.to_str().unwrap()];
    let said = Server::refused(&args, home.path());
    assert!(said.contains("readable or writable by others"), "{said}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    Server::with(&args, home).initialize();
}

#[test]
fn an_address_that_others_can_reach_is_refused() {
    let home = Scratch::new();
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
        let said = Server::refused(&["--http", address], home.path());
        assert!(said.contains("not a loopback address"), "{said}");
    }
}
