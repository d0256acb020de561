//! Where calls are tried: a home with the system's programs, tools that a person vouches for, and what came of a call.

use std::fs;
use std::path::Path;

use argrail_testkit::mcp::Client;
use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use crate::ARGRAIL;

/// A home in which the programs of the system can be called, behind those of the test.
pub(super) fn home() -> Home {
    let home = Home::new();
    let path = search_path(&home.bin());
    home.env("PATH", path)
}

/// Where programs are looked for: first those of the test.
pub(super) fn search_path(bin: &Path) -> String {
    format!("{}:/usr/bin:/bin", bin.display())
}

/// Effects of a command that only reads.
pub(super) fn reads() -> Value {
    json!({
        "network": false,
        "subprocess": false,
        "idempotent": true,
        "destructive": false,
        "filesystem": {"read": true, "write": false, "delete": false},
    })
}

/// The metadata of a tool that says that it only reads, with any words, and `more` keys.
pub(super) fn metadata(name: &str, more: &Value) -> Value {
    let mut metadata = json!({
        "atip": "0.1",
        "name": name,
        "version": "1.0.0",
        "description": "A tool of the tests",
        "effects": reads(),
        "commands": {"": {"description": "Does it", "arguments": [
            {"name": "words", "type": "string", "description": "Words", "variadic": true, "required": false},
        ]}},
    });
    let (Value::Object(metadata_fields), Value::Object(more)) = (&mut metadata, more) else {
        panic!("metadata is an object");
    };
    metadata_fields.extend(more.clone());
    metadata
}

/// Puts a tool on `PATH` of which the user's own overrides say that it only reads.
pub(super) fn vouched(home: Home, name: &str, script: &str, more: &Value) -> Home {
    let folder = home.root().join("config/agent-tools/overrides");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join(format!("{name}.json")),
        metadata(name, more).to_string(),
    )
    .unwrap();
    home.tool(name, &format!("#!/bin/sh\n{script}\n"))
}

/// Calls by the command line.
pub(super) fn call(home: &Home, command: &str) -> Run {
    home.run(ARGRAIL, &["call", command])
}

/// A client of `argrail serve`, past the handshake. Calls that ask are answered at once.
pub(super) fn connect(home: &Home, words: &[&str]) -> Client {
    let words: Vec<&str> = ["serve", "--wait", "0"]
        .into_iter()
        .chain(words.iter().copied())
        .collect();
    let mut client = Client::new(home.spawn(ARGRAIL, &words));
    client.initialize();
    client
}

/// The envelope in the answer to a call of MCP: its text, which is repeated beside it where it is short.
#[track_caller]
pub(super) fn envelope(result: &Value) -> Value {
    let text = result["content"][0]["text"].as_str().unwrap();
    let envelope: Value = serde_json::from_str(text).unwrap();
    match text.len() <= 16 * 1024 {
        true => assert_eq!(result["structuredContent"], envelope),
        false => assert!(result.get("structuredContent").is_none(), "{result}"),
    }
    assert_eq!(
        result["isError"],
        !envelope["success"].as_bool().unwrap(),
        "{result}"
    );
    envelope
}

/// Every line of the record, oldest first.
pub(super) fn record(home: &Home) -> Vec<Value> {
    let text = fs::read_to_string(home.state().join("argrail/audit/audit-log.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Sees that a call was refused because a person has to approve it.
#[track_caller]
pub(super) fn is_held(envelope: &Value) {
    let error = &envelope["error"];
    assert_eq!(error["code"], "PERMISSION_DENIED", "{envelope:#}");
    assert_eq!(error["reason"], "approval_required", "{envelope:#}");
    let hint = error["hint"].as_str().unwrap();
    match error["approval"].as_str() {
        Some(id) => assert!(hint.contains(&format!("argrail approve '{id}'")), "{hint}"),
        // More questions than may wait at once.
        None => assert!(hint.contains("argrail approvals"), "{hint}"),
    }
    assert!(
        error["reasons"]
            .as_array()
            .is_some_and(|reasons| !reasons.is_empty())
    );
}
