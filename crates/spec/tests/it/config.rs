//! What a configuration may say, and what is wrong with one that does not.

use argrail_spec::config::{KEYS, Transport, decode};
use argrail_spec::doc::{Document, Limits, Severity};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Says what is wrong with a text, each with its place.
fn complaints(text: &str) -> Vec<String> {
    let document = Document::json(text.as_bytes(), &Limits::default()).unwrap();
    let line = |one: &argrail_spec::doc::Diagnostic| {
        let severity = match one.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        format!(
            "{} {severity} {}: {}",
            document.place(one.span.start),
            one.code,
            one.message
        )
    };
    decode(&document.root).complaints.iter().map(line).collect()
}

/// Every key with a value that it can have.
fn whole() -> Value {
    json!({
        "tools": {"gh": {"path": "/srv/bin/gh", "metadata": "~/gh.json", "trust": "accepted"}, "jq": {}},
        "skip": ["python*", "7z"],
        "maxAge": "P7D",
        "mcpServers": {
            "files": {"command": "files-mcp", "args": ["--root", "/data"], "env": {"TOKEN": "t"}},
            "issues": {"url": "https://issues.example/mcp", "headers": {"X-Key": "k"}, "disabled": true},
        },
        "roots": ["~/src", "/data"],
        "allow": ["git log"],
        "deny": ["git push"],
        "rateLimit": {"requests": 60, "per": "1m"},
        "permissionPolicy": {
            "autoApprove": {"effects.filesystem.read": true, "effects.network": false},
            "requireConfirmation": {"effects.destructive": true, "effects.cost.billable": true},
            "deny": {"effects.filesystem.paths": ["/etc/*", "/var/*"]},
        },
        "delegations": {"helper": {"allowedTools": ["gh"], "deniedCommands": ["gh repo delete"]}},
        "network": {"resolve": {"api.test": "127.0.0.1"}, "allowLoopback": true},
        "redact": ["/authentication", "/commands/a~1b"],
        "timeouts": {"call": "500ms"},
        "limits": {"commandLength": 100, "argumentCount": 10, "argumentLength": 50},
        "notify": {"command": ["notify-send", "argrail", "{summary}"]},
        "elicitation": true,
    })
}

#[test]
fn every_key_is_read_and_written_again() {
    let text = whole().to_string();
    assert_eq!(complaints(&text), [""; 0]);
    let whole = whole();
    let keys: Vec<_> = whole.as_object().unwrap().keys().collect();
    assert_eq!(keys, KEYS.iter().collect::<Vec<_>>());

    let read = |value: &Value| decode(&argrail_spec::doc::Node::plain(value)).config;
    let config = read(&whole);
    assert!(matches!(
        config.mcp_servers["files"].transport,
        Transport::Command { .. }
    ));
    assert!(config.mcp_servers["issues"].disabled);
    assert!(
        !format!("{config:?}").contains("\"t\""),
        "a credential is not shown"
    );
    let written = serde_json::to_value(&config).unwrap();
    assert_eq!(read(&written), config);
    assert_eq!(read(&json!({})), argrail_spec::config::Config::default());
    assert_eq!(serde_json::to_value(read(&json!({}))).unwrap(), json!({}));
}

