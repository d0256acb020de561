//! Calls on stdio: what is answered, in which order, with which progress, and what is not.

use std::io::Write as _;

use serde_json::{Value, json};

use super::talk::Talk;

#[test]
fn a_command_that_fails_is_an_envelope_and_not_a_protocol_error() {
    let mut talk = Talk::ready();
    let cases = [
        json!({"name": "cli", "arguments": {"command": "no-such-command"}}),
        json!({"name": "cli", "arguments": {"command": 7}}),
        json!({"name": "cli", "arguments": {"command": null}}),
        json!({"name": "cli", "arguments": {"other": "help"}}),
        json!({"name": "cli", "arguments": {}}),
        json!({"name": "cli", "arguments": "help"}),
        json!({"name": "cli", "arguments": ["help"]}),
        json!({"name": "cli"}),
    ];
    for params in cases {
        let answer = talk.request("c", "tools/call", &params);
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{params}: {answer}");
        assert_eq!(result["structuredContent"]["success"], false, "{params}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"], "{params}");
        assert!(
            result.get("resultType").is_none(),
            "{params}: not in this revision"
        );
    }
}

#[test]
fn what_is_no_call_of_ours_is_a_protocol_error() {
    let mut talk = Talk::ready();
    let cases = [
        ("tools/call", json!({"name": "other", "arguments": {}}), -32602),
        ("tools/call", json!({"arguments": {}}), -32602),
        ("tools/call", json!({}), -32602),
        ("no/such/method", json!({}), -32601),
        ("prompts/list", json!({}), -32601),
        ("resources/list", json!({}), -32601),
        ("resources/templates/list", json!({}), -32601),
        ("resources/read", json!({"uri": "file:///etc/passwd"}), -32601),
    ];
    for (method, params, code) in cases {
        let answer = talk.request("c", method, &params);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    let long = format!("\u{202e}a\n{}", "x".repeat(10_000));
    let answer = talk.request("l", &long, &json!({}));
    let shown = answer["error"]["message"].as_str().unwrap();
    assert!(shown.contains(r"'\u{202e}a\nxxx") && shown.len() < 140, "{shown}");
    talk.is_alive();
}

#[test]
fn a_quick_call_does_not_wait_for_a_slow_one() {
    let mut talk = Talk::ready();
    talk.call("slow", "x-argrail wait 2");
    talk.call("quick", "help");
    let order: Vec<Value> = std::iter::repeat_with(|| talk.next())
        .filter(|message| message.get("result").is_some())
        .map(|message| message["id"].clone())
        .take(2)
        .collect();
    assert_eq!(order, ["quick", "slow"]);
}

#[test]
fn progress_rises_and_ends_before_the_answer() {
    let mut talk = Talk::ready();
    talk.call("slow", "x-argrail wait 3");
    let mut last = 0.0;
    loop {
        let message = talk.next();
        if message["id"] == "slow" {
            break;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "slow");
        assert_eq!(message["params"]["total"], 3.0);
        let progress = message["params"]["progress"].as_f64().unwrap();
        assert!(progress > last, "{progress} after {last}");
        last = progress;
    }
    assert!((last - 3.0).abs() < f64::EPSILON, "the last step is missing");
    let (rest, _) = talk.end();
    assert!(rest.is_empty(), "after the answer: {rest:?}");
}

#[test]
fn who_does_not_ask_gets_no_progress() {
    let mut talk = Talk::ready();
    talk.begin(
        "slow",
        "tools/call",
        &json!({"name": "cli", "arguments": {"command": "x-argrail wait 2"}}),
    );
    assert_eq!(talk.next()["id"], "slow");
}

#[test]
fn a_cancelled_call_stops_and_is_not_answered() {
    let mut talk = Talk::ready();
    talk.call("gone", "x-argrail wait 50");
    talk.progress("gone");
    talk.cancel("gone");
    // Another call that takes longer than the first one's next step would.
    talk.call("other", "x-argrail wait 3");
    talk.answer("other");
    let (rest, status) = talk.end();
    assert!(status.success());
    let late = |message: &&Value| message["id"] == "gone" || message["params"]["progressToken"] == "gone";
    // One step may have been under way when the cancellation came.
    assert!(rest.iter().filter(late).count() <= 1, "still running: {rest:?}");
}

#[test]
fn cancelling_what_is_not_running_does_nothing() {
    let mut talk = Talk::ready();
    talk.cancel("never");
    talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {}}));
    talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}));
    talk.send(&json!({"jsonrpc": "2.0", "method": "notifications/of/another/kind", "params": [1]}));
    talk.is_alive();
}

#[test]
fn an_id_in_use_is_refused_and_both_requests_are_answered() {
    let mut talk = Talk::ready();
    talk.call("twin", "x-argrail wait 2");
    talk.call("twin", "help");
    assert_eq!(talk.answer("twin")["error"]["code"], -32600);
    assert_eq!(
        talk.answer("twin")["result"]["structuredContent"]["data"]["waited"],
        2
    );
    talk.call("twin", "help"); // free again
    assert_eq!(talk.answer("twin")["result"]["isError"], false);
}

#[test]
fn a_flood_of_calls_is_answered_in_full() {
    const CALLS: usize = 20_000;
    let mut talk = Talk::ready();
    let mut input = talk.take_input();
    // Far more than may be in flight, written without reading: the server has to hold back by itself.
    let writer = std::thread::spawn(move || {
        for id in 0..CALLS {
            let params = json!({"name": "cli", "arguments": {"command": "help"}});
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
            writeln!(input, "{call}").unwrap();
        }
        input
    });
    let mut seen = vec![false; CALLS];
    for _ in 0..CALLS {
        let message = talk.next();
        let id = usize::try_from(message["id"].as_u64().unwrap()).unwrap();
        assert!(!seen[id] && message.get("result").is_some(), "{message}");
        seen[id] = true;
    }
    drop(writer.join().unwrap());
    assert!(talk.ended().1.success());
}

#[test]
fn a_cancellation_is_read_when_as_many_calls_as_allowed_run() {
    let mut talk = Talk::ready();
    for id in 0..1024 {
        talk.begin(
            &format!("{id}"),
            "tools/call",
            &json!({"name": "cli", "arguments": {"command": "x-argrail wait 50"}}),
        );
    }
    talk.call("later", "version");
    talk.call("dropped", "version");
    talk.cancel("dropped");
    talk.cancel("7");
    assert_eq!(talk.answer("later")["result"]["isError"], false);
    for id in 0..1024 {
        talk.cancel(&format!("{id}"));
    }
    talk.is_alive();
    let (rest, status) = talk.end();
    assert!(rest.is_empty() && status.success(), "{rest:?}");
}
