//! A tool of which only guesses are known: what seems to read runs in the closed sandbox, the rest asks, and what was
//! said yes to has what a program has that nobody describes.

use argrail_spec::atip::load;
use argrail_spec::help::annotate;
use argrail_testkit::Home;
use serde_json::{Value, json};

use super::ground::{approve, asks, call, home, runs, said};
use crate::ARGRAIL;

/// Writes wherever it can and starts a program, whatever it is told to do.
const FROB: &str = "#!/bin/sh\necho \"$1\" >> done 2>/dev/null\n/bin/cat done\necho ran\n";

/// The tool with guesses as they are saved.
fn frob() -> Home {
    let output =
        json!({"name": "output", "flags": ["--output"], "type": "file", "description": "Where to write"});
    let about = json!({
        "atip": "0.1", "name": "frob", "version": "1.0.0", "description": "Work with frobs",
        "trust": {"source": "inferred"},
        "commands": {
            "list": {"description": "List frobs", "options": [output]},
            "create": {"description": "Create a frob"},
            "rm": {"description": "Remove frobs"},
            "quux": {"description": "Quux a frob"},
        },
    });
    let mut metadata = load(about.to_string().as_bytes()).unwrap().metadata;
    annotate(&mut metadata);
    let text = serde_json::to_string(&metadata).unwrap();
    home()
        .tool("frob", FROB)
        .file("../data/agent-tools/shims/frob.json", &text)
}

fn why(home: &Home, words: &[&str]) -> Value {
    let words: Vec<&str> = ["why", "--json", "--"].iter().chain(words).copied().collect();
    let run = home.run(ARGRAIL, &words);
    assert_eq!(run.exit, Some(0), "{run}");
    run.json()["data"].clone()
}

#[test]
fn what_seems_to_read_runs_where_it_can_do_nothing_else() {
    let home = frob();
    let judged = why(&home, &["frob", "list"]);
    assert_eq!(judged["decision"], "allow", "{judged:#}");
    let sandbox = &judged["sandbox"];
    assert_eq!(
        (&sandbox["write"], &sandbox["exec"]),
        (&json!([]), &json!("none")),
        "{judged:#}"
    );
    call(&home, "frob list");
    assert_eq!(said(&home, "done"), None);
}

#[test]
fn everything_else_asks_and_a_flag_that_writes_does_too() {
    let home = frob();
    let check = |words: &[&str], rule: &str| {
        let judged = why(&home, words);
        assert_eq!(judged["decision"], "ask", "{words:?}: {judged:#}");
        let reasons = judged["reasons"].as_array().unwrap();
        assert!(
            reasons.iter().any(|reason| reason["rule"] == rule),
            "{words:?}: {judged:#}"
        );
    };
    check(&["frob", "create"], "default.change");
    check(&["frob", "rm"], "default.destructive");
    check(&["frob", "quux"], "default.unknown");
    check(&["frob", "list", "--output", "f"], "default.change");
}

#[test]
fn a_yes_to_a_guess_is_a_yes_to_what_the_guess_left_out() {
    for command in ["frob create", "frob quux"] {
        let home = frob();
        let id = asks(&call(&home, command));
        approve(&home, &id);
        let run = call(&home, command);
        runs(&run);
        assert!(run.json()["data"].to_string().contains("ran"), "{run}");
        assert!(said(&home, "done").is_some(), "{command}: {run}");
    }
}
