//! What is refused before anything starts.

use argrail_testkit::Run;
use serde_json::Value;

use super::ground::{MANIFEST, events, project, run, uninstalled, untrusted};
use crate::ARGRAIL;

fn error(run: &Run) -> Value {
    let envelope = run.json();
    assert_eq!(envelope["success"], false, "{run}");
    envelope["error"].clone()
}

#[test]
fn words_that_the_manifest_does_not_have_are_told_with_those_that_it_has() {
    let home = project();
    for (words, told) in [
        (&["hi", "--mode", "quik"][..], "quick"),
        (&["hi", "--option", "deepth=3"], "depth"),
        (&["hi", "--option", "depth=9"], "depth"),
        (&["hi", "--continuation", "resume"], "The agent supports: 'none'"),
        (
            &["hi", "--continuation", "transcript"],
            "The agent supports: 'none'",
        ),
        (&[" "], "PROMPT"),
    ] {
        let run = run(&home, &[words, &["--json"]].concat());
        assert_eq!(run.exit, Some(2), "{words:?}: {run}");
        let error = error(&run);
        assert_eq!(error["code"], "VALIDATION_ERROR", "{run}");
        let text = format!("{} {}", error["message"], error["hint"]);
        assert!(text.contains(told), "{words:?}: {run}");
    }
    let both = run(&home, &["hi", "--json", "--events", "ndjson"]);
    assert_eq!(both.exit, Some(2), "{both}");
}

#[test]
fn a_continuation_outside_of_the_supported_ones_is_refused() {
    let refused = |said: &str, words: &[&str]| {
        let manifest = MANIFEST.replace("modes:\n", &format!("continuation: {said}\nmodes:\n"));
        let home = untrusted().file(".agents/echo/AGENT-CLI.md", &manifest);
        assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
        let run = run(&home, &[&["hi", "--json"], words].concat());
        assert_eq!(run.exit, Some(2), "{run}");
        assert_eq!(run.json()["_meta"]["command"], "agent run", "{run}");
        error(&run).clone()
    };
    let only_pinned = "{ default: pinned-session, supported: [pinned-session] }";
    for words in [&[][..], &["--continuation", "none"]] {
        let error = refused(only_pinned, words);
        assert_eq!(
            error["message"],
            "Invalid argument: the agent 'echo' does not support the continuation none"
        );
        assert_eq!(error["supported"], serde_json::json!(["pinned-session"]));
    }
    let error = refused(only_pinned, &["--continuation", "pinned-session"]);
    assert!(
        error["message"].as_str().unwrap().contains("comes later"),
        "{error}"
    );
}

#[test]
fn an_agent_that_nobody_knows_is_not_found() {
    let home = project();
    let run = home.run(ARGRAIL, &["agent", "run", "ecco", "hi", "--json"]);
    assert_eq!(run.exit, Some(2), "{run}");
    assert_eq!(error(&run)["code"], "COMMAND_NOT_FOUND", "{run}");
}

#[test]
fn a_project_that_nobody_trusts_starts_nothing() {
    let run = run(&untrusted(), &["hi", "--json"]);
    assert_eq!(run.exit, Some(4), "{run}");
    let error = error(&run);
    assert_eq!(error["code"], "SETUP_REQUIRED", "{run}");
    assert!(error.to_string().contains("argrail trust"), "{run}");
}

#[test]
fn a_program_that_is_not_installed_is_to_be_installed() {
    let home = untrusted();
    std::fs::remove_file(home.work().join(".agents/echo/bin/echo-agent")).unwrap();
    let home = home.file(".agents/echo/AGENT-CLI.md", &uninstalled());
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    let run = run(&home, &["hi", "--json"]);
    assert_eq!(
        (run.exit, &error(&run)["code"]),
        (Some(4), &Value::from("SETUP_REQUIRED")),
        "{run}"
    );
    // `add` knows those that argrail brings along; those of a project are known already.
    let hint = error(&run)["hint"].take();
    assert_eq!(
        hint, "A person has to install it, with: argrail install 'echo'",
        "{run}"
    );
    let listed = home.run(ARGRAIL, &["agent", "list", "--json"]).json();
    let rows = listed["data"]["agents"].as_array().unwrap();
    let row = rows.iter().find(|row| row["id"] == "echo").unwrap();
    assert_eq!(row["next"], "argrail install echo", "{row:#}");
}

/// A trusted project whose manifest has this line more.
fn with_line(line: &str) -> argrail_testkit::Home {
    let manifest = MANIFEST.replace("modes:\n", &format!("{line}\nmodes:\n"));
    let home = untrusted().file(".agents/echo/AGENT-CLI.md", &manifest);
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    home
}

