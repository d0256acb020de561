//! `argrail why`: the decision with every rule behind it, and nothing is started. Delegations narrow it.

use std::os::unix::fs::PermissionsExt;

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use super::ground::{connect, envelope, home, metadata};
use crate::ARGRAIL;

const CONFIG: &str = r#"{
    "permissionPolicy": {"deny": {"effects.destructive": true}},
    "delegations": {"junior": {"allowedTools": ["ls", "sort"], "effectRestrictions": {"filesystem.write": false}}}
}"#;

fn why(home: &Home, words: &[&str]) -> Run {
    let words: Vec<&str> = ["why", "--json"]
        .into_iter()
        .chain(words.iter().copied())
        .collect();
    home.run(ARGRAIL, &words)
}

/// Sees the decision, and that a rule with this origin made it so.
#[track_caller]
fn check(home: &Home, words: &[&str], decision: &str, rule: &str, origin: &str) -> Value {
    let run = why(home, words);
    assert_eq!(run.exit, Some(0), "{run}");
    let data = run.json()["data"].clone();
    assert_eq!(data["decision"], decision, "{words:?}: {run}");
    let reasons = data["reasons"].as_array().unwrap();
    let named = |reason: &&Value| reason["rule"] == rule;
    let reason = reasons.iter().find(named);
    let reason = reason.unwrap_or_else(|| panic!("no {rule}: {run}"));
    assert_eq!(reason["origin"], origin, "{words:?}: {run}");
    assert_eq!(reason["decision"], decision, "{words:?}: {run}");
    assert!(reason["effect"].is_string(), "{run}");
    data
}

#[test]
fn a_read_a_change_and_what_is_unknown_are_told_apart() {
    let home = home()
        .file("note", "hello\n")
        .tool("stranger", "#!/bin/sh\n: > m\n");
    let read = check(
        &home,
        &["--", "cat", "note"],
        "allow",
        "default.read",
        "catalogue:cat",
    );
    assert_eq!(read["command"], "cat");
    let argv = read["argv"].as_array().unwrap();
    assert!(
        argv[0].as_str().unwrap().ends_with("/cat") && argv[1] == "note",
        "{argv:?}"
    );
    assert_eq!(read["effects"]["filesystem"]["write"], false);
    let sandbox = &read["sandbox"];
    assert_eq!(sandbox["write"], json!([]));
    assert_eq!(
        (&sandbox["egress"], &sandbox["exec"]),
        (&json!("none"), &json!("none"))
    );
    assert!(sandbox["limits"]["timeMs"].is_u64() && sandbox["env"].is_array());

    let change = check(
        &home,
        &["--", "touch", "m"],
        "ask",
        "default.change",
        "catalogue:touch",
    );
    assert_eq!(change["effects"]["filesystem"]["write"], true);
    check(
        &home,
        &["--", "rm", "note"],
        "ask",
        "default.destructive",
        "catalogue:rm",
    );
    check(
        &home,
        &["--", "stranger", "x"],
        "ask",
        "default.unknown",
        "nobody",
    );
    check(
        &home,
        &["--", "env", "X=1", "ls"],
        "ask",
        "default.unverified",
        "settled",
    );
    check(
        &home,
        &["--", "sort", "-o", "m", "note"],
        "ask",
        "default.change",
        "catalogue:sort",
    );
    let inner = check(
        &home,
        &["--", "nice", "touch", "m"],
        "ask",
        "default.change",
        "catalogue:touch",
    );
    assert_eq!(inner["command"], "nice");
    // One word with blanks is a command string, as hints show it.
    check(
        &home,
        &["--", "touch m"],
        "ask",
        "default.change",
        "catalogue:touch",
    );
    let asks = why(&home, &["--", "less", "note"]);
    assert!(
        asks.json()["data"]["prompts"].as_str().unwrap().contains("cat"),
        "{asks}"
    );
    assert!(!home.work().join("m").exists());
}

#[test]
fn what_a_tool_says_of_itself_runs_in_the_closed_sandbox_only() {
    let home = home().tool("claimer", "#!/bin/sh\n: > m\n");
    let shims = home.root().join("data/agent-tools/shims");
    std::fs::create_dir_all(&shims).unwrap();
    let about = metadata("claimer", &json!({}));
    std::fs::write(shims.join("claimer.json"), about.to_string()).unwrap();
    let run = why(&home, &["--", "claimer"]);
    let data = &run.json()["data"];
    assert_eq!(data["decision"], "allow", "{run}");
    assert_eq!(data["sandbox"]["confinement"], "closed", "{run}");
    assert!(run.stdout.contains("closed.claimed"), "{run}");
}

#[test]
fn a_rule_of_the_users_is_named() {
    let home = home().file("note", "hello\n").config(CONFIG);
    check(
        &home,
        &["--", "rm", "note"],
        "deny",
        "permissionPolicy.deny",
        "config",
    );
    check(
        &home,
        &["--", "nice", "rm", "note"],
        "deny",
        "permissionPolicy.deny",
        "config",
    );
    let run = home.run(ARGRAIL, &["call", "rm note"]);
    assert_eq!(run.exit, Some(3), "{run}");
    assert_eq!(run.json()["error"]["reason"], "denied_by_policy", "{run}");
    assert!(home.work().join("note").exists());
}

