//! The ways to call a tool: as a command, with `--json`, with `--tool`, by a provider's message. All are one door.

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use super::ground::one;
use crate::ARGRAIL;

/// A trusted project with a tool whose effects nobody knows.
fn trusted() -> Home {
    let schema = json!({"type": "object", "properties": {"zone": {"type": "string"}}});
    let home = one("#!/bin/sh\nexec /bin/cat\n", json!({"schema": schema}));
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    home
}

fn envelope(run: &Run) -> Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

#[test]
fn every_way_to_call_a_tool_is_answered_alike() {
    let home = trusted();
    let code = |run: &Run| envelope(run)["error"]["code"].as_str().unwrap().to_owned();
    let text = code(&home.run(ARGRAIL, &["call", "t --zone UTC"]));
    let json = code(&home.run(ARGRAIL, &["call", "t --json '{\"zone\":\"UTC\"}'"]));
    let words = ["call", "--tool", "t", "--input", "{\"zone\":\"UTC\"}"];
    let tool = code(&home.run(ARGRAIL, &words));
    let words = ["call", "--tool", "t", "--input", "-"];
    let stdin = code(&home.run_with_input(ARGRAIL, &words, "{\"zone\":\"UTC\"}"));
    assert_eq!([&json, &tool, &stdin], [&text; 3]);
}

#[test]
fn a_message_with_several_calls_is_answered_in_its_order() {
    let home = trusted();
    let call = |id: &str| json!({"id": id, "type": "function", "function": {"name": "t", "arguments": "{\"zone\": \"UTC\"}"}});
    let message =
        json!({"role": "assistant", "tool_calls": [call("c1"), call("c2"), call("c3")]}).to_string();
    let words = ["call", "--provider", "openai", "--input", "-"];
    let run = home.run_with_input(ARGRAIL, &words, &message);
    let data = &envelope(&run)["data"];
    assert_eq!(data["executed"], true, "{run}");
    let ids: Vec<&Value> = data["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| &result["tool_call_id"])
        .collect();
    assert_eq!(ids, ["c1", "c2", "c3"], "{run}");
    assert_eq!(
        data["calls"][1]["argv"],
        json!(["t", "--json", "{\"zone\": \"UTC\"}"])
    );
    assert_eq!(data["calls"][2]["envelope"]["success"], false, "{run}");
    let content: Value = serde_json::from_str(data["results"][0]["content"].as_str().unwrap()).unwrap();
    assert_eq!(
        content["error"], data["calls"][0]["envelope"]["error"]["message"],
        "{run}"
    );
}

#[test]
fn a_tool_wants_its_input_and_no_command_beside() {
    let home = Home::new();
    for words in [
        &["call", "--tool", "t"][..],
        &["call", "--input", "{}"],
        &["call", "t", "--tool", "t", "--input", "{}"],
        &["call", "--tool", "t", "--provider", "mcp", "--input", "{}"],
    ] {
        let run = home.run(ARGRAIL, words);
        assert_eq!(run.exit, Some(2), "{run}");
    }
}
