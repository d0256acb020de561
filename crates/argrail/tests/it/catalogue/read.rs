//! `list`, `show` and `search`: what is known, from whom, and what fits.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use argrail_testkit::Home;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::ground::{data, envelope, home};
use crate::ARGRAIL;

#[test]
fn tools_are_listed_with_source_and_trust() {
    assert_snapshot!(home().run(ARGRAIL, &["list"]), @r"
    exit: 0
    --- stdout
    tool  version  source  trust    description
    dial  8.4.0    shim    unknown  Move data
    hb    2.45.0   shim    unknown  GitHub from the command line
    --- stderr
    ");
    let listed = data(&home(), &["list"]);
    assert_eq!(listed["tools"].as_array().unwrap().len(), 2);
    assert_eq!(
        listed["tools"][1],
        json!({"name": "hb", "source": "shim", "version": "2.45.0",
            "description": "GitHub from the command line", "trust": "unknown"})
    );
    assert_eq!(data(&home(), &["list", "--source", "native"])["tools"], json!([]));
    assert_eq!(
        data(&home(), &["list", "--source", "shim"])["tools"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        envelope(&home(), &["list", "--source", "x"])["error"]["code"],
        "VALIDATION_ERROR"
    );
    assert_snapshot!(Home::new().run(ARGRAIL, &["list"]).stdout, @"No tools are known yet. Run: argrail scan --probe");
}

#[test]
fn a_tool_is_shown_with_what_it_does_and_changes() {
    assert_snapshot!(home().run(ARGRAIL, &["show", "hb"]).stdout, @r"
    hb 2.45.0  Ours
    GitHub from the command line

      source shim
       trust unknown

    command      effects            description
    hb pr list   reads              List pull requests
    hb pr merge  modifies, network  Merge a pull request

    pattern  description
    review   Look at a change
    release  Publish a new version
    ");
    assert_snapshot!(home().run(ARGRAIL, &["show", "hb", "pr", "merge"]).stdout, @r"
    hb pr merge [OPTIONS] NUMBER
    Merge a pull request

    effects   modifies, network

    argument  type     description
    number    integer  Which one

    option      type    description
    -R, --repo  string  Which one

    examples
      - hb pr merge 7
    ");
}

#[test]
fn every_field_says_where_it_comes_from() {
    let shown = data(&home(), &["show", "hb"]);
    let origin = |pointer: &str| {
        shown["provenance"][pointer]
            .as_str()
            .unwrap_or("nobody")
            .to_owned()
    };
    let tool = &shown["tool"];
    let shim = "shim:[root]/data/agent-tools/shims/hb.json";
    let masked = |origin: String| origin.split("/data/").last().map(str::to_owned).unwrap();
    assert_eq!(tool["title"], "Ours");
    assert!(origin("/title").starts_with("override:"), "{}", origin("/title"));
    assert_eq!(masked(origin("/version")), shim.split("/data/").last().unwrap());
    // The user may relax what a shim claims, and only that.
    let list = "/commands/pr/commands/list/effects";
    assert_eq!(tool.pointer(&format!("{list}/network")), Some(&json!(false)));
    assert!(origin(&format!("{list}/network")).starts_with("override:"));
    assert!(origin(&format!("{list}/idempotent")).starts_with("shim:"));
    // Patterns of the user stand beside the tool's own.
    let names: Vec<&Value> = tool["patterns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["review", "release"]);
    assert!(origin("/patterns/1/name").starts_with("user-pattern:"));
    let command = data(&home(), &["show", "hb", "pr", "list"]);
    assert_eq!(command["effects"]["subprocess"], false, "inherited from the tool");
    assert_eq!(command["command"], json!(["pr", "list"]));
    let origins = command["provenance"].as_object().unwrap();
    let own = |pointer: &String| pointer.starts_with("/commands/pr/commands/list/");
    assert!(!origins.is_empty() && origins.keys().all(own), "{origins:?}");
}

#[test]
fn the_formats_of_show_are_metadata_and_its_origins() {
    let home = home();
    let parse = |args: &[&str]| -> Value { serde_json::from_str(&home.run(ARGRAIL, args).stdout).unwrap() };
    let atip = parse(&["show", "hb", "--format", "atip"]);
    assert_eq!((&atip["name"], &atip["atip"]), (&json!("hb"), &json!("0.1")));
    let full = parse(&["show", "hb", "--format", "json"]);
    assert_eq!(full["tool"], atip);
    assert_eq!(full, data(&home, &["show", "hb"]));
}

#[test]
fn what_is_not_there_is_answered_with_what_is() {
    let home = home();
    let refused = |args: &[&str]| {
        let error = envelope(&home, args)["error"].clone();
        format!("{} | {} | {}", error["code"], error["message"], error["hint"])
    };
    assert_snapshot!(refused(&["show", "hg"]), @r#""COMMAND_NOT_FOUND" | "tool 'hg' not found" | "Did you mean 'hb'?""#);
    assert_snapshot!(refused(&["show", "zebra"]), @r#""COMMAND_NOT_FOUND" | "tool 'zebra' not found" | "Run: argrail list, or: argrail scan --probe to look for more""#);
    assert_snapshot!(refused(&["show", "hb", "pr", "marge"]), @r#""COMMAND_NOT_FOUND" | "command 'pr marge' of 'hb' not found" | "Did you mean 'pr merge'?""#);
    assert_snapshot!(refused(&["show", "hb", "pr"]), @r#""COMMAND_NOT_FOUND" | "command 'pr' of 'hb' not found" | "It is a group; below it are: 'pr list, pr merge'""#);
    assert_snapshot!(refused(&["show", "../../etc/passwd"]), @r#""VALIDATION_ERROR" | "Invalid argument: '../../etc/passwd' is no name of a tool: 'a tool name may not hold \\'/\\', \\'\\\\' or be \\'.\\' or \\'..\\''" | "Name a tool as its executable is called; see: argrail list""#);
    assert_eq!(home.run(ARGRAIL, &["show", "hg"]).exit, Some(2));
}

#[test]
fn an_intent_finds_commands_and_patterns() {
    let home = home();
    let first = |words: &str| data(&home, &["search", words])["hits"][0]["command"].clone();
    assert_eq!(first("show open PRs"), "hb pr list");
    assert_eq!(first("merge pull reqest"), "hb pr merge");
    assert_eq!(first("download a url"), "dial");
    assert_eq!(first("publish a version"), "x-pattern release");
    assert_eq!(data(&home, &["search", "xylophone"])["hits"], json!([]));
    assert_eq!(
        data(&home, &["search", "--limit", "1", "pull request"])["hits"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_snapshot!(home.run(ARGRAIL, &["search", "merge", "a", "PR"]).stdout, @r"
    command            description
    hb pr merge        Merge a pull request
    x-pattern release  Publish a new version
    hb pr list         List pull requests
    x-pattern review   Look at a change
    ");
}

#[test]
fn files_that_others_can_write_have_no_word() {
    let home = home();
    let shims = home.root().join("data/agent-tools/shims");
    fs::set_permissions(shims.join("hb.json"), Permissions::from_mode(0o666)).unwrap();
    let listed = data(&home, &["list"]);
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1, "{listed}");
    assert!(
        listed["problems"][0]["message"]
            .as_str()
            .unwrap()
            .contains("others can write it")
    );
    let shown = envelope(&home, &["show", "hb"]);
    assert_eq!(shown["error"]["code"], "VALIDATION_ERROR", "{shown}");
    // Nor has anything in a directory that others can write.
    fs::set_permissions(shims.join("hb.json"), Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(&shims, Permissions::from_mode(0o777)).unwrap();
    assert_eq!(data(&home, &["list"])["tools"], json!([]));
}

#[test]
fn a_file_that_speaks_of_another_tool_or_is_no_json_is_told() {
    let home = home()
        .file(
            "../data/agent-tools/shims/gat.json",
            r#"{"atip": "0.1", "name": "hb", "version": "9"}"#,
        )
        .file(
            "../data/agent-tools/shims/bad.json",
            "{\n  \"atip\": \"0.1\",,\n}",
        )
        .file(
            "../config/agent-tools/overrides/dial.json",
            r#"{"name": "hb", "title": "Evil"}"#,
        );
    let listed = data(&home, &["list"]);
    let names: Vec<&Value> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["name"])
        .collect();
    assert_eq!(names, ["dial", "hb"]);
    assert_eq!(listed["tools"][1]["version"], "2.45.0");
    let problems = listed["problems"].to_string();
    assert!(
        problems.contains("it is about \\\"hb\\\", not about \\\"gat\\\""),
        "{problems}"
    );
    assert!(problems.contains("2:17"), "{problems}");
}

#[test]
fn hostile_words_do_not_steer_the_terminal() {
    let evil = json!({"atip": "0.1", "name": "evil", "version": "1\u{1b}[2J", "title": "a\u{202e}b",
        "description": "x\u{1b}]0;owned\u{7}\ny", "commands": {"go": {"description": "\u{9b}31m"}}});
    let home = Home::new().file("../data/agent-tools/shims/evil.json", &evil.to_string());
    for args in [
        &["list"][..],
        &["show", "evil"],
        &["show", "evil", "go"],
        &["search", "go"],
    ] {
        let run = home.run(ARGRAIL, args);
        assert_eq!(run.exit, Some(0));
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!run.stdout.chars().any(steers), "{args:?}: {:?}", run.stdout);
        assert!(run.stdout.contains("\\u{"), "{args:?}: {}", run.stdout);
    }
}
