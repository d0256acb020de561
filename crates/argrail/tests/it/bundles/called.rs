//! The tools of a bundle answer: typed inputs in, parsed output out, in the bundle's sandbox.

use std::fs;

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{LIST, PROGRAM, call, done, project};
use crate::ARGRAIL;

fn trusted() -> Home {
    let home = project().tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    home
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("none")
}

#[test]
fn a_contract_gives_parsed_output() {
    let home = trusted().env("NOTES_STYLE", "plain");
    let answer = call(&home, "notes list --limit 2 --all");
    assert_eq!(
        answer["data"],
        json!([{"id": 1, "words": "list --limit=2 --all --json", "quiet": "1", "style": "plain"}]),
        "{answer}"
    );
    assert_eq!(answer["_meta"]["untrusted"], true);
    let answer = call(&home, "notes list");
    assert_eq!(answer["data"][0]["words"], "list --limit=10 --json");
    let answer = call(&home, "notes note show 3");
    assert_eq!(answer["data"], json!({"id": 3, "text": "x"}));
}

#[test]
fn the_schema_of_a_tool_has_bounds_and_its_output() {
    let answer = call(&trusted(), "schema notes list");
    let data = &answer["data"];
    let limit = json!({"type": "integer", "minimum": 1, "description": "How many."});
    assert_eq!(data["inputSchema"]["properties"]["limit"], limit, "{answer}");
    let outputs = json!({"type": "array", "items": {"type": "object", "required": ["id"]}});
    assert_eq!(data["outputSchema"], outputs, "{answer}");
    let answer = call(&trusted(), "schema notes note add");
    assert_eq!(
        answer["data"]["inputSchema"]["required"],
        json!(["text"]),
        "{answer}"
    );
}

#[test]
fn inputs_are_held_against_the_schema() {
    let home = trusted();
    let check = |command: &str, names: &str| {
        let answer = call(&home, command);
        assert_eq!(code(&answer), "VALIDATION_ERROR", "{command}: {answer}");
        let text = answer["error"].to_string();
        assert!(text.contains(names), "{command}: {answer}");
    };
    check("notes list --limit 0", "limit");
    check("notes list --limit many", "limit");
    check("notes list --lmit 2", "--limit");
    check("notes note show", "id");
    check("notes note show -- --version", "id");
    let answer = call(&home, "notes frobnicate");
    assert_eq!(code(&answer), "COMMAND_NOT_FOUND", "{answer}");
}

#[test]
fn outputs_are_held_against_the_schema_and_exit_codes_are_read() {
    let home = trusted();
    let check = |command: &str, want: &str| {
        let answer = call(&home, command);
        assert_eq!(code(&answer), want, "{command}: {answer}");
    };
    check("notes list --limit 3", "OUTPUT_PARSE_FAILED");
    check("notes list --limit 4", "OUTPUT_PARSE_FAILED");
    let answer = call(&home, "notes note show 7");
    assert_eq!(
        (code(&answer), &answer["error"]["meaning"]),
        ("EXECUTION_ERROR", &json!("not_found"))
    );
}

#[test]
fn a_read_cannot_write_and_a_change_asks() {
    let home = trusted();
    let answer = call(&home, "notes list --limit 5");
    assert_eq!(
        answer["error"]["tried"][0]["target"], "./notes/sneaky",
        "{answer}"
    );
    assert!(!home.work().join("notes/sneaky").exists());
    let answer = call(&home, "notes note add milk");
    assert_eq!(
        (code(&answer), &answer["error"]["reason"]),
        ("PERMISSION_DENIED", &json!("approval_required")),
        "{answer}"
    );
    assert_eq!(fs::read_to_string(home.work().join("notes/all")).unwrap(), "");
}

#[test]
fn a_bundle_runs_nothing_before_its_project_is_trusted() {
    let home = project();
    let mark = home.work().join("notes/started");
    let marked = PROGRAM.replace("#!/bin/sh\n", &format!("#!/bin/sh\n: > {}\n", mark.display()));
    let home = home.file(".cli/notes/bin/notes", &marked);
    let answer = call(&home, "notes list");
    assert_eq!(code(&answer), "COMMAND_NOT_FOUND", "{answer}");
    let listed = home.run(ARGRAIL, &["list", "--json"]).json();
    let tools = listed["data"]["tools"].as_array().unwrap();
    assert!(
        tools
            .iter()
            .any(|tool| tool["name"] == "notes" && tool["trust"] == "untrusted"),
        "{listed}"
    );
    assert!(!mark.exists());
}

