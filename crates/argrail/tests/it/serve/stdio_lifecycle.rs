//! Beginnings and ends on stdio: handshakes of all revisions, wires, end of input, signals.

use std::io::Write as _;
use std::os::fd::AsRawFd as _;
use std::process::Stdio;

use argrail_testkit::{Signal, signal};
use serde_json::{Value, json};

use super::process::{self, Scratch};
use super::talk::{Talk, Wire, initialize_params, inline_meta};

#[test]
fn every_revision_with_a_handshake_is_spoken() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut talk = Talk::start();
        let answer = talk.request("i", "initialize", &initialize_params(version, json!({})));
        assert_eq!(answer["result"]["protocolVersion"], version);
        assert_eq!(answer["result"]["serverInfo"]["name"], "argrail");
        let tools = talk.request("t", "tools/list", &json!({}));
        let tools = tools["result"]["tools"].as_array().unwrap().clone();
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0]["name"], "cli");
        assert_eq!(tools[0]["inputSchema"]["required"], json!(["command"]));
        assert_eq!(talk.request("p", "ping", &json!({}))["result"], json!({}));
        talk.is_alive();
        assert!(talk.end().1.success());
    }
}

#[test]
fn an_unknown_revision_is_offered_ours() {
    let mut talk = Talk::start();
    for version in ["1999-01-01", "2026-07-28", "2999-01-01"] {
        let answer = talk.request("i", "initialize", &initialize_params(version, json!({})));
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    }
}

#[test]
fn the_revision_without_a_handshake_is_spoken() {
    let mut talk = Talk::start();
    let meta = inline_meta(json!({}));
    let found = talk.request("d", "server/discover", &json!({"_meta": meta}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")));
    let tools = talk.request("t", "tools/list", &json!({"_meta": meta}));
    assert_eq!(tools["result"]["tools"][0]["name"], "cli");
    assert_eq!(tools["result"]["resultType"], "complete");
    let call = json!({"name": "cli", "arguments": {"command": "help"}, "_meta": meta});
    let answer = talk.request("c", "tools/call", &call);
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["isError"], false);
    // Without the `_meta` it is no revision at all.
    let bare = talk.request(
        "b",
        "tools/call",
        &json!({"name": "cli", "arguments": {"command": "help"}}),
    );
    assert_eq!(bare["error"]["code"], -32602);
    let mut other = meta.clone();
    other["io.modelcontextprotocol/protocolVersion"] = json!("2999-01-01");
    let unknown = talk.request("u", "tools/list", &json!({"_meta": other}));
    assert!(unknown["error"]["code"].is_i64(), "{unknown}");
    assert!(talk.end().1.success());
}

#[test]
fn nothing_before_the_handshake_ends_the_server() {
    let mut talk = Talk::start();
    talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    talk.send(&json!({"jsonrpc": "2.0", "id": 4, "result": {}}));
    talk.send(&json!({"jsonrpc": "2.0", "id": 5, "error": {"code": 1, "message": "no"}}));
    assert_eq!(talk.request("p", "ping", &json!({}))["result"], json!({}));
    assert_eq!(
        talk.request("t", "tools/list", &json!({}))["error"]["code"],
        -32602
    );
    talk.initialize(json!({}));
    talk.is_alive();
}

#[test]
fn sockets_are_spoken_as_pipes_are() {
    for wire in [Wire::Pipes, Wire::TwoSockets, Wire::OneSocket] {
        let mut talk = Talk::over(wire);
        talk.initialize(json!({}));
        talk.is_alive();
        talk.call("late", "x-argrail wait 1");
        let (rest, status) = talk.end();
        assert!(status.success(), "{wire:?}");
        assert!(
            rest.iter().any(|message| message["id"] == "late"),
            "{wire:?}: {rest:?}"
        );
    }
}

#[test]
fn files_are_spoken_too() {
    let home = Scratch::new();
    let (asked, answered) = (home.path().join("in"), home.path().join("out"));
    let mut file = std::fs::File::create(&asked).unwrap();
    let init = initialize_params("2025-11-25", json!({}));
    writeln!(
        file,
        "{}",
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": init})
    )
    .unwrap();
    // The last line needs no newline.
    write!(
        file,
        "{}",
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})
    )
    .unwrap();
    let stdin = Stdio::from(std::fs::File::open(&asked).unwrap());
    let stdout = Stdio::from(std::fs::File::create(&answered).unwrap());
    let child = process::argrail(&["serve"], home.path(), stdin, stdout, Stdio::inherit());
    assert!(process::wait(child).success());
    let text = std::fs::read_to_string(&answered).unwrap();
    let ids: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [json!(1), json!(2)]);
}

#[test]
fn the_end_of_the_input_waits_for_what_is_running() {
    let mut talk = Talk::ready();
    talk.call("slow", "x-argrail wait 1");
    talk.call("quick", "help");
    let (rest, status) = talk.end();
    assert!(status.success());
    let answered: Vec<&Value> = rest
        .iter()
        .filter(|message| message.get("result").is_some())
        .map(|message| &message["id"])
        .collect();
    assert_eq!(answered, ["quick", "slow"]);
}

#[test]
fn a_signal_waits_for_what_is_running() {
    for which in [Signal::TERM, Signal::INT] {
        let mut talk = Talk::ready();
        talk.call("slow", "x-argrail wait 2");
        talk.progress("slow"); // it runs
        signal(talk.pid(), which);
        assert_eq!(talk.answer("slow")["result"]["isError"], false, "{which:?}");
        assert!(talk.ended().1.success(), "{which:?}");
    }
}

#[test]
fn a_second_signal_does_not_wait() {
    let mut talk = Talk::ready();
    talk.call("slow", "x-argrail wait 9");
    let pid = talk.pid();
    // Two in a row may arrive as one, so each waits for a sign of life.
    for _ in 0..2 {
        talk.progress("slow");
        signal(pid, Signal::TERM);
    }
    let answer = talk.answer("slow");
    assert!(answer["error"]["code"].is_i64(), "{answer}");
    assert!(talk.ended().1.success());
}

#[test]
fn a_client_that_reads_no_more_ends_the_server() {
    let home = Scratch::new();
    let (stdin, stdout) = (Stdio::piped(), Stdio::piped());
    let mut child = process::argrail(&["serve"], home.path(), stdin, stdout, Stdio::inherit());
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n")
        .unwrap();
    assert!(process::wait(child).success());
    drop(input); // it was open to the end
}

#[test]
fn pipes_are_left_as_they_were() {
    let home = Scratch::new();
    let (reader, mut writer) = std::io::pipe().unwrap();
    let kept = reader.try_clone().unwrap();
    let child = process::argrail(
        &["serve"],
        home.path(),
        reader.into(),
        Stdio::piped(),
        Stdio::inherit(),
    );
    writeln!(writer, "{}", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})).unwrap();
    drop(writer);
    assert!(process::wait(child).success());
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", kept.as_raw_fd())).unwrap();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:")).unwrap();
    let nonblocking = 0o4000;
    assert_eq!(
        u32::from_str_radix(flags.trim(), 8).unwrap() & nonblocking,
        0,
        "the pipe no longer blocks"
    );
}
