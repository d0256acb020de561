//! `argrail call --provider`: the command line that a model's tool call means. Nothing is run.

use argrail_testkit::Run;
use serde_json::{Value, json};

use super::ARGRAIL;
use super::export::home;

fn envelope(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

#[test]
fn a_call_of_every_provider_is_understood() {
    let arguments = json!({"what": "-x", "size": 3, "quiet": true});
    for (provider, message) in [
        (
            "openai",
            json!({"id": "c1", "type": "function", "function": {"name": "box_put", "arguments": arguments.to_string()}}),
        ),
        (
            "anthropic",
            json!({"type": "tool_use", "id": "c1", "name": "box_put", "input": arguments}),
        ),
        (
            "gemini",
            json!({"functionCall": {"id": "c1", "name": "box_put", "args": arguments}}),
        ),
        (
            "mcp",
            json!({"id": "c1", "method": "tools/call", "params": {"name": "box_put", "arguments": arguments}}),
        ),
    ] {
        let home = home().file("call.json", &message.to_string());
        let words = [
            "call",
            "--provider",
            provider,
            "--input",
            "call.json",
            "--file",
            "box.json",
        ];
        let run = home.run(ARGRAIL, &words);
        assert_eq!(run.exit, Some(0), "{run}");
        assert_eq!(
            envelope(&run)["data"],
            json!({
                "calls": [{
                    "id": "c1", "tool": "box", "path": ["put"],
                    "argv": ["box", "put", "--quiet", "--size=3", "--", "-x"],
                }],
                "executed": false,
            }),
            "{provider}"
        );
    }
}

#[test]
fn the_message_may_come_from_stdin_and_nothing_is_run() {
    let home = home().tool("box", "#!/bin/sh\n/bin/touch started\n");
    let message = json!({"name": "box_put", "arguments": {"what": "x"}}).to_string();
    let words = ["call", "--provider", "mcp", "--input", "-", "--file", "box.json"];
    let run = home.run_with_input(ARGRAIL, &words, &message);
    assert_eq!(
        envelope(&run)["data"]["calls"][0]["argv"],
        json!(["box", "put", "x"]),
        "{run}"
    );
    assert!(!home.work().join("started").exists());
}

#[test]
fn what_does_not_fit_is_an_envelope_with_its_code() {
    let check = |message: &str, exit: i32, code: &str, told: &str| {
        let home = home();
        let words = ["call", "--provider", "mcp", "--input", "-", "--file", "box.json"];
        let run = home.run_with_input(ARGRAIL, &words, message);
        let error = &envelope(&run)["error"];
        assert_eq!(
            (run.exit, error["code"].as_str()),
            (Some(exit), Some(code)),
            "{run}"
        );
        assert!(error["hint"].as_str().unwrap().contains(told), "{run}");
    };
    check(r#"{"name": "box_puut"}"#, 2, "COMMAND_NOT_FOUND", "box_put");
    check(
        r#"{"name": "box_secret"}"#,
        2,
        "COMMAND_NOT_FOUND",
        "argrail export",
    );
    check(r#"{"name": "box_put"}"#, 2, "VALIDATION_ERROR", "'what'");
    check(
        r#"{"name": "box_put", "arguments": {"what": "x", "siez": 1}}"#,
        2,
        "VALIDATION_ERROR",
        "'size'",
    );
    check("{", 2, "PARSE_ERROR", "JSON");
}

#[test]
fn a_command_and_a_provider_exclude_each_other() {
    let home = home();
    for words in [
        &["call"][..],
        &["call", "help", "--provider", "mcp", "--input", "box.json"],
        &["call", "--provider", "mcp"],
        &["call", "--input", "box.json", "help"],
    ] {
        let run = home.run(ARGRAIL, words);
        assert_eq!(run.exit, Some(2), "{run}");
    }
}
