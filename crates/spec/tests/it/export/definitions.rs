//! What the definitions of the examples look like.

use argrail_spec::export::{Export, Format, Note, Strictness, Target, export};
use serde_json::{Value, json};

use super::rules;
use crate::example::{all, example};

fn one(name: &str, format: Format, strictness: Strictness, function: &str) -> Value {
    let export = export(&[example(name)], format, strictness);
    let list = match format {
        Format::Openai | Format::Anthropic | Format::Atip => &export.tools,
        Format::Gemini => &export.tools["functionDeclarations"],
        Format::Mcp => &export.tools["tools"],
    };
    let name = |tool: &&Value| tool["name"] == function || tool["function"]["name"] == function;
    list.as_array().unwrap().iter().find(name).unwrap().clone()
}

#[test]
fn every_example_keeps_every_providers_rules() {
    for format in Format::ALL {
        for strictness in [Strictness::Plain, Strictness::Strict] {
            let export = export(&all(), format, strictness);
            let broken = rules::broken(format, strictness, &export.tools);
            assert!(broken.is_empty(), "{format:?} {strictness:?}: {broken:#?}");
            assert!(export.names.len() > 20, "{format:?}: {}", export.names.len());
        }
    }
}

#[test]
fn names_lead_to_their_commands_and_do_not_depend_on_other_tools() {
    let whole = export(&all(), Format::Openai, Strictness::Plain).names;
    for tool in all() {
        for (name, target) in export(&[tool], Format::Mcp, Strictness::Plain).names {
            assert_eq!(whole.get(&name), Some(&target), "{name}");
        }
    }
    let target = |tool: &str, path: &[&str]| Target {
        tool: tool.to_owned(),
        path: path.iter().map(|word| (*word).to_owned()).collect(),
    };
    assert_eq!(whole["gh_pr_create"], target("gh", &["pr", "create"]));
    assert_eq!(whole["curl"], target("curl", &[]));
    assert_eq!(whole["gocount"], target("gocount", &[]));
}

#[test]
fn hidden_commands_are_left_out_and_deprecated_ones_are_marked() {
    let Export { names, .. } = export(&[example("fields")], Format::Openai, Strictness::Plain);
    assert_eq!(
        names.keys().collect::<Vec<_>>(),
        ["shelf_note_add", "shelf_note_show", "shelf_copy"]
    );
    let copy = one("fields", Format::Anthropic, Strictness::Plain, "shelf_copy");
    let description = copy["description"].as_str().unwrap();
    assert!(
        description.ends_with(
            "Effects (as claimed): [DEPRECATED] [NETWORK] [UNKNOWN: files, repeatable, destructive]"
        )
    );
}

#[test]
fn what_cannot_be_exported_is_noted() {
    use argrail_spec::atip::{Command, Metadata};
    let said = |tools: &[Metadata]| -> Vec<String> {
        let notes = export(tools, Format::Openai, Strictness::Plain).notes;
        let show = |note: &Note| {
            format!(
                "{} {}: {} {:?}",
                note.tool,
                note.path.join(" "),
                note.what,
                note.name
            )
        };
        notes.iter().map(show).collect()
    };
    let unwritable = "7z a: the option has no flag that can be written Some(\"unwritable\")";
    assert_eq!(said(&[example("odd_names")]), [unwritable]);
    // Metadata that never went through the loader.
    let tool = |name: &str, command: &str| Metadata {
        name: name.to_owned(),
        commands: [(command.to_owned(), Command::default())].into_iter().collect(),
        ..Metadata::default()
    };
    assert_eq!(
        said(&[tool("x", "two words"), tool("x", "--flag"), tool("../x", "y")]),
        [
            "x two words: the command's name cannot be written as a word None",
            "x --flag: the command's name cannot be written as a word None",
            "../x : the tool's name cannot be called None",
        ]
    );
    // Nobody could say which of the two is meant.
    let twice = export(
        &[tool("x", "y"), tool("x", "y")],
        Format::Openai,
        Strictness::Plain,
    );
    assert!(twice.names.is_empty() && twice.notes.len() == 2, "{twice:?}");
}

#[test]
fn what_a_tool_asks_a_person_reaches_no_model() {
    for format in [Format::Openai, Format::Anthropic, Format::Gemini, Format::Mcp] {
        let text = export(&[example("object_form")], format, Strictness::Plain)
            .tools
            .to_string();
        assert!(
            !text.contains("interactive") && !text.contains("password") && !text.contains("tty"),
            "{text}"
        );
    }
}

