//! `argrail new cli`: a bundle from what is known, which lints and is never written over another.

use std::fs;

use argrail_testkit::{Home, Run};
use insta::assert_snapshot;
use serde_json::Value;

use crate::ARGRAIL;

/// A program that says its version and helps.
const NOTES: &str = r#"#!/bin/sh
case "$*" in
--version) echo 'argnotes 3.1.4' ;;
--help) cat <<'EOF'
Keeps notes.

Usage: argnotes [OPTIONS] COMMAND

Commands:
  list     List all notes
  empty    Delete every note in a box

Options:
  -q, --quiet    Say less
EOF
;;
'list --help') printf 'List all notes\n\nUsage: argnotes list [OPTIONS] [WORD]...\n\nOptions:\n  -l, --long    Show more\n' ;;
'empty --help') printf 'Delete every note in a box\n\nUsage: argnotes empty BOX\n' ;;
*) echo "error: unrecognized: $*" >&2; exit 2 ;;
esac
"#;

fn home() -> Home {
    Home::new().tool("argnotes", NOTES)
}

fn data(run: &Run) -> Value {
    let envelope: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
    assert_eq!(envelope["success"], true, "{run}");
    envelope["data"].clone()
}

/// The strict findings in a folder.
fn findings(home: &Home, folder: &str) -> Vec<Value> {
    let run = home.run(ARGRAIL, &["lint", "--strict", "--json", folder]);
    let files = data(&run)["files"].as_array().unwrap().clone();
    assert!(!files.is_empty(), "{run}");
    let of = |file: Value| file["diagnostics"].as_array().unwrap().clone();
    files.into_iter().flat_map(of).collect()
}

fn codes(home: &Home, folder: &str) -> Vec<String> {
    let found = findings(home, folder);
    let code = |one: &Value| one["code"].as_str().unwrap().to_owned();
    found.iter().map(code).collect()
}

#[test]
fn an_unknown_program_gets_a_bundle_with_the_version_that_was_seen() {
    let home = home();
    let run = home.run(ARGRAIL, &["new", "cli", "argnotes", "--dir", "made", "--json"]);
    let data = data(&run);
    assert_eq!(data["bundle"], "made/argnotes");
    assert_eq!(data["files"], serde_json::json!(["CLI.md", "tools/run/TOOL.md"]));
    assert_eq!(data["unfinished"], serde_json::json!(["install"]));
    let manifest = fs::read_to_string(home.work().join("made/argnotes/CLI.md")).unwrap();
    let check = manifest
        .lines()
        .skip_while(|line| !line.starts_with("version_check"));
    let check: Vec<&str> = check.take(4).collect();
    let expected = [
        r#"version_check:"#,
        r#"  cmd: "argnotes --version""#,
        r#"  parse: "argnotes ([0-9]+\\.[0-9]+(?:\\.[0-9]+)*)""#,
        r#"  range: ">=3.1 <4""#,
    ];
    assert_eq!(check, expected);
    assert_eq!(codes(&home, "made"), ["cli/unfinished"]);
}

/// A package that has the name of a program may be anybody's.
#[test]
fn no_package_is_named_that_nobody_vouches_for() {
    let home = home();
    let run = home.run(ARGRAIL, &["new", "cli", "argnotes", "--dir", "made"]);
    assert!(
        run.stdout.contains("Unfinished: nobody who can be trusted"),
        "{run}"
    );
    let manifest = fs::read_to_string(home.work().join("made/argnotes/CLI.md")).unwrap();
    assert!(!manifest.contains("package: argnotes"), "{manifest}");
    assert!(manifest.contains("\ninstall: # unfinished\n  # "), "{manifest}");
    let run = home.run(ARGRAIL, &["lint", "made"]);
    assert!(
        run.stdout.contains("cli/unfinished") && run.stdout.contains("unfinished: no way to install"),
        "{run}"
    );
    assert_ne!(home.run(ARGRAIL, &["lint", "--strict", "made"]).exit, Some(0));
    // It serves the program that is there, and installs nothing.
    let run = home.run(ARGRAIL, &["add", "--json", "--yes", "made/argnotes"]);
    assert_eq!(data(&run)["method"], "present", "{run}");
    let bare = Home::new();
    let folder = home.work().join("made/argnotes");
    let run = bare.run(ARGRAIL, &["add", "--json", "--yes", folder.to_str().unwrap()]);
    assert!(run.stdout.contains("it lists no method"), "{run}");
}

