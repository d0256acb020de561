//! What people and programs get of a turn, and what the program ends with.

use argrail_testkit::Home;
use insta::assert_snapshot;
use serde_json::json;

use super::ground::{events, project, run};
use crate::ARGRAIL;

#[test]
fn events_are_lines_of_json_and_nothing_else() {
    let run = run(&project(), &["think about it", "--events", "ndjson"]);
    assert_eq!(run.exit, Some(0), "{run}");
    let shown: Vec<String> = events(&run).iter().map(ToString::to_string).collect();
    assert_snapshot!(shown.join("\n"), @r#"
    {"type":"thought","text":"hm, let me see","turn":1,"seq":1}
    {"type":"text-delta","text":"I will look.","turn":1,"seq":2}
    {"type":"tool-call","id":"c1","name":"look at it","kind":"read","input":{"path":"notes.txt"},"turn":1,"seq":3}
    {"type":"tool-result","id":"c1","output":"three notes","isError":false,"turn":1,"seq":4}
    {"type":"text-delta","text":"All ","turn":1,"seq":5}
    {"type":"text-delta","text":"done.","turn":1,"seq":6}
    {"type":"turn-end","reason":"end_turn","turn":1,"seq":7}
    "#);
}

#[test]
fn a_pipe_gets_the_text_and_stderr_the_rest() {
    let run = run(&project(), &["think about it"]);
    assert_snapshot!(run, @r"
    exit: 0
    --- stdout
    I will look.All done.
    --- stderr
      ~ hm, let me see
    ▌ tool 'look at it', by its word to 'read': 'notes.txt'
    ▌ ✓ 'look at it'
    ");
}

#[test]
fn an_envelope_has_the_last_message() {
    let run = run(&project(), &["think about it", "--json"]);
    assert_eq!(run.exit, Some(0), "{run}");
    let envelope = run.json();
    let mut data = envelope["data"].clone();
    let session = data.as_object_mut().unwrap().remove("session").unwrap();
    assert!(session.is_string(), "{run}");
    assert_eq!(
        data,
        json!({"text": "All done.", "turn": 1, "reason": "end_turn",
            "toolCalls": [{"id": "c1", "name": "look at it", "kind": "read", "isError": false}]})
    );
}

#[test]
fn the_prompt_may_come_from_a_pipe() {
    let home = project();
    for words in [&["agent", "run", "echo"][..], &["agent", "run", "echo", "-"]] {
        let run = home.run_with_input(ARGRAIL, words, "think\nabout it");
        assert_eq!(
            (run.exit, run.stdout.as_str()),
            (Some(0), "I will look.All done.\n"),
            "{run}"
        );
    }
}

#[test]
fn the_agent_is_started_as_was_wished_and_sees_what_its_manifest_passes() {
    let home = project().env("ECHO_STYLE", "plain").env("HIDDEN", "secret");
    let run = run(&home, &["style", "--mode", "quick", "--option", "depth=3"]);
    assert_eq!(run.exit, Some(0), "{run}");
    let shown = (run.stdout.as_str(), run.stderr.as_str());
    assert_eq!(shown, ("[plain] [quick] [3] []\n", ""), "{run}");
}

#[test]
fn an_end_that_is_none_is_told_and_has_its_number() {
    let home = project();
    let refused = run(&home, &["refuse"]);
    assert_snapshot!(refused, @r"
    exit: 1
    --- stdout
    No.
    --- stderr
    argrail: the agent 'echo@1' refused
    argrail: Say it in another way, or ask another agent: argrail agent list
    ");
    let envelope = run(&home, &["refuse", "--json"]).json();
    assert_eq!(envelope["error"]["stopReason"], "refusal");
    let events = events(&run(&home, &["refuse", "--events", "ndjson"]));
    assert_eq!(events.last().unwrap()["reason"], "refusal");
}

#[test]
fn a_crash_is_one_error_with_the_last_words() {
    let home = project();
    let crashed = run(&home, &["crash", "--events", "ndjson"]);
    assert_eq!(crashed.exit, Some(1), "{crashed}");
    let events = events(&crashed);
    let [text, error] = events.as_slice() else {
        panic!("{crashed}")
    };
    assert_eq!((&text["text"], &error["type"]), (&json!("Oh"), &json!("error")));
    assert!(
        error["message"].as_str().unwrap().contains("it broke"),
        "{crashed}"
    );
    let envelope = run(&home, &["crash", "--json"]).json();
    assert_eq!(envelope["success"], false);
}

#[test]
fn without_a_terminal_a_question_waits_and_is_named() {
    let home = project();
    let asked = run(&home, &["ask", "--wait", "0"]);
    assert_eq!(
        (asked.exit, asked.stdout.as_str()),
        (Some(0), "nobody said\n"),
        "{asked}"
    );
    let pending = home.run(ARGRAIL, &["approvals", "--json"]).json();
    let id = pending["data"]["pending"][0]["id"].as_str().unwrap().to_owned();
    assert!(asked.stderr.contains(&format!("argrail approve {id}")), "{asked}");
}

#[test]
fn what_is_no_event_goes_to_a_file_of_the_session() {
    let home = project();
    let run = run(&home, &["think", "--json"]);
    let session = run.json()["data"]["session"].as_str().unwrap().to_owned();
    let file = side_channel(&home, &session);
    assert!(file.exists(), "{run}");
}

fn side_channel(home: &Home, session: &str) -> std::path::PathBuf {
    home.state()
        .join("argrail/agents")
        .join(format!("{session}.jsonl"))
}
