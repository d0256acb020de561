//! `argrail add`, `install` and `status`: from a folder to a program that is there, in range, and answers.

use std::fs;

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{CLI, LIST, PROGRAM, call, done, with};
use crate::ARGRAIL;

fn home() -> Home {
    with(Home::new(), "src/notes")
}

fn add(home: &Home) -> Value {
    done(home, &["add", "--json", "--yes", "src/notes"]).json()["data"].clone()
}

fn status(home: &Home) -> Value {
    done(home, &["status", "--json"]).json()["data"]["bundles"].clone()
}

#[test]
fn a_vendored_program_is_added_and_answers_and_nothing_is_done_twice() {
    let home = home();
    let added = add(&home);
    let (installed, version) = (&added["installed"], &added["version"]);
    assert_eq!(
        (installed, version, &added["inRange"]),
        (&json!(true), &json!("1.4.2"), &json!(true)),
        "{added}"
    );
    assert_eq!(
        (&added["method"], &added["added"]),
        (&json!("vendored"), &json!(true)),
        "{added}"
    );
    assert_eq!(
        (&added["setup"], &added["auth"]),
        (&json!("done"), &json!("none")),
        "{added}"
    );
    // What was added is a copy: the folder that it came from is not needed any more.
    fs::remove_dir_all(home.work().join("src")).unwrap();
    let answer = call(&home, "notes list --limit 2");
    assert_eq!(answer["data"][0]["words"], "list --limit=2 --json", "{answer}");
    let listed = status(&home);
    assert_eq!(
        (&listed[0]["id"], &listed[0]["installed"], &listed[0]["inRange"]),
        (&json!("notes@1"), &json!(true), &json!(true))
    );
    let program = added["program"].as_str().unwrap();
    let before = fs::metadata(program).unwrap().modified().unwrap();
    let home = with(home, "src/notes");
    let again = add(&home);
    assert_eq!(
        (&again["added"], &again["program"]),
        (&json!(false), &added["program"]),
        "{again}"
    );
    assert_eq!(fs::metadata(program).unwrap().modified().unwrap(), before);
}

#[test]
fn nobody_adds_without_having_seen_it() {
    let home = home();
    let run = home.run(ARGRAIL, &["add", "--json", "src/notes"]);
    assert_eq!(run.exit, Some(4), "{run}");
    let error = &run.json()["error"];
    assert_eq!(error["code"], "SETUP_REQUIRED");
    assert_eq!(
        error["wanted"]["wants"]["secrets"],
        json!(["NOTES_STYLE"]),
        "{error}"
    );
    assert_eq!(
        error["wanted"]["plan"]["ways"][0]["method"], "vendored",
        "{error}"
    );
    assert_eq!(status(&home), json!([]));
    assert_eq!(call(&home, "notes list")["error"]["code"], "COMMAND_NOT_FOUND");
    assert!(!home.root().join("data/agent-tools/cli/notes@1").exists());
}

#[test]
fn a_version_out_of_range_is_told_with_both() {
    let old = PROGRAM.replace("notes 1.4.2", "notes 1.1");
    let home = home().file("src/notes/bin/notes", &old);
    super::ground::executable(&home, "src/notes/bin/notes");
    let run = home.run(ARGRAIL, &["add", "--json", "--yes", "src/notes"]);
    let error = &run.json()["error"];
    assert_eq!(error["code"], "VERSION_MISMATCH", "{run}");
    let text = error.to_string();
    assert!(text.contains("1.1") && text.contains(">=1.2 <2"), "{run}");
    // The program of the search path is no better.
    let home = home.tool("notes", &old);
    let answer = call(&home, "notes list");
    assert_eq!(answer["error"]["code"], "VERSION_MISMATCH", "{answer}");
}

#[test]
fn a_program_that_is_there_and_will_do_is_used() {
    let home = home().tool("notes", PROGRAM);
    let added = add(&home);
    assert_eq!(added["method"], "present", "{added}");
    assert_eq!(added["program"], home.bin().join("notes").to_str().unwrap());
    assert_eq!(call(&home, "notes list")["success"], true);
}

#[test]
fn a_bundle_that_was_changed_behind_our_back_is_refused_until_it_is_added_again() {
    let home = home();
    let added = add(&home);
    let place = added["bundle"].as_str().unwrap();
    let tool = format!("{place}/tools/list/TOOL.md");
    fs::write(&tool, LIST.replace("'--all'", "'--delete-all'")).unwrap();
    let answer = call(&home, "notes list --all");
    let error = &answer["error"];
    assert_eq!(
        (&error["code"], &error["pending"]),
        (&json!("SETUP_REQUIRED"), &json!(["trust"])),
        "{answer}"
    );
    assert_eq!(error["changed"], json!(["tools/list/TOOL.md"]));
    let run = home.run(ARGRAIL, &["install", "--json", "--yes", "notes"]);
    assert_eq!(run.json()["error"]["code"], "SETUP_REQUIRED", "{run}");
    add(&home);
    assert_eq!(call(&home, "notes list --all")["success"], true);
}

