//! Programs that were kept from starting another and end as if all was well: what the other would have done is not done.

use serde_json::{Value, json};

use super::ground::{call, home, reads, vouched};
use super::silent::{Lack, Word, called, machine};
use crate::attacks::harness::each_host;

/// Effects of a command that reads and starts a shell.
fn starts_a_shell() -> Value {
    let mut effects = reads();
    effects["subprocess"] = json!(true);
    effects["x-exec"] = json!(["sh", "dash"]);
    json!({"effects": effects})
}

#[test]
fn a_wrapper_whose_program_was_refused_fails_although_it_ends_with_0() {
    for (script, ended) in [("/usr/bin/touch x; exit 0", 0), ("cat note; echo done", 0)] {
        let home = vouched(home(), "wrapper", script, &starts_a_shell()).file("note", "hello\n");
        let run = call(&home, "wrapper");
        let error = &run.json()["error"];
        assert_eq!(error["code"], "EXECUTION_ERROR", "{script}: {run}");
        assert_eq!(error["tried"][0]["act"], "start", "{script}: {run}");
        let message = error["message"].as_str().unwrap();
        assert!(
            message.starts_with("Execution failed: it tried to start '"),
            "{script}: {run}"
        );
        assert!(
            message.contains("/touch'") || message.contains("/cat'"),
            "{script}: {run}"
        );
        assert_eq!(error["output"]["exitCode"], ended, "{script}: {run}");
        assert_eq!(run.exit, Some(1), "{script}: {run}");
    }
}

/// What cannot even fork never names what it would have started.
#[test]
fn a_program_that_was_refused_a_fork_fails_although_it_ends_with_0() {
    // A shell gives up when it cannot fork; this one says that all is well on its way out.
    let script = "trap 'echo done; exit 0' EXIT\n/usr/bin/touch x";
    let home = vouched(home(), "alone", script, &json!({"effects": reads()}));
    let run = call(&home, "alone");
    let error = &run.json()["error"];
    assert_eq!(error["code"], "EXECUTION_ERROR", "{run}");
    assert_eq!(
        error["tried"][0],
        json!({"act": "start", "target": "fork"}),
        "{run}"
    );
    assert_eq!(
        error["message"],
        "Execution failed: it tried to start another program, and its description says that it starts no such program",
        "{run}"
    );
    assert_eq!(error["output"]["exitCode"], 0, "{run}");
    assert_eq!(run.exit, Some(1), "{run}");
}

#[test]
fn a_helper_that_everybody_can_do_without_fails_nothing() {
    let script = "uname -a; stty size; cat_note() { read line < note; echo $line; }; cat_note";
    let home = vouched(home(), "careful", script, &starts_a_shell()).file("note", "hello\n");
    let run = call(&home, "careful");
    let answer = run.json();
    assert_eq!(answer["success"], true, "{run}");
    assert_eq!(answer["data"]["stdout"], "hello\n", "{run}");
    assert_eq!(answer["_meta"]["tried"][0]["act"], "start", "{run}");
}

#[test]
fn a_program_that_is_there_is_found() {
    let run = call(&home(), "which cat");
    assert_eq!(run.json()["data"]["exitCode"], 0, "{run}");
    assert!(
        run.json()["data"]["stdout"].as_str().unwrap().ends_with("/cat\n"),
        "{run}"
    );
}

/// Without namespaces no list of programs can be held, whoever says yes: so nobody is asked.
#[test]
fn what_this_machine_cannot_hold_is_no_question() {
    each_host(|host| {
        let target = machine(host, Word::Shim);
        let mut said = super::ground::metadata("hostile", &starts_a_shell());
        said["effects"]["idempotent"] = json!(false);
        let target = target.file("config/agent-tools/overrides/hostile.json", &said.to_string());
        let run = called(&target, Lack::Namespaces, "hostile write mark x");
        let error = &run.json()["error"];
        assert_eq!(error["code"], "SANDBOX_UNAVAILABLE", "{run}");
        assert_eq!(error["missing"], "user namespaces", "{run}");
        assert_eq!(error["approval"], Value::Null, "{run}");
        // The same where everything can be held is a question.
        let run = called(&target, Lack::Nothing, "hostile write mark x");
        assert_eq!(run.json()["error"]["reason"], "approval_required", "{run}");
    });
}
