//! What comes as JSON reaches the program as it was, and only as the contract has it; so do the variables of an intent.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{CLI, call, done, project};
use crate::ARGRAIL;

const GO: &str = r#"---
name: Go
id: notes.go
description: Goes.
version: 1.0.0
inputs:
  type: object
  properties:
    l: { type: array, items: { type: string } }
    c: { type: array, items: { type: string, enum: ["a,b", c] } }
    s: { type: string }
    n: { type: integer }
    b: { type: boolean }
  additionalProperties: false
outputs: { type: object }
runner:
  cli: ../../CLI.md
  argv: [go, "${input.l | optional('--l')}", "${input.c | optional('--c')}", "${input.s | optional('--s')}",
    "${input.n | optional('--n')}", "${input.b | flag('--b')}"]
---
"#;

const INTENT: &str = r#"---
name: Go there
id: notes.there
label: Go there
description: Goes there.
version: 1.0.0
intent: [go there]
surfaces: [chat]
inputs:
  - { name: s, label: Where, type: text }
  - { name: n, label: How far, type: number }
  - { name: b, label: Now, type: toggle }
  - { name: l, label: With, type: multi-choice, values: ["x, y", z] }
implements:
  - { tool: ../../tools/go/TOOL.md, default: true }
---
"#;

/// Prints its words, each in angle brackets.
const PROGRAM: &str = r#"#!/bin/sh
case "$1" in --version) echo "notes 1.4.2"; exit ;; esac
printf '{"words":"'
for word in "$@"; do printf '<%s>' "$word"; done
printf '"}'
"#;

fn ground(cli: &str) -> Home {
    let cli = cli
        .replace("  list: ./tools", "  go: ./tools/go/TOOL.md\n  list: ./tools")
        .replace("tags:", "intents:\n  - { ref: ./intents/there/INTENT.md }\ntags:")
        .replace("  json_flag: --json\n", "")
        .replace("default_format: text", "default_format: json");
    let home = project()
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/tools/go/TOOL.md", GO)
        .file(".cli/notes/intents/there/INTENT.md", INTENT)
        .tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    home
}

fn sent(home: &Home, input: &Value) -> Value {
    let input = input.to_string();
    home.run(ARGRAIL, &["call", "--tool", "notes.go", "--input", &input])
        .json()
}

#[test]
fn an_item_of_a_list_that_came_as_json_stays_one_item() {
    let home = ground(CLI);
    let check = |input: Value, want: &str| {
        let answer = sent(&home, &input);
        assert_eq!(answer["data"]["words"], want, "{input}: {answer}");
    };
    check(json!({"l": ["fix: a, b and c"]}), "<go><--l><fix: a, b and c>");
    check(json!({"l": ["a,b", "c"]}), "<go><--l><a,b><--l><c>");
    check(json!({"l": ["a", "b"]}), "<go><--l><a><--l><b>");
    check(json!({"l": []}), "<go>");
    check(json!({"c": ["a,b"]}), "<go><--c><a,b>");
    check(json!({"s": "a,b", "b": false}), "<go><--s><a,b>");
    // What is typed has commas between its items.
    let answer = call(&home, "notes go --l a,b");
    assert_eq!(answer["data"]["words"], "<go><--l><a><--l><b>", "{answer}");
}

#[test]
fn a_provider_s_lists_keep_their_items() {
    let home = ground(CLI).file(
        "message.json",
        &json!({"role": "assistant", "content": [
            {"type": "tool_use", "id": "t1", "name": "notes_go", "input": {"l": ["fix: a, b", "c"]}}
        ]})
        .to_string(),
    );
    let run = home.run(
        ARGRAIL,
        &["call", "--provider", "anthropic", "--input", "message.json"],
    );
    let answer = run.json();
    let words = &answer["data"]["calls"][0]["envelope"]["data"]["words"];
    assert_eq!(words, "<go><--l><fix: a, b><--l><c>", "{answer:#}");
}

#[test]
fn json_is_held_against_the_contract_as_json() {
    let home = ground(CLI);
    for (input, names) in [
        (json!({"s": 5}), "s"),
        (json!({"s": true}), "s"),
        (json!({"n": "5"}), "n"),
        (json!({"n": 5.5}), "n"),
        (json!({"b": "true"}), "b"),
        (json!({"l": "a"}), "l"),
        (json!({"l": [1]}), "l"),
        (json!({"c": ["a"]}), "c"),
        (json!({"x": 1}), "x"),
    ] {
        let answer = sent(&home, &input);
        assert_eq!(answer["error"]["code"], "VALIDATION_ERROR", "{input}: {answer}");
        assert!(answer["error"].to_string().contains(names), "{input}: {answer}");
    }
    let answer = sent(&home, &json!({"n": 5.0, "s": "true"}));
    assert_eq!(answer["data"]["words"], "<go><--s><true><--n><5>", "{answer}");
}

#[test]
fn variables_of_an_intent_have_the_types_of_its_inputs() {
    let home = ground(CLI);
    let check = |variable: &str, words: &str| {
        let led = call(&home, &format!("x-intent notes.there --var '{variable}'"));
        let command = led["data"]["command"].as_str().unwrap_or_else(|| panic!("{led}"));
        let answer = call(&home, command);
        assert_eq!(answer["data"]["words"], words, "{variable}: {command}: {answer}");
    };
    check("s=99999999999999999999", "<go><--s><99999999999999999999>");
    check("s=1e3", "<go><--s><1e3>");
    check("s=true", "<go><--s><true>");
    check("s=a, b", "<go><--s><a, b>");
    check("n=7", "<go><--n><7>");
    check("b=true", "<go><--b>");
    check("b=false", "<go>");
    check("l=[\"x, y\",\"z\"]", "<go><--l><x, y><--l><z>");
}
