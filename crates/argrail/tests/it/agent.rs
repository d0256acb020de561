//! `argrail --agent`: what argrail says it is, to any host that asks.

use argrail_testkit::{Home, Run};
use serde_json::Value;

use super::ARGRAIL;

fn asked(home: &Home, words: &[&str]) -> Run {
    home.run(ARGRAIL, words)
}

fn metadata(run: &Run) -> Value {
    assert_eq!(run.exit, Some(0), "{run}");
    assert_eq!(run.stderr, "", "{run}");
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

#[test]
fn argrail_says_what_it_is() {
    let metadata = metadata(&asked(&Home::new(), &["--agent"]));
    assert_eq!(metadata["atip"], "0.1");
    assert_eq!(metadata["name"], "argrail");
    assert_eq!(metadata["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(metadata["globalOptions"][0]["flags"][0], "--json");
    let loaded = argrail_spec::atip::load(metadata.to_string().as_bytes()).unwrap();
    assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
}

#[test]
fn argrail_passes_its_own_strict_lint() {
    let home = Home::new();
    let told = asked(&home, &["--agent"]);
    std::fs::write(home.work().join("argrail.json"), &told.stdout).unwrap();
    let run = asked(&home, &["lint", "--strict", "argrail.json", "--format", "json"]);
    assert_eq!(run.exit, Some(0), "{run}");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let grave: Vec<&Value> = found["files"][0]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["severity"] != "note")
        .collect();
    assert!(grave.is_empty(), "{grave:#?}");
}

#[test]
fn every_verb_says_what_it_changes() {
    let metadata = metadata(&asked(&Home::new(), &["--agent"]));
    let commands = metadata["commands"].as_object().unwrap();
    assert!(commands.len() >= 10 && commands.contains_key("export"));
    for (verb, command) in commands {
        assert!(
            command["effects"].is_object(),
            "{verb} has no effects: say them in agent.rs"
        );
        assert!(command["effects"]["subprocess"].is_boolean(), "{verb}");
        assert!(!command["description"].as_str().unwrap().is_empty(), "{verb}");
    }
    assert_eq!(commands["diff"]["arguments"][0]["name"], "old");
    assert_eq!(commands["export"]["effects"]["filesystem"]["write"], false);
}

#[test]
fn a_part_is_answered_and_says_what_is_not_in_it() {
    let part = metadata(&asked(
        &Home::new(),
        &["--agent", "--commands=call,nope", "--depth=1"],
    ));
    let names: Vec<&String> = part["commands"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["call"]);
    assert_eq!(
        (&part["partial"], &part["includedCommands"]),
        (&true.into(), &1.into())
    );
    assert!(part["totalCommands"].as_u64().unwrap() >= 10);
    assert_eq!(part["omitted"]["safetyAssumption"], "unknown");
    let none = metadata(&asked(&Home::new(), &["--agent", "--depth", "0"]));
    assert!(none.get("commands").is_none());
}

#[test]
fn nothing_is_touched_and_nothing_is_needed() {
    let home = Home::new()
        .env("HOME", "")
        .env("XDG_STATE_HOME", "")
        .env("XDG_CONFIG_HOME", "");
    metadata(&asked(&home, &["--agent"]));
    let home = Home::new();
    metadata(&asked(&home, &["--agent"]));
    for place in ["home", "state", "config", "data", "cache", "tmp", "work"] {
        let place = home.work().parent().unwrap().join(place);
        let left: Vec<_> = std::fs::read_dir(&place).unwrap().collect();
        assert!(left.is_empty(), "{}: {left:?}", place.display());
    }
}

#[test]
fn other_words_beside_it_are_refused_and_elsewhere_it_is_no_question() {
    let home = Home::new();
    for words in [&["--agent", "list"][..], &["--agent", "--depth=deep"]] {
        let run = asked(&home, words);
        assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""), "{run}");
        assert!(run.stderr.contains("Run: argrail --agent"), "{run}");
    }
    let run = asked(&home, &["--agent", "--json"]);
    assert_eq!(
        (run.exit, &run.json()["error"]["code"]),
        (Some(2), &"VALIDATION_ERROR".into()),
        "{run}"
    );
    // To `call` it is a command string like any other.
    let run = asked(&home, &["call", "--agent"]);
    assert!(run.stdout.contains("\"success\":false"), "{run}");
}
