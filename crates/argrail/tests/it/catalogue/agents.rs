//! What agents see of the catalogue through `cli`: `x-search`, `x-pattern`, `x-context`.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{data, home};
use crate::ARGRAIL;

fn call(home: &Home, command: &str) -> Value {
    serde_json::from_str(&home.run(ARGRAIL, &["call", command]).stdout).unwrap()
}

#[test]
fn an_agent_finds_commands_by_intent() {
    let answer = call(&home(), "x-search merge a pull request --limit 1");
    assert_eq!(answer["data"]["hits"][0]["command"], "hb pr merge", "{answer}");
    assert_eq!(answer["data"]["hits"].as_array().unwrap().len(), 1);
}

#[test]
fn a_pattern_is_filled_and_not_run() {
    let home = home();
    let answer = call(
        &home,
        "x-pattern release --var number=7 --var url=https://a.example/x",
    );
    assert_eq!(
        answer["data"]["steps"],
        json!([
            {"command": "hb pr merge 7", "argv": ["hb", "pr", "merge", "7"], "description": ""},
            {"command": "dial https://a.example/x", "argv": ["dial", "https://a.example/x"], "description": ""},
        ]),
        "{answer}"
    );
    let listed = call(&home, "x-pattern");
    assert_eq!(
        listed["data"]["patterns"].as_array().unwrap().len(),
        2,
        "{listed}"
    );
    let refused = |command: &str| {
        let answer = call(&home, command);
        (
            answer["error"]["code"].clone(),
            answer["error"]["hint"].as_str().unwrap_or_default().to_owned(),
        )
    };
    assert_eq!(refused("x-pattern relase").0, "COMMAND_NOT_FOUND");
    assert!(refused("x-pattern relase").1.contains("release"));
    assert!(
        refused("x-pattern release --var number=7")
            .1
            .contains("--var 'url'=VALUE")
    );
    assert_eq!(
        refused("x-pattern release --var number=x --var url=u").0,
        "VALIDATION_ERROR"
    );
    assert_eq!(
        refused("x-pattern release --var number=7 --var url=--output").0,
        "VALIDATION_ERROR"
    );
    assert!(refused("x-pattern release --var nmber=7").1.contains("number"));
    assert_eq!(refused("x-pattern release --var 7").0, "VALIDATION_ERROR");
}

#[test]
fn the_context_is_for_other_agents() {
    let home = home();
    call(&home, "x-argrail about");
    let context = call(&home, "x-context")["data"]["toolContext"].clone();
    assert_eq!(
        context,
        json!({"availableTools": ["dial", "hb"], "authenticatedTools": [],
            "toolStates": {"hb": {"host": "git.example"}}, "recentCommands": []})
    );
    assert_eq!(data(&home, &["show", "--context"])["toolContext"], context);
}

#[test]
fn holes_that_no_variable_describes_are_listed() {
    let home = home().file(
        "../data/agent-tools/patterns/review-pr.json",
        r#"{"patterns": [{"name": "review-pr", "description": "Review",
            "steps": [{"command": "hb pr view {number}"}, {"command": "hb pr diff {number} {mode}"}],
            "variables": {"mode": {"type": "string"}}}]}"#,
    );
    let listed = call(&home, "x-pattern");
    let patterns = listed["data"]["patterns"].as_array().unwrap();
    let review = patterns.iter().find(|pattern| pattern["name"] == "review-pr");
    assert_eq!(
        review.unwrap()["variables"],
        json!(["mode", "number"]),
        "{listed}"
    );
}

#[test]
fn what_a_value_has_to_match_is_told() {
    let tool = json!({"atip": "0.1", "name": "pat", "version": "1", "description": "D", "commands": {"go": {
        "description": "Goes", "arguments": [{"name": "id", "type": "string", "description": "I", "pattern": "^[a-z]+$"}],
        "options": [{"name": "tag", "flags": ["--tag"], "type": "array", "description": "T", "pattern": "^v"}]}}});
    let home = home()
        .tool("pat", "#!/bin/sh\n")
        .file("../data/agent-tools/shims/pat.json", &tool.to_string());
    let help = call(&home, "help pat go");
    let arguments = help["data"]["arguments"].as_array().unwrap();
    let pattern = |name: &str| {
        let argument = arguments.iter().find(|argument| argument["name"] == name);
        argument.unwrap()["pattern"].clone()
    };
    assert_eq!(pattern("id"), "^[a-z]+$", "{help}");
    assert_eq!(pattern("--tag"), "^v", "{help}");
    let schema = call(&home, "schema pat go");
    let properties = &schema["data"]["inputSchema"]["properties"];
    assert_eq!(properties["id"]["pattern"], "^[a-z]+$", "{schema}");
    assert_eq!(properties["tag"]["items"]["pattern"], "^v", "{schema}");
}
