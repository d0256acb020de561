//! From a call that asks to a call that runs: `run` asks at its own terminal, `call` from another.

use argrail_engine::store::{State, Store};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::ground::{Ground, TALL, type_code};
use crate::ARGRAIL;

impl Ground {
    /// A ground with a tool that nobody knows, so it asks.
    fn with_greeting() -> Self {
        let ground = Self::new();
        let home = ground.home.tool("greet", "#!/bin/sh\necho \"hello $1\"\n");
        Self { home, ..ground }
    }

    /// A ground in which `cp` can be called, which asks and whose words are understood.
    fn with_files() -> Self {
        let ground = Self::new();
        let home = ground.home.env("PATH", "/usr/bin:/bin").file("a", "text\n");
        Self { home, ..ground }
    }

    fn call(&self, command: &str) -> (Option<i32>, Value) {
        self.json(&["call", "--caller", "helper", command])
    }
}

#[test]
fn a_person_who_runs_something_is_asked_at_once() {
    let ground = Ground::with_greeting();
    let mut terminal = ground.at_terminal(&["run", "--", "greet", "you"], TALL);
    let lines = terminal.expect("To run this, with all its 2 words, type ");
    assert!(lines.iter().any(|line| line == "  1 you"), "{lines:#?}");
    assert_eq!(ground.store.pending(Timestamp::now()).unwrap().len(), 1);
    type_code(&mut terminal);
    let (exit, lines) = terminal.wait();
    assert_eq!(exit, Some(0), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "hello you"), "{lines:#?}");
    assert_eq!(ground.store.pending(Timestamp::now()).unwrap(), []);

    // Nobody says what the tool does, so a habit does not say yes to it.
    let mut terminal = ground.at_terminal(&["run", "--", "greet", "you"], TALL);
    terminal.expect("To run this, with all its 2 words, type ");
    terminal.type_in("y\n");
    let (exit, lines) = terminal.wait();
    assert_eq!(exit, Some(3), "{lines:#?}");
    assert!(!lines.iter().any(|line| line == "hello you"), "{lines:#?}");

    let ground = Ground::with_files();
    for (typed, exit) in [("n\n", Some(3)), ("y\n", Some(0))] {
        let mut terminal = ground.at_terminal(&["run", "--", "cp", "a", "b"], TALL);
        terminal.expect("Run this, with all its 3 words?");
        terminal.type_in(typed);
        assert_eq!(terminal.wait().0, exit);
        assert_eq!(ground.home.work().join("b").exists(), exit == Some(0));
    }
}

#[test]
fn an_approved_call_runs_once() {
    let ground = Ground::with_greeting();
    let (exit, answer) = ground.call("greet you");
    assert_eq!(exit, Some(5), "{answer}");
    let id = answer["error"]["approval"].as_str().unwrap().to_owned();
    let (exit, lines) = ground.approve_with_code(&["approve", &id]);
    assert_eq!(exit, Some(0), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "  1 you"), "{lines:#?}");
    let (exit, answer) = ground.call("greet you");
    assert_eq!(exit, Some(0), "{answer}");
    assert!(
        answer["data"]["stdout"].as_str().unwrap().contains("hello you"),
        "{answer}"
    );
    assert!(matches!(ground.state(&id), State::Used(_)));
    assert_eq!(ground.call("greet you").0, Some(5), "and asks again");
}

#[test]
fn a_grant_covers_its_pattern_and_nothing_beside() {
    const COPY: &str = "cp --no-clobber a b";
    let ground = Ground::with_files();
    let (_, answer) = ground.call(COPY);
    let id = answer["error"]["approval"].as_str().unwrap().to_owned();
    let (exit, lines) = ground.approve(&id, &["--for", "1h"]);
    assert_eq!(exit, Some(0), "{lines:#?}");
    for _ in 0..3 {
        let (exit, answer) = ground.call(COPY);
        assert_eq!(exit, Some(0), "{answer}");
    }
    assert_eq!(ground.call("cp --no-clobber a c").0, Some(5), "another word");
    let more = ground.call("cp --no-clobber --verbose a b");
    assert_eq!(more.0, Some(5), "one option more");
    let other = ground.json(&["call", "--caller", "other", COPY]);
    assert_eq!(other.0, Some(5), "another caller");
    let grant = ground.store.grants().unwrap().remove(0).id.to_string();
    assert_eq!(ground.at_terminal(&["revoke", &grant], TALL).wait().0, Some(0));
    assert_eq!(ground.call(COPY).0, Some(5), "taken back");
}

#[test]
fn a_pattern_that_a_person_wrote_covers_more() {
    let ground = Ground::with_files();
    let (_, answer) = ground.call("cp --no-clobber a b");
    let id = answer["error"]["approval"].as_str().unwrap().to_owned();
    let (exit, lines) = ground.approve(&id, &["--scope", "cp a * --no-clobber path=./**"]);
    assert_eq!(exit, Some(0), "{lines:#?}");
    for to in ["b", "c", "d"] {
        let (exit, answer) = ground.call(&format!("cp --no-clobber a {to}"));
        assert_eq!(exit, Some(0), "{answer}");
    }
    assert_eq!(ground.call("cp --no-clobber b e").0, Some(5), "from elsewhere");
}

