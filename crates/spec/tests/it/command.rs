//! Metadata as our own commands: help, schema and binding of the examples.

use std::sync::Arc;

use argrail_acli::{Answer, Caller, Cli, Command, Request, TokioHost};
use argrail_spec::atip::{Metadata, Respond, command, skipped};
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