#[test]
fn a_caller_is_allowed_what_was_delegated_to_it() {
    let home = home().file("note", "hello\n").config(CONFIG);
    let caller = ["--caller", "junior", "--"];
    let words =
        |rest: &[&'static str]| -> Vec<&str> { caller.iter().copied().chain(rest.iter().copied()).collect() };
    check(&home, &words(&["ls"]), "allow", "default.read", "catalogue:ls");
    let origin = "delegation:'caller junior'";
    check(
        &home,
        &words(&["cat", "note"]),
        "deny",
        "delegation.allowedTools",
        origin,
    );
    check(
        &home,
        &words(&["sort", "-o", "m", "note"]),
        "deny",
        "delegation.effectRestrictions",
        origin,
    );
    for (command, exit, reason) in [
        ("ls", 0, Value::Null),
        ("cat note", 3, json!("delegation")),
        ("nice ls", 3, json!("delegation")),
        ("sort -o m note", 3, json!("delegation")),
    ] {
        let run = home.run(ARGRAIL, &["call", "--caller", "junior", command]);
        assert_eq!(run.exit, Some(exit), "{command}: {run}");
        assert_eq!(run.json()["error"]["reason"], reason, "{command}: {run}");
    }
    assert_eq!(home.run(ARGRAIL, &["call", "cat note"]).exit, Some(0));
    assert!(!home.work().join("m").exists());
}

#[test]
fn a_server_allows_no_more_than_its_delegation() {
    let delegation = json!({"delegation": {
        "allowedTools": ["ls", "cat", "find"],
        "deniedCommands": ["find -name"],
        "effectRestrictions": {"destructive": false},
    }});
    let home = home()
        .file("note", "hello\n")
        .file("delegation.json", &delegation.to_string());
    let mut client = connect(&home, &["--delegation", "delegation.json"]);
    for (command, reason) in [
        ("cat note", Value::Null),
        ("find .", Value::Null),
        ("head note", json!("delegation")),
        ("find . -name note", json!("delegation")),
        ("find . -delete", json!("delegation")),
        ("nice cat note", json!("delegation")),
    ] {
        let answer = envelope(&client.call(command));
        assert_eq!(answer["error"]["reason"], reason, "{command}: {answer:#}");
        assert_eq!(answer["success"], reason.is_null(), "{command}: {answer:#}");
    }
    assert!(home.work().join("note").exists());
}

#[test]
fn a_delegated_caller_is_told_of_no_other_tool() {
    let home = home().config(CONFIG);
    let call = |words: &[&str]| {
        let words: Vec<&str> = ["call"].into_iter().chain(words.iter().copied()).collect();
        home.run(ARGRAIL, &words)
    };
    let names = |run: &Run| {
        let commands = run.json()["data"]["commands"].clone();
        let commands = commands.as_array().unwrap().iter();
        let names = commands.map(|command| command["name"].as_str().unwrap().to_owned());
        let tools = names.filter(|name| !name.starts_with("x-"));
        tools.collect::<Vec<String>>()
    };
    let everything = names(&call(&["help"]));
    assert!(everything.iter().any(|name| name == "cat"), "{everything:?}");
    let junior = ["--caller", "junior"];
    let told = call(&[&junior[..], &["help"]].concat());
    assert_eq!(names(&told), ["ls", "sort"], "{told}");
    let version = call(&[&junior[..], &["version"]].concat());
    let listed = &version.json()["data"]["capabilities"]["commands"];
    assert_eq!(*listed, json!(["ls", "sort"]), "{version}");
    for command in ["help cat", "schema cat", "cat --help"] {
        let run = call(&[&junior[..], &[command]].concat());
        assert_eq!(
            run.json()["error"]["code"],
            "PERMISSION_DENIED",
            "{command}: {run}"
        );
        assert!(!run.stdout.contains("arguments"), "{command}: {run}");
    }
    let schema = call(&[&junior[..], &["schema"]].concat());
    assert!(!schema.stdout.contains("\"cat"), "{schema}");
    for command in ["help ls", "schema sort", "help help", "help x-search"] {
        let run = call(&[&junior[..], &[command]].concat());
        assert_eq!(run.json()["success"], true, "{command}: {run}");
    }
    let near = call(&[&junior[..], &["caat"]].concat());
    assert!(!near.stdout.contains("'cat'"), "{near}");
}

#[test]
fn a_file_that_cannot_be_started_decides_nothing() {
    let home = home().file("note", "b\na\n");
    let decoy = home.bin().join("sort");
    std::fs::write(&decoy, "").unwrap();
    let shows_bin = || {
        let run = why(&home, &["--", "nice", "sort", "note"]);
        assert_eq!(run.exit, Some(0), "{run}");
        let read = run.json()["data"]["sandbox"]["read"].clone();
        let read = read.as_array().unwrap().iter();
        read.filter_map(Value::as_str)
            .any(|path| path.ends_with("bin/**"))
    };
    assert!(!shows_bin());
    // Once it can be, it is what a shell would start, and what runs.
    std::fs::set_permissions(&decoy, PermissionsExt::from_mode(0o755)).unwrap();
    assert!(shows_bin());
}
