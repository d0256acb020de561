//! A stdio client that does not keep to the protocol: it is told, and everything else goes on.

use serde_json::json;

use super::process;
use super::talk::Talk;

#[test]
fn garbage_is_answered_and_the_server_goes_on() {
    let mut talk = Talk::ready();
    let cases: &[(&[u8], i64)] = &[
        (b"garbage\n", -32700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/ca\n", -32700),
        (b"\x00\xff\xfe\x80\n", -32700),
        (b"[]\n", -32600),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]\n", -32600),
        (b"7\n", -32600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}\n", -32600),
        (b"{}\n", -32600),
    ];
    for (bytes, code) in cases {
        talk.raw(bytes);
        assert_eq!(
            talk.next()["error"]["code"],
            *code,
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
    talk.raw(b"\n  \r\n\r\n"); // says nothing
    let deep = "[".repeat(100_000);
    talk.raw(format!("{deep}\n").as_bytes());
    assert_eq!(talk.next()["error"]["code"], -32700);
    talk.is_alive();
}

#[test]
fn half_a_message_at_the_end_takes_nothing_with_it() {
    let mut talk = Talk::ready();
    talk.call("slow", "x-argrail wait 1");
    talk.raw(b"{\"jsonrpc\":\"2.0\",\"id\":\"half\",\"method\":\"tools/call\",\"par");
    let (rest, status) = talk.end();
    assert!(status.success());
    assert!(rest.iter().any(|message| message["id"] == "slow"), "{rest:?}");
    assert!(
        rest.iter().any(|message| message["error"]["code"] == -32700),
        "{rest:?}"
    );
}

#[test]
fn a_message_in_pieces_is_one_message() {
    let mut talk = Talk::ready();
    let params = json!({"name": "cli", "arguments": {"command": "help"}});
    let text =
        json!({"jsonrpc": "2.0", "id": "p", "method": "tools/call", "params": params}).to_string() + "\n";
    for byte in text.as_bytes() {
        talk.raw(&[*byte]);
    }
    assert_eq!(talk.answer("p")["result"]["isError"], false);
}

#[test]
fn fifty_megabytes_are_refused_without_being_held() {
    let mut talk = Talk::ready();
    talk.is_alive();
    talk.call("slow", "x-argrail wait 1");
    let before = process::peak_kib(talk.pid());
    let opening = r#"{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"name":"cli","x":""#;
    talk.raw(opening.as_bytes());
    let chunk = vec![b'x'; 1 << 20];
    for _ in 0..50 {
        talk.raw(&chunk);
    }
    talk.raw(b"\"}}\n");
    assert_eq!(talk.answer("huge")["error"]["code"], -32600);
    assert_eq!(talk.answer("slow")["result"]["isError"], false);
    talk.is_alive();
    let grown = process::peak_kib(talk.pid()) - before;
    // One line of allowed length (4 MiB) in a buffer that doubles, and no more.
    assert!(grown < 13_000, "{grown} KiB more");
}

#[test]
fn a_large_message_within_the_limit_is_read() {
    let mut talk = Talk::ready();
    let command = format!("no-such-command {}", "x".repeat(3 << 20));
    talk.call("large", &command);
    assert_eq!(talk.answer("large")["result"]["isError"], true);
    talk.is_alive();
}
