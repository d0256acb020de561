//! `argrail agent list`, and agents that are added: which there are, whose word counts, how far each is.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use crate::ARGRAIL;

const MANIFEST: &str = r#"---
name: parrot
id: parrot
description: Says everything again.
version: 1.0.0
bin: parrot
bin_args: [acp]
install:
  - { method: vendored, path: ./bin/parrot }
version_check: { cmd: parrot --version, parse: 'parrot (\S+)', range: ">=1.2 <2" }
auth: { state: { env: [PARROT_KEY] } }
sandbox:
  provider: local
  config: {}
  mounts: [{ source: workspace, at: /workspace }]
  network: { egress: [model.parrot.test] }
protocol: acp
acp: ./ACP.md
---
"#;

const PROFILE: &str = r#"---
name: parrot
id: parrot-acp
description: How the parrot speaks.
version: 1.0.0
kind: client
transport: stdio
metadata: { aip44: { acp_rev: e56562e7fed20a020b4dbbb074786a57b87326a3, tier: basic } }
---
"#;

const PROGRAM: &str = "#!/bin/sh\necho parrot 1.4.0\n";

/// A home with the agent in a folder of the working directory.
fn with(folder: &str) -> Home {
    let file = |name: &str| format!("{folder}/{name}");
    let home = Home::new()
        .file(&file("AGENT-CLI.md"), MANIFEST)
        .file(&file("ACP.md"), PROFILE)
        .file(&file("bin/parrot"), PROGRAM);
    let program = home.work().join(file("bin/parrot"));
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
    home
}

fn listed(home: &Home) -> Vec<Value> {
    let run = home.run(ARGRAIL, &["agent", "list", "--json"]);
    assert_eq!(run.exit, Some(0), "{run}");
    run.json()["data"]["agents"].as_array().unwrap().clone()
}

fn one(home: &Home, id: &str) -> Value {
    let all = listed(home);
    let found: Vec<&Value> = all.iter().filter(|row| row["id"] == id).collect();
    assert_eq!(found.len(), 1, "{all:?}");
    found[0].clone()
}

fn done(home: &Home, words: &[&str]) -> Run {
    let run = home.run(ARGRAIL, words);
    assert_eq!(run.exit, Some(0), "{words:?}: {run}");
    run
}

#[test]
fn one_whose_protocol_is_not_spoken_is_not_ready() {
    let home = with(".agents/parrot").env("PARROT_KEY", "k");
    let ready = MANIFEST.replace("bin: parrot\n", "bin: bin/parrot\n");
    let ready = ready.replace("cmd: parrot", "cmd: bin/parrot");
    let home = home.file(".agents/parrot/AGENT-CLI.md", &ready);
    done(&home, &["trust", "--yes"]);
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["installed"], &row["ready"], &row["next"]),
        (&json!(true), &json!(true), &json!(null)),
        "{row}"
    );
    for (protocol, block) in [
        ("mcp", "mcp: { command: parrot, transport: stdio }"),
        ("proprietary", "adapter: parrot-adapter"),
    ] {
        let other = ready.replace(
            "protocol: acp\nacp: ./ACP.md",
            &format!("protocol: {protocol}\n{block}"),
        );
        let home = with(".agents/parrot")
            .env("PARROT_KEY", "k")
            .file(".agents/parrot/AGENT-CLI.md", &other);
        fs::remove_file(home.work().join(".agents/parrot/ACP.md")).unwrap();
        done(&home, &["trust", "--yes"]);
        let row = one(&home, "parrot");
        assert_eq!(
            (&row["protocol"], &row["installed"], &row["ready"]),
            (&json!(protocol), &json!(true), &json!(false)),
            "{row}"
        );
        let next = row["next"].as_str().unwrap();
        assert!(next.contains(&format!("speaks {protocol}")), "{row}");
        assert!(done(&home, &["agent", "list"]).stdout.contains(next));
    }
}

#[test]
fn the_shipped_ones_are_listed_with_what_to_do_next() {
    let home = Home::new();
    let all = listed(&home);
    assert_eq!(all.len(), 12, "{all:?}");
    let goose = one(&home, "goose");
    let fields = [
        "source",
        "protocol",
        "installed",
        "ready",
        "auth",
        "next",
        "trust",
    ];
    let values: Vec<&Value> = fields.iter().map(|field| &goose[field]).collect();
    assert_eq!(
        json!(values),
        json!([
            "shipped",
            "acp",
            false,
            false,
            "unauthed",
            "argrail add goose",
            "trusted"
        ]),
        "{goose}"
    );
    let text = done(&home, &["agent", "list"]).stdout;
    assert!(
        text.contains("goose@1") && text.contains("argrail add goose"),
        "{text}"
    );
}

