//! A home in which a few tools are known.

use argrail_testkit::Home;
use serde_json::{Value, json};

use crate::ARGRAIL;

const SHIMS: &str = "../data/agent-tools/shims";
const OVERRIDES: &str = "../config/agent-tools/overrides";
const PATTERNS: &str = "../data/agent-tools/patterns";

/// A home with shims of `hb` and `dial`, an override and a pattern.
pub(super) fn home() -> Home {
    Home::new()
        .file(&format!("{SHIMS}/hb.json"), &hb().to_string())
        .file(&format!("{SHIMS}/dial.json"), &dial().to_string())
        .file(
            &format!("{OVERRIDES}/hb.json"),
            r#"{"title": "Ours", "commands": {"pr": {"commands": {"list": {"effects": {"network": false}}}}},
                "toolState": {"host": "git.example"}}"#,
        )
        .file(
            &format!("{PATTERNS}/release.json"),
            r#"{"patterns": [{"name": "release", "description": "Publish a new version",
                "steps": [{"command": "hb pr merge {number}"}, {"command": "dial {url}"}],
                "variables": {"number": {"type": "integer"}, "url": {"type": "url"}}, "tags": ["ship"]}]}"#,
        )
}

fn hb() -> Value {
    let pr = json!({"description": "Pull requests", "commands": {
        "list": {"description": "List pull requests", "effects": {"network": true, "idempotent": true},
            "options": [{"name": "state", "flags": ["-s", "--state"], "type": "enum", "enum": ["open", "all"],
                "default": "open", "description": "Which ones"}]},
        "merge": {"description": "Merge a pull request", "effects": {"network": true, "modifies": ["branch"]},
            "arguments": [{"name": "number", "type": "integer", "description": "Which one"}],
            "examples": ["hb pr merge 7"]},
    }});
    json!({"atip": "0.1", "name": "hb", "version": "2.45.0", "description": "GitHub from the command line",
        "effects": {"subprocess": false}, "commands": {"pr": pr},
        "globalOptions": [{"name": "repo", "flags": ["-R", "--repo"], "type": "string", "description": "Which one"}],
        "patterns": [{"name": "review", "description": "Look at a change", "steps": [{"command": "hb pr list"}]}]})
}

fn dial() -> Value {
    json!({"atip": "0.1", "name": "dial", "version": "8.4.0", "description": "Move data", "commands": {"": {
        "description": "Fetch a URL", "arguments": [{"name": "url", "type": "url", "variadic": true,
            "description": "From where"}], "effects": {"network": true}}}})
}

/// Runs a verb with `--json` and returns the envelope.
pub(super) fn envelope(home: &Home, args: &[&str]) -> Value {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let run = home.run(ARGRAIL, &args);
    serde_json::from_str(&run.stdout).expect(&run.stdout)
}

/// Runs a verb with `--json` and returns its data.
pub(super) fn data(home: &Home, args: &[&str]) -> Value {
    let envelope = envelope(home, args);
    assert_eq!(envelope["success"], true, "{envelope}");
    envelope["data"].clone()
}
