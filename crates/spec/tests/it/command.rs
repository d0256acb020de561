//! Metadata as our own commands: help, schema and binding of the examples.

use std::sync::Arc;

use argrail_acli::{Answer, Caller, Cli, Command, Request, TokioHost};
use argrail_spec::atip::{Metadata, Respond, command, load, skipped};
use serde_json::{Value, json};

use crate::example::{EXAMPLES, example};

/// Answers with the path and the arguments.
fn echo() -> Respond {
    Arc::new(|call, path| {
        Box::pin(async move {
            Ok(Answer::new(
                json!({"path": path, "arguments": call.args().to_json()}),
            ))
        })
    })
}

pub(crate) fn made(metadata: &Metadata) -> Command {
    command(metadata, echo()).unwrap()
}

fn answer(metadata: &Metadata, line: &str) -> Value {
    let host = Arc::new(TokioHost::default());
    let cli = Cli::builder("test", "1", "", host)
        .command(made(metadata))
        .build()
        .unwrap();
    let caller = Caller {
        id: "test".to_owned(),
        account: None,
        name: None,
        roots: vec!["/".into()],
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(cli.answer(Request::new(line, caller))).to_json()
}

#[test]
fn every_example_has_help_and_schema() {
    for (name, _) in EXAMPLES {
        let metadata = example(name);
        for verb in ["help", "schema"] {
            let envelope = answer(&metadata, &format!("{verb} {}", metadata.name));
            assert_eq!(envelope["success"], true, "{name}: {envelope}");
        }
    }
}

#[test]
fn words_bind_to_values() {
    let check = |example_name: &str, line: &str, want: Value| {
        let envelope = answer(&example(example_name), line);
        assert_eq!(envelope["data"], want, "{line}: {envelope}");
    };
    check(
        "gh",
        "gh pr create -R a/b --title 'Fix it' -d",
        json!({"path": ["pr", "create"], "arguments": {"repo": "a/b", "title": "Fix it", "draft": true}}),
    );
    check(
        "gh",
        "gh --repo=a/b pr list",
        json!({"path": ["pr", "list"], "arguments": {"repo": "a/b", "state": "open"}}),
    );
    check(
        "curl",
        "curl -X POST -H a -H b https://x.example/ https://y.example/",
        json!({"path": [], "arguments": {
            "request": "POST", "header": ["a", "b"], "url": ["https://x.example/", "https://y.example/"],
        }}),
    );
    check(
        "terraform",
        "terraform plan -var a=1 -var=b=2",
        json!({"path": ["plan"], "arguments": {"var": ["a=1", "b=2"]}}),
    );
    check(
        "itself",
        "jot 3 1.5",
        json!({"path": [], "arguments": {"count": 3, "first": 1.5}}),
    );
}

#[test]
fn what_does_not_fit_is_refused_with_what_would() {
    let check = |example_name: &str, line: &str, code: &str, told: &str| {
        let envelope = answer(&example(example_name), line);
        assert_eq!(envelope["error"]["code"], code, "{line}: {envelope}");
        assert!(envelope["error"].to_string().contains(told), "{line}: {envelope}");
    };
    check("gh", "gh pr crate", "COMMAND_NOT_FOUND", "gh pr create");
    check("gh", "gh pr", "VALIDATION_ERROR", "create");
    check("gh", "gh pr list --state ajar", "VALIDATION_ERROR", "merged");
    check(
        "gh",
        "gh pr merge --squash --rebase",
        "VALIDATION_ERROR",
        "rebase",
    );
    check("gh", "gh issue create", "VALIDATION_ERROR", "title");
    check("itself", "jot many", "VALIDATION_ERROR", "integer");
    check("kubectl", "kubectl apply", "VALIDATION_ERROR", "filename");
}

#[test]
fn hidden_commands_are_not_listed_and_deprecated_ones_are_marked() {
    let help = answer(&example("fields"), "help shelf");
    let text = help.to_string();
    assert!(!text.contains("debug") && text.contains("copy"), "{text}");
    assert!(text.contains("deprecated"), "{text}");
}

#[test]
fn commands_with_colons_are_called_as_they_are_written() {
    let named = |name: &str, below: &str| {
        let command = argrail_spec::atip::Command {
            description: "Shows an app".to_owned(),
            ..Default::default()
        };
        Metadata {
            name: name.to_owned(),
            description: "Apps".to_owned(),
            commands: [(below.to_owned(), command)].into_iter().collect(),
            ..Metadata::default()
        }
    };
    assert!(skipped(&named("heroku", "apps:info")).is_empty());
    assert_eq!(
        answer(&named("heroku", "apps:info"), "heroku apps:info")["success"],
        true
    );
    // A tool itself is never called so.
    assert!(command(&named("apps:info", "x"), echo()).is_none());
}

#[test]
fn what_the_model_cannot_hold_is_left_out_and_said() {
    let odd = example("odd_names");
    let said: Vec<(String, &str)> = skipped(&odd)
        .into_iter()
        .map(|skipped| {
            (
                format!("{} {}", skipped.path.join(" "), skipped.name),
                skipped.why,
            )
        })
        .collect();
    assert_eq!(
        said,
        [
            ("7z zählen".to_owned(), "no command string can hold this name"),
            (
                "7z a unwritable".to_owned(),
                "it has no flag of its own that can be written"
            ),
        ]
    );
    let bad = Metadata {
        name: "[".to_owned(),
        ..Metadata::default()
    };
    assert!(command(&bad, echo()).is_none());
    assert_eq!(skipped(&bad).len(), 1);
    let envelope = answer(&odd, "7z a --file x y");
    assert_eq!(
        envelope["data"]["arguments"],
        json!({"file": "x", "file-argument": "/y"}),
        "{envelope}"
    );
}

/// A tool made up for its grammar.
fn grammatical() -> Metadata {
    let text = json!({
        "atip": "0.6", "name": "tool", "version": "1", "description": "A tool",
        "x-grammar": {"style": "gnu", "abbreviations": "off", "bundling": false},
        "globalOptions": [
            {"name": "dir", "flags": ["-C"], "type": "directory", "x-before": true},
            {"name": "quiet", "flags": ["-q"], "type": "boolean"},
        ],
        "commands": {
            "list": {
                "description": "List", "x-output": {"format": "text", "json": ["-o", "json"]},
                "options": [
                    {"name": "color", "flags": ["--color"], "type": "string", "x-takes": "attached"},
                    {"name": "pair", "flags": ["--pair"], "type": "string", "x-takes": 2},
                    {"name": "exec", "flags": ["--exec"], "type": "string", "x-takes": {"until": [";"]}},
                    {"name": "id", "flags": ["--id"], "type": "string", "pattern": "^[a-z]+$"},
                    {"name": "odd", "flags": ["--odd"], "type": "string", "pattern": "("},
                    {"name": "slow", "flags": ["--slow"], "type": "string", "pattern": "^(?:(?=a)a+)+(?<!b)$"},
                    {"name": "count", "flags": ["--count"], "type": "integer"},
                    {"name": "tag", "flags": ["--tag"], "type": "string", "variadic": true},
                ],
                "arguments": [{"name": "file", "type": "file", "required": false}],
            },
            "run": {
                "description": "Run", "x-grammar": {"permutation": false, "unknown": "ask"},
                "options": [{"name": "json", "flags": ["--json"], "type": "boolean"}],
                "x-output": {"json": ["--format=json"]},
                "arguments": [
                    {"name": "set", "type": "string", "variadic": true, "required": false, "x-assigns": true},
                    {"name": "words", "type": "string", "variadic": true, "required": false},
                    {"name": "rest", "type": "string", "variadic": true, "required": false, "x-last": true},
                ],
            },
        },
    });
    load(text.to_string().as_bytes()).unwrap().metadata
}

#[test]
fn a_tool_is_read_by_its_own_grammar() {
    let tool = grammatical();
    let check = |line: &str, want: Value| {
        let envelope = answer(&tool, line);
        assert_eq!(envelope["data"]["arguments"], want, "{line}: {envelope}");
    };
    check("tool -C /srv list -q", json!({"dir": "/srv", "quiet": true}));
    check(
        "tool list -q -q --count 1 --count 2",
        json!({"quiet": true, "count": 2}),
    );
    check("tool list --color x", json!({"color": true, "file": "/x"}));
    check("tool list --color=x", json!({"color": "x"}));
    check("tool list --pair a b", json!({"pair": ["a", "b"]}));
    check(
        "tool list --exec ls -l ; x",
        json!({"exec": ["ls", "-l", ";"], "file": "/x"}),
    );
    check(
        "tool list --id ab --tag a --tag b",
        json!({"id": "ab", "tag": ["a", "b"]}),
    );
    check("tool list --odd x", json!({"odd": "x"}));
    check("tool list -", json!({"file": "-"}));
    check(
        "tool list --json /dev/null",
        json!({"x-json": true, "file": "/dev/null"}),
    );
    check(
        "tool run A=1 ls -l --",
        json!({"set": ["A=1"], "words": ["ls", "-l", "--"]}),
    );
    check("tool run -- a", json!({"rest": ["a"]}));
    check("tool run --what", json!({}));
}

#[test]
fn what_the_grammar_refuses_is_refused() {
    let tool = grammatical();
    let check = |line: &str, told: &str| {
        let envelope = answer(&tool, line);
        assert_eq!(
            envelope["error"]["code"], "VALIDATION_ERROR",
            "{line}: {envelope}"
        );
        assert!(envelope["error"].to_string().contains(told), "{line}: {envelope}");
    };
    check("tool list -C /srv", "-C");
    check("tool list --col", "--color");
    check("tool list --id A1", "a value that matches ^[a-z]+$");
    check(
        &format!("tool list --slow {}b", "a".repeat(60)),
        "a value that matches",
    );
    check("tool list --pair a", "--pair");
    check("tool list --what", "--what");
}

#[test]
fn a_tool_of_a_server_takes_all_its_arguments_at_once() {
    let parameter =
        |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
    let tools = json!([{"name": "get", "inputSchema": parameter("city")}, {"name": "put", "inputSchema": parameter("json")}]);
    let metadata = argrail_spec::mcp_tools::metadata("weather", &Value::Null, &tools).unwrap();
    let answer = |line: &str| answer(&metadata.metadata, line);
    let all = answer(r#"weather get --json '{"city":"Oslo"}'"#);
    assert_eq!(all["data"]["arguments"], json!({"x-input": r#"{"city":"Oslo"}"#}));
    assert_eq!(answer("weather get")["error"]["code"], "VALIDATION_ERROR");
    let both = answer("weather get --json '{}' --city Oslo");
    assert_eq!(both["error"]["code"], "VALIDATION_ERROR");
    // A parameter of that name is what it always was.
    let own = answer("weather put --json text");
    assert_eq!(own["data"]["arguments"], json!({"json": "text"}));
}