#[test]
fn a_bundle_that_changed_is_a_strangers_again() {
    let home = trusted();
    assert_eq!(call(&home, "notes list")["success"], true);
    let home = home.file(
        ".cli/notes/tools/list/TOOL.md",
        &LIST.replace("Lists the notes.", "Lists."),
    );
    let answer = call(&home, "notes list");
    assert_ne!(answer["success"], true, "{answer}");
}

#[test]
fn help_and_schema_show_the_contract() {
    let home = trusted();
    let help = call(&home, "help notes list").to_string();
    assert!(help.contains("--limit") && help.contains("How many."), "{help}");
    let help = call(&home, "help notes").to_string();
    assert!(help.contains("Keeps notes in files of a folder."), "{help}");
    let found = home.run(ARGRAIL, &["search", "lists notes", "--json"]).json();
    assert_eq!(found["data"]["hits"][0]["command"], "notes list", "{found}");
}

#[test]
fn the_record_names_the_bundle_and_its_major() {
    let home = trusted();
    call(&home, "notes list");
    let shown = home.run(ARGRAIL, &["audit", "show", "--json"]).json();
    let entries = shown["data"]["entries"].as_array().unwrap();
    let ours = entries
        .iter()
        .find(|entry| entry["metadata"]["cli_id"] == "notes@1");
    let ours = ours.unwrap_or_else(|| panic!("{shown}"));
    assert_eq!(ours["metadata"]["subcommand"], "list");
}

#[test]
fn a_tool_is_called_by_its_id_and_a_json_object() {
    let home = trusted();
    let check = |tool: &str, input: &str, want: Value| {
        let run = home.run(ARGRAIL, &["call", "--tool", tool, "--input", input]);
        assert_eq!(run.json()["data"], want, "{run}");
    };
    check("notes.show", r#"{"id":3}"#, json!({"id": 3, "text": "x"}));
    check("notes note show", r#"{"id":4}"#, json!({"id": 4, "text": "x"}));
    let run = home.run(
        ARGRAIL,
        &[
            "call",
            "--tool",
            "notes.list",
            "--input",
            r#"{"limit":2,"all":true}"#,
        ],
    );
    assert_eq!(
        run.json()["data"][0]["words"],
        "list --limit=2 --all --json",
        "{run}"
    );
    let run = home.run(
        ARGRAIL,
        &["call", "--tool", "notes.list", "--input", r#"{"limit":"two"}"#],
    );
    assert_eq!(run.json()["error"]["code"], "VALIDATION_ERROR", "{run}");
}

#[test]
fn what_can_be_repeated_is_tried_again() {
    let again = LIST.replace(
        "runner:",
        "idempotent: true\nretry: { max_attempts: 3, backoff: fixed, initial_ms: 1 }\nrunner:",
    );
    let failing = "#!/bin/sh\n[ \"$1\" = --version ] && { echo notes 1.4.2; exit; }\necho no >&2\nexit 1\n";
    let home = project()
        .file(".cli/notes/tools/list/TOOL.md", &again)
        .tool("notes", failing);
    done(&home, &["trust", "--yes", "."]);
    assert_eq!(code(&call(&home, "notes list")), "EXECUTION_ERROR");
    let shown = home.run(ARGRAIL, &["audit", "show", "--json"]).json();
    let entries = shown["data"]["entries"].as_array().unwrap();
    let begun = entries
        .iter()
        .filter(|entry| entry["action"] == "cli.intended")
        .count();
    assert_eq!(begun, 3, "{shown}");
}

#[test]
fn an_entry_says_what_the_output_means() {
    let entry = r#"#!/bin/sh
read -r asked
case "$asked" in
  *parseOutput*note*) echo '{"result":{"ok":false,"error":{"code":"down","message":"it is down"}}}' ;;
  *parseOutput*) echo '{"result":{"ok":true,"value":{"up":3}}}' ;;
  *) echo '{"unsupported":true}' ;;
esac
"#;
    let cli = super::ground::CLI.replace("commands:\n", "entry: ./entry.sh\ncommands:\n");
    let home = project()
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/entry.sh", entry)
        .tool("notes", PROGRAM);
    super::ground::executable(&home, ".cli/notes/entry.sh");
    done(&home, &["trust", "--yes", "."]);
    let answer = call(&home, "notes list");
    assert_eq!(answer["data"], json!({"up": 3}), "{answer}");
    let home = home.tool("notes", &PROGRAM.replace("printf '{", "printf '{\"note\":1,"));
    let answer = call(&home, "notes note show 3");
    assert_eq!(answer["error"]["output"]["error"]["code"], "down", "{answer}");
}