#[test]
fn a_pattern_that_would_never_answer_is_refused_with_what_works() {
    let ground = Ground::with_files();
    let check = |call: &str, scope: &str, why: &str| {
        let (exit, answer) = ground.call(call);
        assert_eq!(exit, Some(5), "{answer}");
        let id = answer["error"]["approval"].as_str().unwrap().to_owned();
        let (exit, lines) = ground
            .at_terminal(&["approve", &id, "--scope", scope], TALL)
            .wait();
        let told = lines.concat();
        assert_eq!(exit, Some(2), "{scope}: {lines:#?}");
        assert!(
            told.contains(why) && told.contains("--scope"),
            "{scope}: {lines:#?}"
        );
        assert_eq!(ground.state(&id), State::Pending);
        id
    };
    // The text of a program is covered by its own letters alone.
    let sed = "sed -i s/a/b/ a";
    check(sed, "sed ** -i", "only its own letters cover 's/a/b/'");
    check(sed, "sed ** -i -n", "only its own letters cover 's/a/b/'");
    let copy = "cp --no-clobber a b";
    check(
        copy,
        "cp a * --no-clobber --no-such-option",
        "has no option '--no-such-option'",
    );
    check(
        copy,
        "cp a b --no-clobber path=/no/such/place/**",
        "nothing is at '/no/such/place'",
    );
    check(
        copy,
        "cp a --no-clobber",
        "nothing stands for the further word 'b'",
    );
    check(copy, "copy a * --no-clobber", "the call is one of 'cp'");
    // What is suggested is taken, and answers the next call.
    let id = check(sed, "sed * * -i", "only its own letters cover 's/a/b/'");
    let suggest = ground.request(&id).shown["suggest"].as_str().unwrap().to_owned();
    let taken = ground.approve(&id, &["--scope", &suggest]);
    assert_eq!(taken.0, Some(0), "{:#?}", taken.1);
    assert_eq!(ground.call(sed).0, Some(0));
    assert_eq!(ground.call(sed).0, Some(0));
}

#[test]
fn a_no_is_told_to_the_caller_with_its_reason() {
    let ground = Ground::with_greeting();
    let (_, answer) = ground.call("greet you");
    let id = answer["error"]["approval"].as_str().unwrap().to_owned();
    let deny = ["deny", &id, "--reason", "not today"];
    assert_eq!(ground.at_terminal(&deny, TALL).wait().0, Some(0));
    let (exit, answer) = ground.call("greet you");
    assert_eq!(exit, Some(3), "{answer}");
    assert_eq!(answer["error"]["reason"], "denied_by_human");
    assert_eq!(answer["error"]["humanReason"], json!("not today"));
}

#[test]
fn every_decision_is_in_the_record() {
    let ground = Ground::with_files();
    let (_, answer) = ground.call("cp --no-clobber a b");
    let id = answer["error"]["approval"].as_str().unwrap().to_owned();
    assert_eq!(ground.approve(&id, &["--for", "1h"]).0, Some(0));
    let grant = ground.store.grants().unwrap().remove(0).id.to_string();
    assert_eq!(ground.at_terminal(&["revoke", &grant], TALL).wait().0, Some(0));
    let log = std::fs::read_to_string(ground.home.state().join("argrail/audit/audit-log.jsonl")).unwrap();
    let of = |action: &str| {
        let lines = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let found: Vec<Value> = lines.filter(|line| line["action"] == action).collect();
        assert_eq!(found.len(), 1, "{action}: {log}");
        found[0].to_string()
    };
    assert!(of("approval.approved").contains(&id));
    assert!(of("grant.given").contains(&grant));
    assert!(of("grant.revoked").contains(&grant));
    let verified = ground.home.run(ARGRAIL, &["audit", "verify"]);
    assert_eq!(verified.exit, Some(0), "{verified}");
}

#[test]
fn a_tool_that_answers_for_a_person_changes_nothing() {
    let ground = Ground::new();
    let script =
        format!("#!/bin/sh\n{ARGRAIL} approve \"$1\" </dev/null 2>&1\n{ARGRAIL} approvals 2>&1\nexit 0\n");
    let home = ground.home.tool("make-it", &script);
    let ground = Ground { home, ..ground };
    let waiting = ground.ask(&super::ground::push());
    let command = format!("make-it {waiting}");
    let (_, answer) = ground.call(&command);
    let id = answer["error"]["approval"].as_str().unwrap().to_owned();
    assert_eq!(ground.approve_with_code(&["approve", &id]).0, Some(0));
    let (exit, answer) = ground.call(&command);
    assert_eq!(exit, Some(0), "{answer}");
    assert!(
        !answer.to_string().contains("local:helper"),
        "it does not even see what waits: {answer}"
    );
    assert_eq!(ground.state(&waiting), State::Pending);
}
