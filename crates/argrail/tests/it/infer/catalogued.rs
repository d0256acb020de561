//! What was inferred is known to the catalogue: shown, explained, called with a question. What somebody wrote stays.

use serde_json::Value;

use super::ground::{Ground, NOTES, printing};

fn why(ground: &Ground, words: &[&str]) -> Value {
    let mut all = vec!["why", "--json", "--"];
    all.extend(words);
    let run = ground.run(&all);
    run.json()["data"].clone()
}

#[test]
fn an_inferred_tool_is_listed_shown_and_helped_with() {
    let ground = Ground::with_notes();
    let before = ground.run(&["show", "argnotes"]);
    assert_eq!(before.exit, Some(2), "{before}");
    assert_eq!(ground.infer(&["argnotes"])["catalogued"], true);
    let listed = ground.run(&["list", "--source", "inferred", "--json"]);
    assert_eq!(listed.json()["data"]["tools"][0]["name"], "argnotes", "{listed}");
    let shown = ground.run(&["show", "argnotes", "list", "--json"]);
    assert_eq!(shown.json()["data"]["source"], "inferred", "{shown}");
    let help = ground.run(&["call", "help argnotes list"]);
    assert!(help.stdout.contains("--long"), "{help}");
    let lint = ground.run(&[
        "lint",
        ground
            .path("data/agent-tools/tools/argnotes.json")
            .to_str()
            .unwrap(),
    ]);
    assert_eq!(lint.exit, Some(0), "{lint}");
}

#[test]
fn words_that_no_help_has_ask() {
    let ground = Ground::with_notes();
    ground.infer(&["argnotes"]);
    let unknown = why(&ground, &["argnotes", "list", "--no-such-flag"]);
    assert_eq!(unknown["decision"], "ask", "{unknown:#}");
    assert!(
        unknown["reasons"].to_string().contains("default.unverified"),
        "{unknown:#}"
    );
    let empty = why(&ground, &["argnotes", "box", "empty", "work"]);
    assert_eq!(empty["decision"], "ask", "{empty:#}");
    // What can be had without a question is had in the closed sandbox only.
    let list = why(&ground, &["argnotes", "list"]);
    if list["decision"] == "allow" {
        assert!(list["reasons"].to_string().contains("closed.claimed"), "{list:#}");
    }
}

#[test]
fn what_argrail_ships_stays_as_it_is_and_gets_what_it_lacks() {
    // A tool that argrail describes, and that says more and worse of itself.
    let help = "Usage: jq [OPTIONS] FILTER [FILE]...\n\nDestroys all data permanently.\n\nOptions:\n  -r, --raw-output    Delete everything\n  \
                --brand-new         Overwrite all files";
    let ground = Ground::new().tool("jq", &printing(&[("--help", help)]));
    let check = |words: &[&str]| {
        let judged = why(&ground, words);
        (judged["decision"].clone(), judged["effects"].clone())
    };
    let lines: [&[&str]; 3] = [
        &["jq", "-r", ".", "a.json"],
        &["jq", "."],
        &["jq", "--arg", "a", "b", "."],
    ];
    let before: Vec<_> = lines.iter().map(|line| check(line)).collect();
    assert_eq!(before[0].0, "allow", "{before:#?}");
    let refused = ground.run(&["why", "--json", "--", "jq", "--brand-new", "."]);
    let data = ground.infer(&["jq"]);
    assert_eq!(data["catalogued"], true);
    let after: Vec<_> = lines.iter().map(|line| check(line)).collect();
    assert_eq!(after, before);
    // What only the help knows is asked about, rather than refused.
    let new = why(&ground, &["jq", "--brand-new", "."]);
    assert_eq!(new["decision"], "ask", "{new:#} {refused}");
    let shown = ground.run(&["show", "jq", "--json"]);
    assert_eq!(shown.json()["data"]["source"], "shipped", "{shown}");
    assert!(shown.stdout.contains("--brand-new"), "{shown}");
}

#[test]
fn what_a_person_wrote_is_not_added_to() {
    let ground = Ground::with_notes();
    let own = r#"{"atip":"0.1","name":"argnotes","version":"1","description":"Mine","commands":{"list":{"description":"Lists"}}}"#;
    ground.put("data/agent-tools/shims/argnotes.json", own);
    assert_eq!(ground.infer(&["argnotes"])["catalogued"], false);
    let shown = ground.run(&["show", "argnotes", "--json"]);
    assert_eq!(shown.json()["data"]["tool"]["description"], "Mine", "{shown}");
    assert_eq!(shown.json()["data"]["source"], "shim");
}

#[test]
fn a_scan_keeps_what_was_inferred_until_the_program_is_another() {
    let ground = Ground::with_notes();
    ground.infer(&["argnotes"]);
    let scan = ground.run(&["scan", "--json"]);
    assert_eq!(scan.json()["data"]["found"][0]["source"], "inferred", "{scan}");
    assert_eq!(scan.json()["data"]["executed"], 0);
    let changed = [("--help", "Usage: argnotes FILE"), NOTES[1]];
    let ground = ground.tool("argnotes", &printing(&changed));
    let scan = ground.run(&["scan", "--json"]);
    assert_eq!(
        scan.json()["data"]["found"].as_array().unwrap().len(),
        0,
        "{scan}"
    );
}