const INTENT: &str = r#"---
name: See a note
id: notes.see
label: See a note
description: Shows one note, or all of them.
version: 1.0.0
intent: [show me a note]
surfaces: [chat]
inputs:
  - { name: id, label: Which, type: number }
implements:
  - { tool: ../../tools/show/TOOL.md, when: { id: { gt: 0 } } }
  - { tool: ../../tools/list/TOOL.md, default: true }
---
"#;

#[test]
fn an_intent_leads_to_the_command_that_does_it() {
    let cli = super::ground::CLI.replace("tags:", "intents:\n  - { ref: ./intents/see/INTENT.md }\ntags:");
    let home = project()
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/intents/see/INTENT.md", INTENT)
        .tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    let listed = call(&home, "x-intent");
    assert_eq!(listed["data"]["intents"][0]["id"], "notes.see", "{listed}");
    let led = call(&home, "x-intent notes.see --var id=3");
    assert_eq!(led["data"]["command"], "notes note show 3", "{led}");
    assert_eq!(call(&home, "notes note show 3")["data"]["id"], 3);
    assert_eq!(call(&home, "x-intent notes.see")["data"]["command"], "notes list");
    let missing = call(&home, "x-intent notes.sea");
    assert_eq!(code(&missing), "COMMAND_NOT_FOUND", "{missing}");
    assert!(
        missing["error"]["hint"].as_str().unwrap().contains("notes.see"),
        "{missing}"
    );
}

#[test]
fn a_command_without_a_contract_comes_from_the_catalogue_under_the_bundles_rules() {
    let cli = super::ground::CLI
        .replace("id: notes", "id: wc")
        .replace("bin: notes", "bin: wc")
        .replace("notes --version", "wc --version")
        .replace("notes (", "coreutils\\) (")
        .replace(">=1.2 <2", ">=8")
        .replace("read: [\"**\"]", "read: [\"open/**\"]");
    let tool = |text: &str| text.replace("id: notes.", "id: wc.");
    let home = Home::new()
        .file(".cli/wc/CLI.md", &cli.replace("notes list", "wc list"))
        .file(".cli/wc/tools/list/TOOL.md", &tool(LIST))
        .file(".cli/wc/tools/add/TOOL.md", &tool(super::ground::ADD))
        .file(".cli/wc/tools/show/TOOL.md", &tool(super::ground::SHOW))
        .file(".cli/wc/bin/notes", PROGRAM)
        .file("open/words", "milk\n")
        .file("shut/words", "bread\n")
        .env("PATH", "/usr/bin:/bin");
    done(&home, &["trust", "--yes", "."]);
    let answer = call(&home, "wc -c open/words");
    assert_eq!(answer["data"]["stdout"], "5 open/words\n", "{answer}");
    // Inputs that are closed have no others, whoever knows the program.
    let answer = call(&home, "wc list -c");
    assert_eq!(code(&answer), "VALIDATION_ERROR", "{answer}");
    // The words of a contract's command that an open contract lacks are the program's own.
    let open = LIST.replace("  additionalProperties: false\n", "");
    let home = home.file(".cli/wc/tools/list/TOOL.md", &tool(&open));
    done(&home, &["trust", "--yes", "."]);
    let answer = call(&home, "wc list -c");
    assert_ne!(code(&answer), "VALIDATION_ERROR", "{answer}");
    // So they are where the contract would want more; its own words want it.
    let more = open.replace("outputs:", "  required: [limit]\noutputs:");
    let home = home.file(".cli/wc/tools/list/TOOL.md", &tool(&more));
    done(&home, &["trust", "--yes", "."]);
    let answer = call(&home, "wc list -c");
    assert_ne!(code(&answer), "VALIDATION_ERROR", "{answer}");
    let answer = call(&home, "wc list --all");
    assert_eq!(code(&answer), "VALIDATION_ERROR", "{answer}");
    let told = call(&home, "schema wc list");
    assert_eq!(
        told["data"]["inputSchema"]["required"],
        json!(["limit"]),
        "{told}"
    );
    // What the bundle's sandbox does not name is not there, whatever the catalogue would allow.
    let answer = call(&home, "wc -c shut/words");
    assert_eq!(code(&answer), "EXECUTION_ERROR", "{answer}");
}