#[test]
fn what_a_manifest_declares_and_does_not_get_is_told() {
    for (line, told) in [
        (
            "continuation: { default: pinned-session, supported: [pinned-session, none] }",
            "echo: its continuation pinned-session is not there yet: every turn is a new session, as with none",
        ),
        (
            "session: { mode: persistent }",
            "echo: its session mode persistent is not there yet: the session ends with the turn, as with ephemeral",
        ),
    ] {
        let home = with_line(line);
        let run = run(&home, &["hi", "--json"]);
        assert_eq!(run.exit, Some(0), "{run}");
        assert_eq!(
            run.json()["_meta"]["warnings"],
            serde_json::json!([told]),
            "{run}"
        );
        assert!(run.stderr.contains(told), "{run}");
        let listed = home.run(ARGRAIL, &["agent", "list", "--json"]).json();
        let rows = listed["data"]["agents"].as_array().unwrap();
        let row = rows.iter().find(|row| row["id"] == "echo").unwrap();
        let told = told.strip_prefix("echo: ").unwrap();
        assert_eq!(row["warnings"], serde_json::json!([told]), "{row:#}");
        let text = home.run(ARGRAIL, &["agent", "list"]).stdout;
        assert!(text.contains(told), "{text}");
    }
    let plain = run(&project(), &["hi", "--json"]);
    assert_eq!(plain.json()["_meta"]["warnings"], Value::Null, "{plain}");
}

#[test]
fn a_manifest_that_is_refused_is_told_where_the_agent_is_wanted() {
    let manifest = MANIFEST.replace("protocol: acp\n", "protocol: print\n");
    let home = untrusted().file(".agents/echo/AGENT-CLI.md", &manifest);
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    let run = run(&home, &["hi", "--json"]);
    assert_eq!(run.exit, Some(2), "{run}");
    let error = error(&run);
    assert_eq!(error["code"], "VALIDATION_ERROR", "{run}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("'echo' cannot be used") && message.contains("print"),
        "{run}"
    );
    let hint = error["hint"].as_str().unwrap();
    assert!(
        hint.contains("argrail lint '/") && hint.ends_with(".agents/echo'"),
        "{run}"
    );
}

#[test]
fn an_agent_without_its_key_is_not_started() {
    let home = with_line("auth: { state: { env: [ECHO_KEY] } }");
    let refused = run(&home, &["hi", "--json"]);
    assert_eq!(refused.exit, Some(4), "{refused}");
    let error = error(&refused);
    assert_eq!(error["code"], "AUTH_REQUIRED", "{refused}");
    assert_eq!(error["variables"], serde_json::json!(["ECHO_KEY"]), "{refused}");
    let home = home.env("ECHO_KEY", "k");
    let started = run(&home, &["hi", "--json"]);
    assert_eq!(started.exit, Some(0), "{started}");
}

#[test]
fn a_command_line_that_does_not_parse_names_what_is_wrong() {
    let home = project();
    for (words, named) in [
        (&["--mode", "quick", "--mode", "yolo"][..], "'--mode <M>'"),
        (&["--option", "note"], "'note'"),
    ] {
        let refused = run(&home, &[&["hi", "--json"], words].concat());
        assert_eq!(refused.exit, Some(2), "{refused}");
        let message = error(&refused)["message"].take();
        assert!(message.as_str().unwrap().contains(named), "{refused}");
    }
}

#[test]
fn other_protocols_come_later() {
    let manifest = MANIFEST.replace(
        "protocol: acp\nacp: ./ACP.md\n",
        "protocol: proprietary\nadapter: echo-adapter\n",
    );
    let home = untrusted().file(".agents/echo/AGENT-CLI.md", &manifest);
    assert_eq!(home.run(ARGRAIL, &["trust", "--yes"]).exit, Some(0));
    let run = run(&home, &["hi", "--json"]);
    assert_ne!(run.exit, Some(0), "{run}");
    assert!(error(&run)["message"].as_str().unwrap().contains("acp"), "{run}");
}

#[test]
fn a_mode_in_which_the_agent_asks_nobody_wants_a_yes_first() {
    let home = project();
    let refused = run(&home, &["think", "--mode", "yolo", "--wait", "0", "--json"]);
    assert_eq!(refused.exit, Some(5), "{refused}");
    let error = error(&refused);
    assert_eq!(error["reason"], "approval_required", "{refused}");
    assert!(error["approval"].is_string(), "{refused}");
}

#[test]
fn programs_that_listen_to_events_hear_of_a_refusal_too() {
    let run = run(&untrusted(), &["hi", "--events", "ndjson"]);
    assert_eq!(run.exit, Some(4), "{run}");
    let events = events(&run);
    let [error] = events.as_slice() else {
        panic!("{run}")
    };
    assert_eq!(
        (&error["type"], &error["code"]),
        (&"error".into(), &"SETUP_REQUIRED".into())
    );
}

#[test]
fn a_question_is_told_once() {
    let asked = run(&project(), &["ask", "--wait", "300ms", "--json"]);
    assert_eq!(asked.stderr.matches("argrail approve ").count(), 1, "{asked}");
}