#[test]
fn tools_may_be_a_list_of_names_and_paths() {
    let document =
        Document::json(br#"{"tools": ["gh", "~/bin/jq", "/srv/7z"]}"#, &Limits::default()).unwrap();
    let tools = decode(&document.root).config.tools;
    let paths: Vec<_> = tools
        .iter()
        .map(|(name, tool)| (name.as_str(), tool.path.as_deref()))
        .collect();
    assert_eq!(
        paths,
        [("gh", None), ("jq", Some("~/bin/jq")), ("7z", Some("/srv/7z"))]
    );
}

#[test]
fn mistakes_are_told_with_their_place() {
    let check = |text: &str, want: &[&str]| assert_eq!(complaints(text), want, "{text}");
    check("[]", &["1:1 error config/key: expected an object, got an array"]);
    check(
        r#"{"tols": {}}"#,
        &[r#"1:2 error config/unknown-key: unknown key: "tols""#],
    );
    check(r#"{"x-mine": 1, "$schema": "", "_note": ""}"#, &[]);
    check(
        r#"{"tools": 1}"#,
        &["1:11 error config/key: tools: expected tools by name, or a list of names and paths, got 1"],
    );
    check(
        r#"{"tools": {"../x": {}}}"#,
        &[
            r#"1:12 error config/key: tools: "../x": "../x": a tool name may not hold '/', '\' or be '.' or '..'"#,
        ],
    );
    check(
        r#"{"tools": {"gh": {"path": "bin/gh"}}}"#,
        &[
            r#"1:27 error config/key: tools: "gh": path: expected an absolute path or one that starts with ~/, got "bin/gh""#,
        ],
    );
    check(
        r#"{"tools": {"gh": {"trust": "yes"}}}"#,
        &[r#"1:28 error config/key: tools: "gh": trust: expected first-use, accepted, denied, got "yes""#],
    );
    check(
        r#"{"tools": {"gh": {"pth": ""}}}"#,
        &[r#"1:19 error config/key: tools: "gh": unknown key "pth""#],
    );
    check(
        r#"{"tools": ["gh", "/srv/gh"]}"#,
        &[r#"1:18 error config/key: tools: "gh" stands twice"#],
    );
    check(
        r#"{"tools": [7]}"#,
        &["1:12 error config/key: tools: [0]: expected a name or a path, got 7"],
    );
    check(
        r#"{"skip": ["a/b"]}"#,
        &[r#"1:11 error config/key: skip: [0]: expected a name, with * and ? for what varies, got "a/b""#],
    );
    check(
        r#"{"maxAge": "soon"}"#,
        &[r#"1:12 error config/key: maxAge: expected a time such as "30s", "1m" or "7d", got "soon""#],
    );
    check(
        r#"{"redact": ["authentication"]}"#,
        &[
            r#"1:13 error config/key: redact: [0]: expected a JSON pointer, such as "/authentication", got "authentication""#,
        ],
    );
    check(
        r#"{"redact": ["/a~2"]}"#,
        &[
            r#"1:13 error config/key: redact: [0]: expected a JSON pointer, such as "/authentication", got "/a~2""#,
        ],
    );
    let how = r#""desktop" or {"command": ["notify-send", "argrail", "{summary}"]}"#;
    check(r#"{"notify": "desktop"}"#, &[]);
    check(r#"{"elicitation": false}"#, &[]);
    check(
        r#"{"notify": "mail"}"#,
        &[&format!(
            r#"1:12 error config/key: notify: expected {how}, got "mail""#
        )],
    );
    check(
        r#"{"notify": {}}"#,
        &[&format!(
            "1:12 error config/key: notify: expected {how}, got an object"
        )],
    );
    check(
        r#"{"notify": {"command": []}}"#,
        &["1:12 error config/key: notify: command: expected a program and its words, at most 64"],
    );
    check(
        r#"{"notify": {"command": ["{tool}"]}}"#,
        &["1:12 error config/key: notify: command: the program itself may not come from the question"],
    );
    check(
        r#"{"notify": {"command": ["bin/x"]}}"#,
        &[
            "1:12 error config/key: notify: command: expected a program of the system, an absolute path or one that starts with ~/",
        ],
    );
    check(
        r#"{"notify": {"command": ["x"], "shell": true}}"#,
        &[r#"1:31 error config/key: notify: unknown key "shell""#],
    );
    check(
        r#"{"roots": ["src"], "deny": "git"}"#,
        &[
            r#"1:28 error config/key: deny: expected a list of commands, such as ["git push"], got "git""#,
            r#"1:12 error config/key: roots: expected an absolute path or one that starts with ~/, got "src""#,
        ],
    );
    check(
        r#"{"delegations": {"a": {"effectRestrictions": {"loud": true}}}}"#,
        &[
            r#"1:55 error delegation/unknown-effect: delegations: "a": effectRestrictions: "loud" with this value restricts nothing that we know"#,
        ],
    );
    check(
        r#"{"permissionPolicy": {"allow": {}}}"#,
        &[r#"1:23 error delegation/unknown-key: permissionPolicy: unknown key "allow""#],
    );
}

#[test]
fn servers_are_started_or_reached_and_not_both() {
    let check = |server: &str, want: &str| {
        let text = format!(r#"{{"mcpServers": {{"a": {server}}}}}"#);
        let told = complaints(&text);
        assert!(told.len() == 1 && told[0].contains(want), "{server}: {told:?}");
    };
    check("{}", "expected \"command\" or \"url\", and not both");
    check(
        r#"{"command": "x", "url": "https://y"}"#,
        "expected \"command\" or \"url\", and not both",
    );
    check(r#"{"url": "ftp://y"}"#, "url: expected an address");
    check(
        r#"{"url": "https://y", "args": []}"#,
        "\"args\" belongs to a server with \"command\"",
    );
    check(
        r#"{"command": "x", "headers": {}}"#,
        "\"headers\" belongs to a server with \"url\"",
    );
    check(r#"{"command": ""}"#, "command: expected a program");
    check(
        r#"{"command": "x", "args": "-a"}"#,
        "args: expected a list of words",
    );
    check(
        r#"{"command": "x", "env": {"A B": ""}}"#,
        "expected the name of a variable",
    );
    check(
        r#"{"url": "https://y", "headers": {"A": "x\r\nB: y"}}"#,
        "headers: \"A\": expected one line",
    );
    check(
        r#"{"command": "x", "disabled": "no"}"#,
        "disabled: expected true or false",
    );
    check(r#"{"command": "x", "shell": true}"#, "unknown key \"shell\"");
    // A credential of the wrong type is not repeated.
    let told = complaints(r#"{"mcpServers": {"a": {"command": "x", "env": {"K": 1234567}}}}"#);
    assert!(told.len() == 1 && !told[0].contains("1234567"), "{told:?}");
}

proptest! {
    #[test]
    fn any_value_under_any_key_is_answered(key in prop::sample::select(KEYS.to_vec()), value in crate::document::value()) {
        let text = json!({key: value}).to_string();
        let document = Document::json(text.as_bytes(), &Limits::default()).unwrap();
        let loaded = decode(&document.root);
        let wrong = loaded.complaints.iter().any(|one| one.severity == Severity::Error);
        // What was accepted means the same when it is written and read again.
        if !wrong {
            let written = serde_json::to_string(&loaded.config).unwrap();
            let again = Document::json(written.as_bytes(), &Limits::default()).unwrap();
            prop_assert_eq!(decode(&again.root).config, loaded.config);
        }
    }
}
