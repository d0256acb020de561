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
    let before = ground.run(&["show", "notes"]);
    assert_eq!(before.exit, Some(2), "{before}");
    assert_eq!(ground.infer(&["notes"])["catalogued"], true);
    let listed = ground.run(&["list", "--source", "inferred", "--json"]);
    assert_eq!(listed.json()["data"]["tools"][0]["name"], "notes", "{listed}");
    let shown = ground.run(&["show", "notes", "list", "--json"]);
    assert_eq!(shown.json()["data"]["source"], "inferred", "{shown}");
    let help = ground.run(&["call", "help notes list"]);
    assert!(help.stdout.contains("--long"), "{help}");
    let lint = ground.run(&[
        "lint",
        ground.path("data/agent-tools/tools/notes.json").to_str().unwrap(),
    ]);
    assert_eq!(lint.exit, Some(0), "{lint}");
}

#[test]
fn words_that_no_help_has_ask() {
    let ground = Ground::with_notes();
    ground.infer(&["notes"]);
    let unknown = why(&ground, &["notes", "list", "--no-such-flag"]);
    assert_eq!(unknown["decision"], "ask", "{unknown:#}");
    assert!(
        unknown["reasons"].to_string().contains("default.unverified"),
        "{unknown:#}"
    );
    let empty = why(&ground, &["notes", "box", "empty", "work"]);
    assert_eq!(empty["decision"], "ask", "{empty:#}");
    // What can be had without a question is had in the closed sandbox only.
    let list = why(&ground, &["notes", "list"]);
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
    let own = r#"{"atip":"0.1","name":"notes","version":"1","description":"Mine","commands":{"list":{"description":"Lists"}}}"#;
    ground.put("data/agent-tools/shims/notes.json", own);
    assert_eq!(ground.infer(&["notes"])["catalogued"], false);
    let shown = ground.run(&["show", "notes", "--json"]);
    assert_eq!(shown.json()["data"]["tool"]["description"], "Mine", "{shown}");
    assert_eq!(shown.json()["data"]["source"], "shim");
}

#[test]
fn a_scan_keeps_what_was_inferred_until_the_program_is_another() {
    let ground = Ground::with_notes();
    ground.infer(&["notes"]);
    let scan = ground.run(&["scan", "--json"]);
    assert_eq!(scan.json()["data"]["found"][0]["source"], "inferred", "{scan}");
    assert_eq!(scan.json()["data"]["executed"], 0);
    let changed = [("--help", "Usage: notes FILE"), NOTES[1]];
    let ground = ground.tool("notes", &printing(&changed));
    let scan = ground.run(&["scan", "--json"]);
    assert_eq!(
        scan.json()["data"]["found"].as_array().unwrap().len(),
        0,
        "{scan}"
    );
}
