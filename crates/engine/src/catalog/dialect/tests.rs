//! What programs print in each dialect, and what it becomes. The answers are written here after shapes seen in the
//! wild.

use argrail_spec::atip::{Kind, Metadata};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{DIALECTS, Unreadable};

fn read(dialect: &str, tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    let known = DIALECTS.iter().find(|known| known.name == dialect).unwrap();
    known.read(tool, answer)
}

/// Every command as a path with its flags and arguments, which is what a caller needs.
fn shape(metadata: &Metadata) -> Vec<String> {
    fn walk(prefix: &str, commands: &argrail_spec::atip::Commands, lines: &mut Vec<String>) {
        for (name, command) in commands {
            let path = [prefix, name].join(" ").trim().to_owned();
            let flags = command.options.iter().map(|option| option.flags.join("|"));
            let words = command
                .arguments
                .iter()
                .map(|argument| format!("<{}>", argument.name));
            let parameters: Vec<String> = flags.chain(words).collect();
            lines.push(format!("{path}: {}", parameters.join(" ")));
            walk(&path, &command.commands, lines);
        }
    }
    let globals: Vec<String> = metadata
        .global_options
        .iter()
        .map(|option| option.flags.join("|"))
        .collect();
    let mut lines = Vec::new();
    if !globals.is_empty() {
        lines.push(format!("global: {}", globals.join(" ")));
    }
    walk("", &metadata.commands, &mut lines);
    lines
}

#[test]
fn no_dialect_asks_with_a_bare_help() {
    for dialect in DIALECTS {
        for attempt in dialect.attempts {
            assert_ne!(attempt.words, ["help"]);
            assert_ne!(attempt.words, ["-h"]);
            assert!(!attempt.literal.is_empty());
        }
    }
    assert_eq!(DIALECTS[0].name, "atip");
}

#[test]
fn a_tree_of_lists_is_read() {
    let answer = json!({
        "name": "store", "version": "1.2.0", "about": "Keeps things",
        "globals": [{"long": "color", "choices": ["auto", "never"], "default": ["auto"]}],
        "commands": [
            {"name": "commit", "about": "Keep", "args": [
                {"name": "key", "long": "key", "short": "k", "value_name": "SEED"},
                {"name": "path", "required": true},
            ]},
            {"name": "remote", "subcommands": [{"name": "add", "hidden": true}]},
        ],
        "exit_codes": [{"code": "OK", "exit_code": 0}],
    });
    let metadata = read("help-json-flag", "store", &answer).unwrap();
    assert_eq!(
        shape(&metadata),
        [
            "global: --color",
            "commit: -k|--key <path>",
            "remote:",
            "remote add:"
        ]
        .map(|line| match line {
            "remote:" => "remote: ".to_owned(),
            "remote add:" => "remote add: ".to_owned(),
            line => line.to_owned(),
        })
    );
    assert_eq!(metadata.version.as_deref(), Some("1.2.0"));
    assert_eq!(metadata.description, "Keeps things");
    assert_eq!(metadata.global_options[0].default, Some(json!("auto")));
    assert_eq!(metadata.commands["remote"].commands["add"].hidden, Some(true));
    assert_eq!(metadata.commands["commit"].options[0].kind, Kind::String);
}

#[test]
fn wrapped_flat_and_mapped_answers_are_read() {
    let check = |dialect: &str, answer: Value, want: &[&str]| {
        let metadata = read(dialect, "t", &answer).unwrap_or_else(|error| panic!("{answer}: {error}"));
        assert_eq!(shape(&metadata), want, "{answer}");
    };
    // An envelope around it.
    check(
        "help-json",
        json!({"ok": true, "data": {"commands": {"pr": {"commands": {"create": {"flags": ["-d, --draft"]}}}}}}),
        &["pr: ", "pr create: -d|--draft"],
    );
    // A flat list of paths, the tool's name in front, a group after its member.
    check(
        "help-json",
        json!([{"kind": "root", "flags": [{"name": "json"}]}, {"name": "t pr create <title>"}, {"name": "pr"}]),
        &["global: --json", "pr: ", "pr create: "],
    );
    // Names only, and descriptions only.
    check("help-json", json!({"commands": ["a", "b"]}), &["a: ", "b: "]);
    check("help-json", json!({"commands": {"a": "Does a"}}), &["a: "]);
    // A tool without commands.
    check(
        "help-json-flag",
        json!({"name": "t", "arguments": [{"name": "--layer", "positional": false}, {"name": "file"}]}),
        &[": --layer <file>"],
    );
    // The tool itself as the only command.
    check(
        "agent-help",
        json!({"commands": [{"name": "t", "options": [{"name": "x"}], "commands": [{"name": "go"}]}]}),
        &["global: -x", "go: "],
    );
    // Tools as model providers have them.
    check(
        "schema",
        json!({"tools": [{"name": "get", "inputSchema": {"type": "object", "required": ["id"],
            "properties": {"id": {"type": "integer"}, "all": {"type": "boolean"}}}}]}),
        &["get: --id --all"],
    );
    // click's own description.
    check(
        "help-agent",
        json!({"name": "t", "params": [], "commands": {"run": {"params": [
            {"name": "n", "param_type_name": "option", "opts": ["-n", "--count"], "type": {"name": "integer"}},
            {"name": "src", "param_type_name": "argument", "nargs": -1},
        ]}}}),
        &["run: -n|--count <src>"],
    );
}

