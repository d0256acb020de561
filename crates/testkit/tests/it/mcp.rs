//! The MCP client against small servers written in shell, honest and not.

use argrail_testkit::Home;
use argrail_testkit::mcp::Client;
use serde_json::json;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Answers the handshake, then every line as if it were the call with the id that follows.
const SERVER: &str = r#"#!/bin/sh
read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}'
read -r line
id=2
while read -r line; do
    echo '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":'$id'}}'
    echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"answer '$id'"}]}}'
    id=$((id + 1))
done
echo done >&2
"#;

fn client(script: &str) -> (Home, Client) {
    let home = Home::new().tool("server", script);
    let client = Client::new(home.spawn("server", &[]));
    (home, client)
}

#[test]
fn a_session_from_handshake_to_end() {
    let (_home, mut client) = client(SERVER);
    assert_eq!(client.initialize()["protocolVersion"], "2025-11-25");
    assert_eq!(client.call("help")["content"][0]["text"], "answer 2");
    assert_eq!(client.notification("notifications/message")["params"]["data"], 2);
    let run = client.finish();
    assert_eq!((run.exit, run.stderr.as_str()), (Some(0), "done\n"));
}

#[test]
fn answers_are_matched_by_id_in_any_order() {
    let (_home, mut client) = client(SERVER);
    client.initialize();
    let (first, second) = (client.start_call("a"), client.start_call("b"));
    assert_eq!(client.response(second)["id"], second);
    assert_eq!(client.notifications().len(), 2);
    assert_eq!(client.response(first)["id"], first);
}

#[test]
fn errors_and_server_requests_are_told_apart() {
    let (_home, mut client) = client(
        r#"#!/bin/sh
read -r line
echo '{"jsonrpc":"2.0","id":"s1","method":"ping"}'
echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}'
"#,
    );
    let id = client.request("tools/call", json!({}));
    assert_eq!(client.response(id)["error"]["code"], -32602);
    assert_eq!(client.requests()[0]["method"], "ping");
}

#[test]
fn anything_but_protocol_on_stdout_fails_the_test() {
    for line in ["Listening", "{}", "[]", r#"{\"id\":1,\"result\":{}}"#] {
        let (_home, mut client) = client(&format!("#!/bin/sh\nread -r line\necho \"{line}\"\n"));
        let id = client.request("ping", json!({}));
        let failure = catch_unwind(AssertUnwindSafe(|| client.response(id))).unwrap_err();
        let message = failure.downcast::<String>().unwrap();
        assert!(
            message.starts_with("not a JSON-RPC message on stdout"),
            "{message}"
        );
    }
}

#[test]
fn a_server_that_ends_early_is_shown() {
    let (_home, mut client) = client("#!/bin/sh\nread -r line\necho 'broken' >&2\nexit 4\n");
    let id = client.request("ping", json!({}));
    let failure = catch_unwind(AssertUnwindSafe(|| client.response(id))).unwrap_err();
    let message = failure.downcast::<String>().unwrap();
    assert!(
        message.contains("exit: 4") && message.contains("broken"),
        "{message}"
    );
}