#[test]
fn packages_are_named_that_the_catalogue_or_a_receipt_has() {
    let home = Home::new();
    data(&home.run(ARGRAIL, &["new", "cli", "jq", "--json"]));
    let manifest = fs::read_to_string(home.work().join(".cli/jq/CLI.md")).unwrap();
    assert!(manifest.contains("{ method: apt, package: jq }"), "{manifest}");

    // cargo's own list beside the program.
    let home = Home::new().tool("argnotes", NOTES);
    let list = "[v1]\n\"argnotes-cli 3.1.4 (registry+https://x.test)\" = [\"argnotes\"]\n";
    fs::write(home.root().join(".crates.toml"), list).unwrap();
    let made = data(&home.run(ARGRAIL, &["new", "cli", "argnotes", "--json"]));
    assert_eq!(made["unfinished"], serde_json::json!([]));
    let manifest = fs::read_to_string(home.work().join(".cli/argnotes/CLI.md")).unwrap();
    assert!(
        manifest.contains("{ method: cargo, package: argnotes-cli }"),
        "{manifest}"
    );
}

#[test]
fn what_was_inferred_becomes_tools() {
    let home = home();
    let run = home.run(
        ARGRAIL,
        &["infer", "argnotes", "--save", "--json", "--timeout", "50s"],
    );
    assert_eq!(run.exit, Some(0), "{run}");
    let run = home.run(ARGRAIL, &["new", "cli", "argnotes", "--dir", "made", "--json"]);
    let files = data(&run)["files"].clone();
    assert_eq!(
        files,
        serde_json::json!(["CLI.md", "tools/empty/TOOL.md", "tools/list/TOOL.md"])
    );
    let empty = fs::read_to_string(home.work().join("made/argnotes/tools/empty/TOOL.md")).unwrap();
    assert!(empty.contains("approval: always"), "{empty}");
    assert_eq!(codes(&home, "made"), ["cli/unfinished"]);
}

#[test]
fn a_known_tool_needs_no_program() {
    let home = Home::new();
    let run = home.run(ARGRAIL, &["new", "cli", "jq", "--json"]);
    assert_eq!(data(&run)["bundle"], ".cli/jq");
    let errors: Vec<Value> = findings(&home, ".cli")
        .into_iter()
        .filter(|one| one["severity"] == "error")
        .collect();
    assert_eq!(errors, [] as [Value; 0]);
}

#[test]
fn nothing_is_overwritten() {
    let home = home().file("made/argnotes/CLI.md", "mine\n");
    let run = home.run(ARGRAIL, &["new", "cli", "argnotes", "--dir", "made"]);
    assert_snapshot!(run, @r#"
    exit: 2
    --- stdout
    --- stderr
    argrail: Invalid argument: 'made/argnotes' is there already, and nothing is overwritten
    argrail: Name another folder with --dir DIR, or move the old bundle away
    "#);
    let kept = fs::read_to_string(home.work().join("made/argnotes/CLI.md")).unwrap();
    assert_eq!(kept, "mine\n");
}

#[test]
fn a_name_that_nobody_knows_is_refused() {
    let run = Home::new().run(ARGRAIL, &["new", "cli", "no-such-program", "--json"]);
    let envelope: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(envelope["error"]["code"], "COMMAND_NOT_FOUND", "{run}");
    assert!(!Home::new().work().join(".cli").exists());
}