#[test]
fn a_call_takes_no_longer_than_its_contract_says() {
    let slow = "#!/bin/sh\n[ \"$1\" = --version ] && { echo notes 1.4.2; exit; }\nwhile :; do :; done\n";
    let short = LIST.replace("runner:", "timeout_ms: 300\nrunner:");
    let home = project()
        .file(".cli/notes/tools/list/TOOL.md", &short)
        .tool("notes", slow);
    done(&home, &["trust", "--yes", "."]);
    assert_eq!(code(&call(&home, "notes list")), "TIMEOUT");
}

#[test]
fn a_mistake_in_a_manifest_is_told_and_hides_no_command() {
    let wrong = |file: &str, text: &str| project().file(&format!(".cli/notes/{file}"), text);
    let docker = super::ground::CLI.replace("commands:\n", "runner: { engine: docker }\ncommands:\n");
    let unclosed = LIST.replace("argv: [list,", "argv: [[list,");
    for (home, about) in [
        (wrong("CLI.md", &docker), "docker"),
        (wrong("tools/list/TOOL.md", &unclosed), "TOOL.md"),
    ] {
        let run = done(&home, &["trust", "--yes", "."]);
        assert!(run.stderr.contains(about), "{about}: {run}");
        let answer = call(&home, "notes list");
        assert_eq!(code(&answer), "EXECUTION_ERROR", "{about}: {answer}");
        assert!(answer.to_string().contains("cannot be used"), "{about}: {answer}");
        let trusted = home.run(ARGRAIL, &["trust", "--json", "."]).json();
        assert_eq!(
            trusted["data"]["problems"].as_array().unwrap().len(),
            1,
            "{trusted}"
        );
    }
    // Before anybody accepts the project, it has no word: nor has what is wrong with it.
    let strange = wrong("CLI.md", &docker);
    assert_eq!(code(&call(&strange, "notes list")), "COMMAND_NOT_FOUND");
}

#[test]
fn an_entry_that_cannot_run_here_is_told() {
    let home = project()
        .tool("notes", PROGRAM)
        .file(".cli/notes/cli.ts", "export default defineCli({});\n");
    done(&home, &["trust", "--yes", "."]);
    // No node is on the search path.
    let answer = call(&home, "notes list");
    assert_eq!(answer["success"], true, "{answer}");
    let warnings = answer["_meta"]["warnings"].to_string();
    assert!(
        warnings.contains("cli.ts") && warnings.contains("without it"),
        "{answer}"
    );
    let lint = home.run(ARGRAIL, &["lint", ".cli/notes"]);
    assert!(lint.stdout.contains("bundle/entry-types"), "{lint}");
}

#[test]
fn output_that_cannot_be_used_is_shown() {
    let home = trusted();
    let mismatch = call(&home, "notes list --limit 4");
    assert_eq!(code(&mismatch), "OUTPUT_PARSE_FAILED", "{mismatch}");
    assert_eq!(mismatch["error"]["output"]["stdout"], "[{}]\n", "{mismatch}");
    let cli = super::ground::CLI.replace("bin: notes\n", "bin: notes\nentry: ./entry.sh\n");
    let home = project()
        .tool("notes", PROGRAM)
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/entry.sh", "#!/bin/sh\necho 5\n");
    super::ground::executable(&home, ".cli/notes/entry.sh");
    done(&home, &["trust", "--yes", "."]);
    let broken = call(&home, "notes list");
    assert_eq!(code(&broken), "OUTPUT_PARSE_FAILED", "{broken}");
    let error = &broken["error"];
    assert!(error["hint"].as_str().unwrap().contains("did run"), "{broken}");
    assert!(
        error["output"]["stdout"].as_str().unwrap().contains("\"id\":1"),
        "{broken}"
    );
}
