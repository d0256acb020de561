//! The vectors of `corpus/acli`, run in this process and against a server over MCP.
//!
//! With `ACLI_CONFORMANCE_SERVER="program arg…"` (absolute paths) the second half runs against that server, whoever wrote it;
//! `corpus/acli/README.md` says what it has to do. Without, it runs against `examples/conformance`, so that
//! the way over the wire is itself tested. Every vector that fails is named, with what came.

mod case;
mod check;
mod target;

use std::collections::HashSet;

use argrail_acli::{Error, Limits, tokenize};
use serde_json::{Value, json};

use case::{Case, Input, all};
pub(crate) use target::example;
use target::{InProcess, Stdio, Target};

#[test]
fn every_vector_holds_in_process() {
    let mut target = InProcess::new();
    let failures = failures(&mut target, |_| true);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_server_vector_holds_over_mcp() {
    let mut target = Stdio::new();
    let failures = failures(&mut target, |case| !matches!(case.input, Input::Tokenize(_)));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_vector_has_an_id_of_its_own_and_a_clause() {
    let mut seen = HashSet::new();
    for case in all() {
        assert!(seen.insert(case.id.clone()), "{} stands twice", case.id);
        assert!(
            case.id.starts_with(&format!("{}-", case.file)),
            "{} is in {}.json",
            case.id,
            case.file
        );
        let known = ["§", "Appendix ", "reading"];
        assert!(
            known.iter().any(|start| case.clause.starts_with(start)),
            "{}: clause {:?}",
            case.id,
            case.clause
        );
        assert!(!case.about.is_empty(), "{} says nothing", case.id);
    }
    assert!(seen.len() > 150, "only {} vectors", seen.len());
}

#[test]
fn a_wrong_answer_is_noticed() {
    let said = json!({
        "content": [{"type": "text", "text": "{\"success\":true,\"data\":{\"a\":1},\"_meta\":{\"command\":\"x\",\"duration_ms\":1}}"}],
        "structuredContent": {"success": true, "data": {"a": 1}, "_meta": {"command": "x", "duration_ms": 1}},
        "isError": false,
    });
    let check = |expect: Value, want: usize| {
        let found = check::result(Some("x"), &expect, &said);
        assert_eq!(found.len(), want, "{expect}: {found:?}");
    };
    check(json!({"success": true, "values": {"/data/a": 1}}), 0);
    check(json!({"success": false}), 1);
    check(json!({"success": true, "code": "PARSE_ERROR"}), 1);
    check(
        json!({"success": true, "values": {"/data/a": 2, "/data/b": 1}}),
        2,
    );
    check(json!({"success": true, "absent": ["/data/a"]}), 1);
    check(json!({"success": true, "contains": {"/data/a": "1"}}), 1);
    check(json!({"success": true, "unheard-of": 1}), 1);
    let mut broken = said.clone();
    broken["isError"] = true.into();
    assert_eq!(
        check::result(Some("x"), &json!({"success": true}), &broken).len(),
        1
    );
    assert_eq!(
        check::result(Some("y"), &json!({"success": true}), &said).len(),
        1
    );
}

fn failures(target: &mut dyn Target, wanted: impl Fn(&Case) -> bool) -> Vec<String> {
    let mut failures = Vec::new();
    for case in all().iter().filter(|case| wanted(case)) {
        let found = run(target, case);
        if !found.is_empty() {
            failures.push(format!(
                "{} ({}: {})\n  {}",
                case.id,
                case.clause,
                case.about,
                found.join("\n  ")
            ));
        }
    }
    failures
}

/// Runs one vector and returns what is wrong with the answer.
fn run(target: &mut dyn Target, case: &Case) -> Vec<String> {
    match &case.input {
        Input::Tokenize(text) => tokenized(text, &case.expect),
        Input::Definition { profile } => check::parts(&case.expect, &target.definition(profile)),
        Input::Call {
            profile,
            arguments,
            times,
        } => {
            let arguments = arguments.as_ref().map(|arguments| target.placed(arguments));
            let mut expect = target.placed(&case.expect);
            if target.is_foreign() {
                // The draft fixes how texts start; what follows is each program's own.
                let expect = expect.as_object_mut().expect("an object");
                expect.retain(|name, _| !["message", "hint"].contains(&name.as_str()));
            }
            let (result, record) = target.call(profile, arguments.as_ref(), *times);
            let command = arguments
                .as_ref()
                .and_then(|given| given.get("command")?.as_str());
            let mut found = check::result(command, &expect, &result);
            if let Some(wanted) = expect.get("audit") {
                found.extend(check::record(wanted, record.as_ref()));
            }
            if !found.is_empty() {
                found.push(format!("the answer was {result}"));
            }
            found
        }
    }
}

fn tokenized(text: &str, expect: &Value) -> Vec<String> {
    let said = match tokenize(text, &Limits::default()) {
        Ok(words) => json!({ "words": words }),
        Err(error) => {
            let error = Error::from(error).to_json();
            json!({"error": error["code"], "position": error["position"], "message": error["message"]})
        }
    };
    let wanted = expect.as_object().expect("an object");
    let differs = |name: &String| case::expanded(&wanted[name]) != said[name.as_str()];
    let wrong: Vec<&String> = wanted.keys().filter(|name| differs(name)).collect();
    wrong
        .iter()
        .map(|name| format!("{name}: wanted {}, came {}", wanted[*name], said[name.as_str()]))
        .collect()
}