#[test]
fn a_bundle_that_is_not_installed_says_who_installs_it() {
    let home = home();
    done(&home, &["add", "--json", "--yes", "--no-install", "src/notes"]);
    let answer = call(&home, "notes list");
    let error = &answer["error"];
    assert_eq!(
        (&error["code"], &error["pending"]),
        (&json!("SETUP_REQUIRED"), &json!(["install"])),
        "{answer}"
    );
    assert!(
        error["hint"].as_str().unwrap().contains("argrail install"),
        "{answer}"
    );
    assert_eq!(status(&home)[0]["installed"], false);
    // A program that somebody put into the bundle meanwhile is not the one that was accepted.
    let vendored = home.root().join("data/agent-tools/cli/notes@1/notes/bin/notes");
    let accepted = fs::read(&vendored).unwrap();
    fs::write(&vendored, "#!/bin/sh\necho notes 1.4.2 evil\n").unwrap();
    let run = home.run(ARGRAIL, &["install", "--json", "--yes", "notes"]);
    assert_eq!(run.json()["error"]["code"], "SETUP_REQUIRED", "{run}");
    fs::write(&vendored, accepted).unwrap();
    let installed = done(&home, &["install", "--json", "--yes", "notes"]).json();
    assert_eq!(installed["data"]["bundles"][0]["installed"], true, "{installed}");
    assert_eq!(call(&home, "notes list")["success"], true);
}

#[test]
fn setup_and_login_that_nobody_did_are_told() {
    let setup =
        "setup:\n  - { id: channel, kind: prompt, prompt: Channel, persist: { env: NOTES_CHANNEL } }\n";
    let home = home().file(
        "src/notes/CLI.md",
        &CLI.replace("sandbox:\n", &format!("{setup}sandbox:\n")),
    );
    let added = add(&home);
    assert_eq!(
        (&added["setup"], &added["pending"]),
        (&json!("pending"), &json!(["channel"])),
        "{added}"
    );
    let answer = call(&home, "notes list");
    assert_eq!(answer["error"]["pending"], json!(["channel"]), "{answer}");
    let auth = "auth:\n  state: { env: [NOTES_TOKEN] }\n  login: { cmd: notes login }\n";
    let flawed = CLI
        .replace("sandbox:\n", &format!("{auth}sandbox:\n"))
        .replace("pass: [NOTES_STYLE]", "pass: [NOTES_STYLE, NOTES_TOKEN]");
    let home = with(Home::new(), "src/notes").file("src/notes/CLI.md", &flawed);
    assert_eq!(add(&home)["auth"], "unauthed");
    let answer = call(&home, "notes list");
    assert_eq!(answer["error"]["code"], "AUTH_REQUIRED", "{answer}");
    assert!(answer["error"].to_string().contains("notes login"), "{answer}");
}

#[test]
fn what_has_mistakes_is_not_added() {
    let check = |file: &str, text: &str, want: &str| {
        let home = home().file(file, text);
        let run = home.run(ARGRAIL, &["add", "--json", "--yes", "src/notes"]);
        assert_eq!(run.exit, Some(2), "{run}");
        let error = run.json()["error"].to_string();
        assert!(error.contains(want) && error.contains("argrail lint"), "{run}");
        assert_eq!(status(&home), json!([]));
    };
    let wider = LIST.replace(
        "runner:",
        "sandbox: { network: { egress: [evil.example] } }\nrunner:",
    );
    check("src/notes/tools/list/TOOL.md", &wider, "evil.example");
    let wider = LIST.replace("runner:", "sandbox: { fs: { write: [\"**\"] } }\nrunner:");
    check("src/notes/tools/list/TOOL.md", &wider, "fs.write");
    let wider = LIST.replace(
        "runner:",
        "sandbox: { exec: { allow: true, spawn: [git] } }\nrunner:",
    );
    check("src/notes/tools/list/TOOL.md", &wider, "exec");
    let wider = LIST.replace("runner:", "sandbox: { env: { pass: [HOME] } }\nrunner:");
    check("src/notes/tools/list/TOOL.md", &wider, "env.pass");
    check(
        "src/notes/CLI.md",
        &CLI.replace("bin: notes", "bin: no tes"),
        "bin",
    );
    let run = home().run(ARGRAIL, &["add", "--json", "--yes", "nosuch"]);
    assert_eq!(run.exit, Some(2), "{run}");
}
