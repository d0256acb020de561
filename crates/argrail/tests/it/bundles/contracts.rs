//! What a contract says beyond its inputs: meanings of exit codes, streams, entries, remarks.

use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{CLI, LIST, PROGRAM, call, done, executable, project};
use crate::ARGRAIL;

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("none")
}

/// A trusted project whose program is this.
fn with(cli: &str, program: &str) -> Home {
    let home = project().file(".cli/notes/CLI.md", cli).tool("notes", program);
    done(&home, &["trust", "--yes", "."]);
    home
}

fn program(acts: &str) -> String {
    format!("#!/bin/sh\n[ \"$1\" = --version ] && {{ echo notes 1.4.2; exit; }}\n{acts}\n")
}

#[test]
fn words_for_exit_codes_are_kept_and_137_is_killed() {
    let cli = CLI.replace("5: not_found", "5: not_found, 9: rate_limited");
    for (exit, meaning, says) in [
        (9, "rate_limited", "'rate_limited'"),
        (137, "killed", "was killed"),
    ] {
        let home = with(&cli, &program(&format!("exit {exit}")));
        let answer = call(&home, "notes list");
        assert_eq!(code(&answer), "EXECUTION_ERROR", "{answer}");
        assert_eq!(answer["error"]["meaning"], meaning, "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(says), "{answer}");
    }
}

#[test]
fn streams_keep_their_names_wherever_the_results_are() {
    let turned = CLI.replace(
        "  json_flag: --json\n",
        "  json_flag: --json\n  stream: stderr\n  error_stream: stdout\n",
    );
    let home = with(&turned, &program("echo '[{\"id\":1}]' >&2; echo working"));
    assert_eq!(call(&home, "notes list")["data"], json!([{"id": 1}]));
    let home = with(&turned, &program("echo 'it broke'; echo aside >&2; exit 1"));
    let output = call(&home, "notes list")["error"]["output"].clone();
    assert_eq!(
        (&output["stdout"], &output["stderr"]),
        (&json!("it broke\n"), &json!("aside\n"))
    );
    // What is not data is told under the name of its stream.
    let home = with(&turned, &program("echo nonsense >&2"));
    let answer = call(&home, "notes list");
    assert_eq!(code(&answer), "OUTPUT_PARSE_FAILED", "{answer}");
    assert_eq!(answer["error"]["output"]["stderr"], "nonsense\n", "{answer}");
    let mixed = turned.replace("stream: stderr\n", "stream: mixed\n");
    let home = with(&mixed, &program("echo '[{\"id\":2}]' >&2"));
    assert_eq!(call(&home, "notes list")["data"], json!([{"id": 2}]));
}

#[test]
fn an_entry_that_disagrees_with_the_front_matter_is_warned_about() {
    let entry = r#"#!/bin/sh
read -r asked
case "$asked" in
  *describe*) echo '{"result":{"id":"others","bin":"notes","tags":["x"],"hooks":["parseOutput"]}}' ;;
  *parseOutput*) echo '{"result":{"ok":true,"value":{"up":3}}}' ;;
  *) echo '{"unsupported":true}' ;;
esac
"#;
    let cli = CLI.replace("commands:\n", "entry: ./entry.sh\ncommands:\n");
    let home = project()
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/entry.sh", entry)
        .tool("notes", PROGRAM);
    executable(&home, ".cli/notes/entry.sh");
    done(&home, &["trust", "--yes", "."]);
    let answer = call(&home, "notes list");
    assert_eq!(answer["data"], json!({"up": 3}), "{answer}");
    let warned = answer["_meta"]["warnings"].as_array().unwrap();
    let fields: Vec<&str> = warned
        .iter()
        .filter_map(|text| text.as_str()?.split(':').next())
        .collect();
    assert_eq!(fields, ["id", "tags"], "{answer}");
}

/// `cli.ts` needs a node that takes types away; `cli.mjs` is found in the same way. Without a node nothing is lost but
/// the entry: nothing names it.
#[test]
fn an_entry_beside_the_manifest_needs_no_name() {
    let module = "import { defineCli } from 'argrail';\n\
        export default defineCli({ id: 'notes', name: 'Notes', description: 'Keeps notes in files of a folder.', bin: 'notes',\n\
          parseOutput() { return { ok: true, value: { by: 'entry' } }; } });\n";
    let home = project()
        .file(".cli/notes/cli.mjs", module)
        .tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    let plain = call(&home, "notes list");
    assert_eq!(plain["data"][0]["words"], "list --limit=10 --json", "{plain}");
    let places = ["/usr/local/bin", "/usr/bin", "/bin"];
    let Some(node) = places
        .iter()
        .find(|place| std::path::Path::new(place).join("node").exists())
    else {
        return;
    };
    let path = format!("{}:{node}", home.bin().display());
    let home = home.env("PATH", path);
    let answer = call(&home, "notes list");
    assert_eq!(answer["data"], json!({"by": "entry"}), "{answer}");
    assert_eq!(answer["_meta"]["warnings"], Value::Null, "{answer}");
}

#[test]
fn examples_tags_and_gotchas_reach_help_and_search() {
    let cli = CLI
        .replace("tags: [notes]", "tags: [stationery]")
        .replace("A note of no words is none.", "A palimpsest is\n  overwritten.");
    let list = format!("{LIST}## Gotchas\n- Sorted by whim.\n");
    let home = project()
        .file(".cli/notes/CLI.md", &cli)
        .file(".cli/notes/tools/list/TOOL.md", &list)
        .tool("notes", PROGRAM);
    done(&home, &["trust", "--yes", "."]);
    let help = call(&home, "help notes")["data"].clone();
    assert_eq!(help["examples"], json!(["notes list"]), "{help}");
    assert_eq!(help["notes"], json!(["A palimpsest is overwritten."]), "{help}");
    assert_eq!(help["tags"], json!(["stationery"]), "{help}");
    assert_eq!(
        call(&home, "help notes list")["data"]["notes"],
        json!(["Sorted by whim."])
    );
    let found = |query: &str| {
        let run = home.run(ARGRAIL, &["search", query, "--json"]).json();
        run["data"]["hits"][0]["command"].clone()
    };
    assert_eq!(found("stationery"), "notes");
    assert_eq!(found("palimpsest"), "notes");
    assert_eq!(found("whim"), "notes list");
}

#[test]
fn lint_knows_inputs_that_nobody_declares() {
    let bare = LIST
        .replace("  properties:\n", "")
        .replace(
            "    limit: { type: integer, minimum: 1, description: How many. }\n",
            "",
        )
        .replace("    all: { type: boolean }\n", "");
    let home = project().file(".cli/notes/tools/list/TOOL.md", &bare);
    let run = home.run(ARGRAIL, &["lint", "--json", ".cli/notes"]);
    assert!(
        run.stdout
            .contains("expected one of its inputs, got \\\"limit\\\""),
        "{run}"
    );
    assert_eq!(run.exit, Some(1), "{run}");
}
