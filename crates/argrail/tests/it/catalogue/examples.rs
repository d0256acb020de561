//! The three tools of the draft's examples (ATIP §8), as programs that describe themselves: found, shown, and judged as the
//! draft says.

use argrail_testkit::Home;
use serde_json::Value;

use super::ground::data;
use crate::ARGRAIL;

const TOOLS: [(&str, &str); 3] = [
    ("gh", include_str!("../../../../../corpus/atip/examples/gh.json")),
    (
        "kubectl",
        include_str!("../../../../../corpus/atip/examples/kubectl.json"),
    ),
    (
        "terraform",
        include_str!("../../../../../corpus/atip/examples/terraform.json"),
    ),
];

fn described() -> Home {
    let mut home = Home::new();
    for (name, metadata) in TOOLS {
        let script = format!("#!/bin/sh\n[ \"$1\" = --agent ] || exit 1\ncat <<'EOF'\n{metadata}\nEOF\n");
        home = home.tool(name, &script);
    }
    home
}

fn paths(commands: &Value, prefix: &str, found: &mut Vec<String>) {
    for (name, command) in commands.as_object().into_iter().flatten() {
        let path = format!("{prefix} {name}");
        match command.get("commands") {
            Some(below) => paths(below, &path, found),
            None => found.push(path),
        }
    }
}

#[test]
fn the_drafts_tools_are_found_and_judged_as_the_draft_says() {
    let home = described();
    let scanned = data(&home, &["scan", "--probe", "--timeout", "30s"]);
    let found = scanned["found"].as_array().unwrap();
    let names: Vec<&str> = found.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["gh", "kubectl", "terraform"], "{scanned}");
    assert_eq!(scanned["invalid"], serde_json::json!([]), "{scanned}");
    for (name, text) in TOOLS {
        let said: Value = serde_json::from_str(text).unwrap();
        let kept =
            std::fs::read_to_string(home.root().join(format!("data/agent-tools/tools/{name}.json"))).unwrap();
        let kept: Value = serde_json::from_str(&kept).unwrap();
        assert_eq!(kept["metadata"], said, "{name}: nothing of what it says is lost");
        let shown = data(&home, &["show", name]);
        assert_eq!(shown["tool"]["version"], said["version"], "{name}");
        assert_eq!(
            shown["tool"]["authentication"]["required"], said["authentication"]["required"],
            "{name}"
        );
        let mut commands = Vec::new();
        paths(&said["commands"], name, &mut commands);
        for command in commands {
            let words: Vec<&str> = command.split(' ').collect();
            data(&home, &[&["show"], words.as_slice()].concat());
        }
    }
}

#[test]
fn what_the_draft_calls_a_change_asks_and_what_it_calls_destructive_is_dangerous() {
    let home = described();
    data(&home, &["scan", "--probe", "--timeout", "30s"]);
    let why = |words: &[&str]| {
        let run = home.run(ARGRAIL, &[&["why", "--json", "--"], words].concat());
        assert_eq!(run.exit, Some(0), "{words:?}: {run}");
        run.json()["data"].clone()
    };
    for words in [
        &["gh", "pr", "create", "--title", "x"][..],
        &["gh", "pr", "merge", "7"],
        &["gh", "issue", "create", "--title", "x"],
        &["gh", "repo", "clone", "o/r"],
        &["kubectl", "apply", "-f", "d.yaml"],
        &["kubectl", "delete", "pod/x"],
        &["kubectl", "exec", "pod", "ls"],
        &["terraform", "apply", "-auto-approve"],
        &["terraform", "destroy", "-auto-approve"],
    ] {
        let told = why(words);
        assert_eq!(told["decision"], "ask", "{words:?}: {told}");
    }
    let destroys = |words: &[&str]| why(words)["reasons"].to_string().contains("default.destructive");
    assert!(destroys(&["kubectl", "delete", "pod/x"]));
    assert!(destroys(&["terraform", "destroy", "-auto-approve"]));
    assert!(!destroys(&["gh", "pr", "create", "--title", "x"]));
    let bills = why(&["terraform", "apply", "-auto-approve"]);
    assert!(
        bills["reasons"].to_string().contains("default.billable"),
        "{bills}"
    );
}