#[test]
fn openai_plain() {
    assert_eq!(
        one("fields", Format::Openai, Strictness::Plain, "shelf_note_add"),
        json!({"type": "function", "function": {
            "name": "shelf_note_add",
            "description": "Put a note on the shelf\nEffects (as claimed): [NETWORK] [CREATES: note] \
                            [MODIFIES: shelf] [NOT IDEMPOTENT] [NEEDS SIGN-IN]",
            "parameters": {
                "type": "object",
                "properties": {
                    "output": {
                        "type": "string", "enum": ["json", "yaml", "text"],
                        "description": "How answers are written", "default": "text",
                    },
                    "draft": {"type": "boolean", "description": "Keep it to yourself", "default": false},
                    "body": {"type": "string", "description": "Its text"},
                    "from-file": {
                        "type": "string", "format": "file-path", "description": "Read its text from a file",
                    },
                    "tags": {"type": "array", "items": {"type": "string"}, "description": "What it is about"},
                    "weight": {"type": "number", "description": "Where it is sorted"},
                    "meta": {
                        "type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"],
                        "description": "More about it",
                    },
                    "title": {"type": "string", "description": "Its title; asked for if absent"},
                },
                "additionalProperties": false,
            },
        }})
    );
}

#[test]
fn openai_strict() {
    let strict = one("fields", Format::Openai, Strictness::Strict, "shelf_copy");
    assert_eq!(strict["function"]["strict"], true);
    assert_eq!(
        strict["function"]["parameters"],
        json!({
            "type": "object",
            "properties": {
                "output": {
                    "type": ["string", "null"], "enum": ["json", "yaml", "text", null],
                    "description": "How answers are written",
                },
                "from": {"type": "string", "description": "Where from"},
                "to": {"type": "string", "description": "Where to"},
                "times": {"type": ["integer", "null"], "description": "How often"},
                "mode": {"type": ["string", "null"], "enum": ["fast", "safe", null], "description": "How"},
            },
            "required": ["output", "from", "to", "times", "mode"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn gemini_declares_in_its_subset() {
    let open = one(
        "object_form",
        Format::Gemini,
        Strictness::Plain,
        "vault-note_open",
    );
    assert_eq!(
        open["parameters"],
        json!({
            "type": "OBJECT",
            "properties": {
                "level": {"type": "STRING", "enum": ["1", "2", "3"], "description": "How far", "nullable": true},
                "colour": {"type": "BOOLEAN", "nullable": true},
            },
        })
    );
    let export = export(&[example("odd_names")], Format::Gemini, Strictness::Plain);
    let list = export.tools["functionDeclarations"].as_array().unwrap();
    assert!(
        list.iter()
            .all(|tool| tool["name"].as_str().unwrap().starts_with("_7z_"))
    );
}

#[test]
fn mcp_says_only_what_is_known() {
    let show = one("fields", Format::Mcp, Strictness::Plain, "shelf_note_show");
    assert_eq!(show["title"], "Shelf note show");
    assert_eq!(
        show["annotations"],
        json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true})
    );
    assert_eq!(
        show["inputSchema"]["properties"]["id"],
        json!({"type": "array", "items": {"type": "string", "pattern": "^[a-z0-9]{4,}$"}, "minItems": 1, "description": "Which ones"})
    );
    let list = one("gh", Format::Mcp, Strictness::Plain, "gh_pr_list");
    assert_eq!(
        list["annotations"],
        json!({"idempotentHint": true, "openWorldHint": true})
    );
    let serve = one("go_style", Format::Mcp, Strictness::Plain, "gocount_serve");
    assert!(serve.get("annotations").is_none());
}

#[test]
fn atip_is_the_metadata_itself() {
    let one = export(&[example("gh")], Format::Atip, Strictness::Plain).tools;
    assert_eq!(one, serde_json::to_value(example("gh")).unwrap());
    let two = export(&[example("gh"), example("curl")], Format::Atip, Strictness::Plain).tools;
    assert_eq!(two.as_array().unwrap().len(), 2);
}

#[test]
fn over_the_limits_of_strict_mode_a_function_stays_plain() {
    use argrail_spec::atip::{Kind, Metadata, Opt};
    let option = Opt {
        name: "many".to_owned(),
        flags: vec!["--many".to_owned()],
        kind: Kind::Enum,
        values: Some((0..1_001).map(Value::from).collect()),
        ..Opt::default()
    };
    let tool = Metadata {
        name: "tool".to_owned(),
        global_options: vec![option],
        ..Metadata::default()
    };
    let export = export(&[tool], Format::Openai, Strictness::Strict);
    assert!(export.tools[0]["function"].get("strict").is_none());
    assert_eq!(
        export.notes[0].what,
        "it is over the limits of strict mode and stays plain"
    );
}
