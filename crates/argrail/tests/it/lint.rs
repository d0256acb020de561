//! `argrail lint`: what a person, a program and a review tool are told about files, and what `--fix` changes.

use std::os::unix::fs::{PermissionsExt, symlink};

use argrail_testkit::Home;
use insta::assert_snapshot;
use serde_json::json;

use crate::ARGRAIL;

const FLAWED: &str = r#"{
  "atip": "0.1",
  "name": "demo",
  "version": "1.0.0",
  "description": "Demonstrates",
  "commands": {
    "run": {
      "description": "Runs it",
      "effects": {"network": "false"},
      "options": [
        {"name": "level", "flags": ["-l", "--level"], "type": "int", "default": 1, "description": "How much"},
        {"name": "log", "flags": ["-l"], "type": "file", "description": "Where to"}
      ]
    }
  }
}
"#;

#[test]
fn a_person_sees_the_line_and_the_place() {
    let home = Home::new().file("demo.json", FLAWED);
    assert_snapshot!(home.run(ARGRAIL, &["lint", "demo.json"]), @r#"
    exit: 1
    --- stdout
    demo.json:9:30: error[doc/wrong-type]: commands.run.effects.network: expected true or false without quotes, got "false"
     9 |       "effects": {"network": "false"},
       |                              ^^^^^^^
       = hint: Without the quotes it counts; as it is, it does not
    demo.json:11:63: warning[atip/unknown-type]: commands.run.options[0].type: "int" is written "integer"
     11 |         {"name": "level", "flags": ["-l", "--level"], "type": "int", "default": 1, "description": "How much"},
        |                                                               ^^^^^
    demo.json:12:35: error[consistency/duplicate-flag]: two options have the flag "-l"
     12 |         {"name": "log", "flags": ["-l"], "type": "file", "description": "Where to"}
        |                                   ^^^^
        = hint: leave it to one of them
    --- stderr
    argrail: 1 file, 2 errors, 1 warning, 0 notes
    "#);
}

#[test]
fn a_program_gets_one_object_per_file() {
    let home = Home::new()
        .file("demo.json", r#"{"atip": "0.1", "name": "demo", "title": 7}"#)
        .file("broken.json", "{\n  \"atip\": \n}");
    assert_snapshot!(home.run(ARGRAIL, &["lint", "--format", "json", "demo.json", "broken.json"]), @r#"
    exit: 1
    --- stdout
    {
      "files": [
        {
          "diagnostics": [
            {
              "code": "atip/missing",
              "column": 1,
              "line": 1,
              "message": "the tool has no \"version\"",
              "severity": "warning"
            },
            {
              "code": "atip/missing",
              "column": 1,
              "line": 1,
              "message": "the tool has no \"description\"",
              "severity": "warning"
            },
            {
              "code": "quality/nothing-to-call",
              "column": 1,
              "hint": "add \"commands\"",
              "line": 1,
              "message": "no command is described, so an agent cannot tell what to call",
              "severity": "note"
            },
            {
              "code": "doc/wrong-type",
              "column": 42,
              "hint": "It does not count as it is; argrail lint --schema atip says what the field takes",
              "line": 1,
              "message": "title: expected a string, got 7",
              "severity": "error"
            }
          ],
          "file": "demo.json",
          "kind": "atip",
          "ok": false
        },
        {
          "diagnostics": [
            {
              "code": "doc/syntax",
              "column": 1,
              "hint": "look at what stands before it: a comma, a quote or a bracket may be missing",
              "line": 3,
              "message": "expected a value, got '}'",
              "severity": "error"
            }
          ],
          "file": "broken.json",
          "kind": "unknown",
          "ok": false
        }
      ]
    }
    --- stderr
    "#);
    let enveloped = home.run(ARGRAIL, &["lint", "--json", "demo.json", "broken.json"]);
    let plain = home.run(ARGRAIL, &["lint", "--format", "json", "demo.json", "broken.json"]);
    assert_eq!(enveloped.json()["data"], plain.json());
    assert_eq!((enveloped.exit, plain.exit), (Some(1), Some(1)));
}

#[test]
fn a_review_tool_gets_a_log_with_relative_names() {
    let home = Home::new().file(
        "shims/demo.json",
        r#"{"atip": "0.1", "name": "demo", "title": 7}"#,
    );
    let named = home.work().join("shims/demo.json");
    let run = home.run(ARGRAIL, &["lint", "--format", "sarif", named.to_str().unwrap()]);
    let log = run.json();
    assert_eq!(log["version"], "2.1.0", "{run}");
    let result = log["runs"][0]["results"].as_array().unwrap().last().unwrap();
    assert_eq!(result["ruleId"], "doc/wrong-type", "{run}");
    assert_eq!(
        result["locations"][0]["physicalLocation"],
        json!({
            "artifactLocation": {"uri": "shims/demo.json"},
            "region": {"startLine": 1, "startColumn": 42, "endLine": 1, "endColumn": 43},
        })
    );
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    assert!(
        rules
            .iter()
            .all(|rule| rule["fullDescription"]["text"].is_string()),
        "{run}"
    );
    assert_eq!(run.exit, Some(1), "a wrong type is an error");
}

#[test]
fn strict_is_the_draft_to_the_letter() {
    let home = Home::new().file(
        "demo.json",
        r#"{"atip": "0.1", "name": "demo", "description": "Demonstrates", "commands": {"": {"description": "Runs", "effects": {"network": false}}}}"#,
    );
    let run = |args: &[&str]| home.run(ARGRAIL, args).exit;
    assert_eq!(run(&["lint", "demo.json"]), Some(0));
    assert_eq!(run(&["lint", "demo.json", "--strict"]), Some(1));
}

#[test]
fn fixing_changes_the_file_and_says_what() {
    let home = Home::new().file("demo.json", FLAWED);
    let file = home.work().join("demo.json");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("demo.json", home.work().join("link.json")).unwrap();
    assert_snapshot!(home.run(ARGRAIL, &["lint", "--fix", "link.json"]), @r#"
    exit: 1
    --- stdout
    link.json:12:35: error[consistency/duplicate-flag]: two options have the flag "-l"
     12 |         {"name": "log", "flags": ["-l"], "type": "file", "description": "Where to"}
        |                                   ^^^^
        = hint: leave it to one of them
    --- stderr
    argrail: link.json:9:30: mended [doc/wrong-type]: commands.run.effects.network: expected true or false without quotes, got "false"
    argrail: link.json:11:63: mended [atip/unknown-type]: commands.run.options[0].type: "int" is written "integer"
    argrail: 1 file, 1 error, 0 warnings, 0 notes
    "#);
    let mended = FLAWED
        .replace("\"false\"", "false")
        .replace("\"int\"", "\"integer\"");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), mended);
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    assert!(home.work().join("link.json").is_symlink());
    assert_eq!(
        std::fs::read_dir(home.work()).unwrap().count(),
        2,
        "nothing is left beside it"
    );

    let again = home
        .run(ARGRAIL, &["lint", "--fix", "--json", "demo.json"])
        .json();
    assert_eq!(again["data"]["files"][0]["mended"], 0, "{again}");
}

#[test]
fn a_directory_is_searched_without_waiting_or_leaving_it() {
    let home = Home::new()
        .file(
            "data/shims/demo.json",
            r#"{"atip": "0.1", "name": "other", "description": "D"}"#,
        )
        .file("data/overrides/gh.json", r#"{"effects": {"network": true}}"#)
        .file("data/overrides/torn.json", "{")
        .file("data/package.json", r#"{"name": "web"}"#)
        .file("data/tsconfig.json", "{ // comment\n}")
        .file("data/.git/config.json", "{")
        .file("data/notes.txt", "{")
        .file("outside/config.json", "{");
    let folder = home.work().join("data");
    symlink(home.work().join("outside"), folder.join("away")).unwrap();
    symlink("/dev/zero", folder.join("endless.json")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("wait.json"), rustix::fs::Mode::RWXU).unwrap();
    let run = home.run(ARGRAIL, &["lint", "--json", "data"]);
    let answer = run.json();
    let files: Vec<_> = answer["data"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            (
                file["file"].as_str().unwrap(),
                file["kind"].as_str().unwrap(),
                file["ok"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        files,
        [
            ("data/overrides/gh.json", "atip", true),
            ("data/overrides/torn.json", "atip", false),
            ("data/shims/demo.json", "atip", true),
        ],
        "{run}"
    );
    // Named by itself, a file that is none of ours is an error.
    assert_snapshot!(home.run(ARGRAIL, &["lint", "data/package.json"]), @r#"
    exit: 1
    --- stdout
    data/package.json:1:1: error[lint/unknown-kind]: it is none of the kinds of file that are known: atip, patterns, config, registry, trust, cache-entry, tools.json, cli, tool, secrets, intent, runner, driver, sandbox, agent-cli, acp
     1 | {"name": "web"}
       | ^
       = hint: metadata has the field "atip"; a configuration is called config.json
    --- stderr
    argrail: 1 file, 1 error, 0 warnings, 0 notes
    "#);
    let run = home.run(ARGRAIL, &["lint", "data/wait.json"]);
    assert!(
        run.exit == Some(1) && run.stderr.contains("not a regular file"),
        "{run}"
    );
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let home = Home::new();
    assert_snapshot!(home.run(ARGRAIL, &["lint", "nope.json", "--json"]), @r#"
    exit: 2
    --- stdout
    {
      "_meta": {
        "command": "lint"
      },
      "error": {
        "code": "VALIDATION_ERROR",
        "hint": "Name a file or a directory that exists; argrail lint --help shows how",
        "message": "Invalid argument: there is no file 'nope.json'"
      },
      "success": false
    }
    --- stderr
    "#);
    assert_eq!(home.run(ARGRAIL, &["lint"]).exit, Some(2));
    assert_snapshot!(home.run(ARGRAIL, &["lint", "--schema", "nope"]), @r#"
    exit: 2
    --- stdout
    --- stderr
    error: invalid value 'nope' for '--schema <KIND>': expected one of atip, patterns, config, registry, trust, cache-entry, tools.json, cli, tool, secrets, intent, runner, driver, sandbox, agent-cli, acp

    For more information, try '--help'.
    "#);
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let home = Home::new().file(
        "demo.json",
        "{\"atip\": \"0.1\", \"name\": \"demo\", \"description\": \"\u{202e}evil \u{9b}31m\", \"title\": 7}",
    );
    let run = home.run(ARGRAIL, &["lint", "demo.json"]);
    assert!(run.stdout.contains("safety/hidden-characters"), "{run}");
    assert!(!run.stdout.contains(['\u{202e}', '\u{9b}']), "{run}");
}

#[test]
fn schemas_are_printed() {
    let home = Home::new();
    let plain = home.run(ARGRAIL, &["lint", "--schema", "atip"]).json();
    let strict = home
        .run(ARGRAIL, &["lint", "--schema", "atip", "--strict", "--json"])
        .json();
    assert_eq!(plain["$id"], "urn:argrail:schema:atip");
    assert_eq!(strict["data"]["$id"], "urn:argrail:schema:atip:strict");
    for kind in ["patterns", "config", "registry", "trust", "cache-entry"] {
        assert_eq!(home.run(ARGRAIL, &["lint", "--schema", kind]).exit, Some(0));
    }
}