#[test]
fn a_folder_is_shown_accepted_copied_and_installed() {
    let home = with("src/parrot");
    let refused = home.run(ARGRAIL, &["add", "--json", "src/parrot"]);
    assert_eq!(refused.exit, Some(4), "{refused}");
    let error = &refused.json()["error"];
    assert_eq!(error["code"], "SETUP_REQUIRED", "{refused}");
    let shown = refused.stdout.clone();
    for wanted in [
        "model.parrot.test",
        "PARROT_KEY",
        "the workspace, to read and write",
    ] {
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
    let added = done(&home, &["add", "--json", "--yes", "src/parrot"]).json()["data"].clone();
    assert_eq!(
        (
            &added["id"],
            &added["installed"],
            &added["version"],
            &added["inRange"]
        ),
        (&json!("parrot@1"), &json!(true), &json!("1.4.0"), &json!(true)),
        "{added}"
    );
    fs::remove_dir_all(home.work().join("src")).unwrap();
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["source"], &row["version"], &row["ready"], &row["next"]),
        (
            &json!("home"),
            &json!("1.4.0"),
            &json!(false),
            &json!("set PARROT_KEY")
        ),
        "{row}"
    );
    let home = home.env("PARROT_KEY", "x");
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["auth"], &row["ready"]),
        (&json!("authed"), &json!(true)),
        "{row}"
    );
    let status = done(&home, &["status", "--json"]).json();
    assert_eq!(status["data"]["bundles"][0]["id"], "parrot@1", "{status}");
}

#[test]
fn one_whose_program_was_changed_is_not_started() {
    let home = with("src/parrot").env("PARROT_KEY", "x");
    let added = done(&home, &["add", "--json", "--yes", "src/parrot"]).json();
    let program = added["data"]["program"].as_str().unwrap();
    assert_eq!(one(&home, "parrot")["ready"], true);
    fs::write(program, PROGRAM.replace("echo", "touch started; echo")).unwrap();
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["installed"], &row["ready"], &row["version"]),
        (&json!(false), &json!(false), &Value::Null),
        "{row}"
    );
    assert!(
        row["next"].as_str().unwrap().ends_with("argrail install parrot"),
        "{row}"
    );
    let run = home.run(ARGRAIL, &["agent", "run", "--json", "parrot", "hello"]);
    let error = &run.json()["error"];
    assert_eq!(
        (&error["code"], &error["reason"]),
        (&json!("SETUP_REQUIRED"), &json!("drift")),
        "{run}"
    );
    done(&home, &["install", "--yes", "parrot"]);
    assert_eq!(one(&home, "parrot")["ready"], true);
}

#[test]
fn one_that_changed_or_that_nobody_accepted_does_not_count() {
    let home = with("src/parrot");
    done(&home, &["add", "--json", "--yes", "src/parrot"]);
    let place = home.root().join("data/agent-tools/agents/parrot@1/parrot");
    let manifest = place.join("AGENT-CLI.md");
    fs::write(&manifest, MANIFEST.replace("model.parrot.test", "evil.test")).unwrap();
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["trust"], &row["ready"]),
        (&json!("changed"), &json!(false)),
        "{row}"
    );
    let run = home.run(ARGRAIL, &["agent", "run", "parrot", "hello", "--json"]);
    assert_eq!(run.json()["error"]["code"], "SETUP_REQUIRED", "{run}");
    // A folder that somebody put there takes no name from one that counts.
    let planted = home.root().join("data/agent-tools/agents/x/goose");
    fs::create_dir_all(&planted).unwrap();
    let text = MANIFEST
        .replace("name: parrot", "name: goose")
        .replace("id: parrot", "id: goose");
    fs::write(planted.join("AGENT-CLI.md"), text).unwrap();
    fs::write(planted.join("ACP.md"), PROFILE).unwrap();
    fs::create_dir(planted.join("bin")).unwrap();
    fs::write(planted.join("bin/parrot"), PROGRAM).unwrap();
    let all = listed(&home);
    let goose: Vec<(&Value, &Value)> = all
        .iter()
        .filter(|row| row["id"] == "goose")
        .map(|row| (&row["source"], &row["trust"]))
        .collect();
    let (shipped, home_word) = (json!("shipped"), json!("home"));
    let (trusted, untrusted) = (json!("trusted"), json!("untrusted"));
    assert_eq!(goose, [(&shipped, &trusted), (&home_word, &untrusted)], "{all:?}");
    let run = home.run(ARGRAIL, &["agent", "run", "goose", "hello", "--json"]);
    assert!(run.stdout.contains("argrail add 'goose'"), "{run}");
}

#[test]
fn a_projects_agent_counts_once_the_project_is_trusted() {
    let home = with(".agents/parrot");
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["source"], &row["trust"], &row["installed"], &row["next"]),
        (
            &json!("project"),
            &json!("untrusted"),
            &json!(false),
            &json!("argrail trust")
        ),
        "{row}"
    );
    let run = home.run(ARGRAIL, &["agent", "run", "parrot", "hello", "--json"]);
    let error = run.json()["error"].clone();
    assert_eq!(
        (&error["code"], run.exit),
        (&json!("SETUP_REQUIRED"), Some(4)),
        "{run}"
    );
    done(&home, &["trust", "--yes"]);
    done(&home, &["install", "parrot", "--yes"]);
    let row = one(&home, "parrot");
    assert_eq!(
        (&row["trust"], &row["version"], &row["next"]),
        (&json!("trusted"), &json!("1.4.0"), &json!("set PARROT_KEY")),
        "{row}"
    );
}

#[test]
fn an_agent_that_is_not_installed_says_how_it_is() {
    let home = Home::new();
    let run = home.run(ARGRAIL, &["agent", "run", "goose", "hello", "--json"]);
    let error = run.json()["error"].clone();
    assert_eq!(run.exit, Some(4), "{run}");
    assert_eq!(error["code"], "SETUP_REQUIRED", "{run}");
    assert!(
        error["hint"].as_str().unwrap().contains("argrail add 'goose'"),
        "{run}"
    );
    assert!(run.stdout.contains("install"), "{run}");
}