#[test]
fn opencli_is_read() {
    let answer = json!({
        "opencli": "0.1",
        "info": {"title": "Sample Tool", "version": "2.0", "summary": "Shows", "license": {"identifier": "MIT"}},
        "options": [
            {"name": "--verbose", "aliases": ["-v"], "recursive": true},
            {"name": "out", "arguments": [{"name": "FILE", "required": true}]},
        ],
        "commands": [{"name": "add", "aliases": ["plus"], "hidden": false,
            "arguments": [{"name": "item", "required": true, "arity": {"minimum": 1, "maximum": null}}],
            "commands": [{"name": "deep"}], "examples": ["t add 1"]}],
    });
    let metadata = read("opencli", "t", &answer).unwrap();
    assert_eq!(
        shape(&metadata),
        ["global: -v|--verbose", "add: <item>", "add deep: ", ": --out"]
    );
    assert_eq!(metadata.title.as_deref(), Some("Sample Tool"));
    assert_eq!(metadata.license.as_deref(), Some("MIT"));
    assert_eq!(metadata.commands[""].options[0].kind, Kind::String);
    assert_eq!(metadata.global_options[0].kind, Kind::Boolean);
    let item = &metadata.commands["add"].arguments[0];
    assert_eq!((item.required, item.variadic), (Some(true), Some(true)));
    let older = json!({"opencli": "0.1", "info": {"title": "t", "version": "1"}, "commands": {"a": {"description": "A"}}});
    assert_eq!(shape(&read("opencli", "t", &older).unwrap()), ["a: "]);
    assert_eq!(
        read("opencli", "t", &json!({"commands": []})),
        Err(Unreadable::NotADescription)
    );
}

#[test]
fn what_describes_something_else_is_no_answer() {
    let not = |dialect: &str, answer: Value| {
        assert_eq!(
            read(dialect, "t", &answer),
            Err(Unreadable::NotADescription),
            "{answer}"
        );
    };
    for dialect in DIALECTS.iter().map(|dialect| dialect.name) {
        for answer in [
            json!(null),
            json!(1),
            json!("x"),
            json!([]),
            json!({}),
            json!([[], 1]),
        ] {
            not(dialect, answer);
        }
    }
    // The schema of a settings file.
    not(
        "schema",
        json!({"$schema": "x", "type": "object", "properties": {"a": {"type": "string"}}}),
    );
    not("schema", json!({"options": [{"name": "x"}]}));
    // ATIP's flag accepts nothing but ATIP.
    not("atip", json!({"name": "t", "commands": [{"name": "a"}]}));
}

#[test]
fn a_description_of_another_program_is_an_impostor() {
    let says = |name: &str| read("help-json", "t", &json!({"name": name, "commands": ["a"]}));
    assert_eq!(
        says("git"),
        Err(Unreadable::Impostor {
            says: "git".to_owned()
        })
    );
    assert_eq!(
        says("../../x"),
        Err(Unreadable::Impostor {
            says: "../../x".to_owned()
        })
    );
    assert!(says("t").is_ok());
    // A title is no name.
    assert!(says("The Tool").is_ok());
}

#[test]
fn too_much_is_cut_and_said() {
    let many: Vec<Value> = (0..30_000).map(|n| json!(format!("c{n}"))).collect();
    let metadata = read("help-json", "t", &json!({"commands": many})).unwrap();
    assert_eq!(metadata.commands.len(), 20_000);
    assert_eq!(metadata.partial, Some(true));
    let deep = (0..100).fold(
        json!({"name": "x"}),
        |below, _| json!({"name": "x", "commands": [below]}),
    );
    let metadata = read("help-json", "t", &json!({"commands": [deep]})).unwrap();
    assert_eq!(metadata.partial, Some(true));
    let long = json!({"commands": [{"name": "a", "description": "x".repeat(100_000)}]});
    let metadata = read("help-json", "t", &long).unwrap();
    assert_eq!(metadata.commands["a"].description.len(), 2_000);
}

/// Any JSON, of the words that the readers look for.
fn answers() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("name"),
        Just("commands"),
        Just("options"),
        Just("flags"),
        Just("args"),
        Just("properties"),
        Just("parameters"),
        Just("type"),
        Just("data"),
        Just("opencli"),
        Just("info"),
        Just("aliases"),
        Just("long"),
        Just("enum"),
        Just("default"),
        Just("-x, --yy <Z>"),
        Just("--"),
        Just(""),
        Just("\u{202e}é\n"),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 80, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|pairs| pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect()),
        ]
    })
}

proptest! {
    /// Whatever a program prints, what is read of it is metadata that loads again.
    #[test]
    fn any_answer_is_read_or_refused(answer in answers()) {
        for dialect in DIALECTS {
            if let Ok(metadata) = dialect.read("t", &answer) {
                let text = serde_json::to_vec(&metadata).unwrap();
                let loaded = argrail_spec::atip::load(&text).unwrap();
                prop_assert_eq!(&loaded.metadata.name, "t");
                prop_assert_eq!(loaded.metadata.commands.len(), metadata.commands.len());
            }
        }
    }
}
