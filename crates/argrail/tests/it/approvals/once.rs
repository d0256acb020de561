//! One question, one answer, one run.

use std::fs;

use argrail_engine::store::{State, Store};
use argrail_testkit::mcp::Client;
use jiff::Timestamp;

use super::ground::{approve, asks, asks_in, call, deny, home, question, runs, said, store};
use crate::ARGRAIL;

#[test]
fn a_change_asks_and_a_yes_runs_it_once() {
    let home = home();
    let id = asks(&call(&home, "touch note"));
    assert_eq!(said(&home, "note"), None);
    approve(&home, &id);
    runs(&call(&home, "touch note"));
    assert_eq!(said(&home, "note").as_deref(), Some(""));
    assert!(matches!(question(&home, &id).state, State::Used(_)));
    fs::remove_file(home.work().join("note")).unwrap();
    let next = asks(&call(&home, "touch note"));
    assert_ne!(next, id);
    assert_eq!(said(&home, "note"), None);
}

#[test]
fn a_question_shows_what_will_run_and_no_secret() {
    let home = home().file("a", "hello\n").file("s.sh", "echo hello\n");
    let home = home.tool("stranger", "#!/bin/sh\n");
    let id = asks(&call(&home, "cp --no-clobber a b"));
    let shown = question(&home, &id).shown;
    let argv: Vec<&str> = shown["argv"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|word| word.as_str())
        .collect();
    assert!(argv[0].starts_with('/') && argv[0].ends_with("/cp"), "{argv:?}");
    assert_eq!(argv[1..], ["--no-clobber", "a", "b"]);
    assert_eq!(shown["command"], "cp");
    assert_eq!(shown["words"], serde_json::json!(["a", "b"]));
    assert_eq!(shown["options"][0]["spelt"], "--no-clobber");
    assert_eq!(
        shown["cwd"],
        home.work().canonicalize().unwrap().to_str().unwrap()
    );
    assert_eq!(
        (&shown["destructive"], &shown["billable"]),
        (&false.into(), &false.into())
    );
    assert_eq!(shown["callerName"], "argrail call");
    assert_eq!(shown["sandbox"]["egress"], "none");
    let file = &shown["files"][0];
    // What is written may be any path of it, by its description.
    assert_eq!((&file["bytes"], &file["snapshot"]), (&6.into(), &false.into()));
    let id = asks(&call(&home, "sh s.sh"));
    let file = question(&home, &id).shown["files"][0].clone();
    assert_eq!(file["snapshot"], true);
    let snapshot = home
        .state()
        .join("argrail/snapshots")
        .join(file["sha256"].as_str().unwrap());
    assert_eq!(fs::read_to_string(snapshot).unwrap(), "echo hello\n");
    let suggest = shown["suggest"].as_str().unwrap();
    assert!(suggest.starts_with("cp a b --no-clobber= "), "{suggest}");

    let id = asks(&call(&home, "stranger --password=hunter2plain"));
    let secret = question(&home, &id).shown.to_string();
    assert!(!secret.contains("hunter2plain"), "{secret}");
}

#[test]
fn a_no_is_told_with_its_reason_and_holds() {
    let home = home();
    let id = asks(&call(&home, "touch note"));
    deny(&home, &id, "not on a \u{1b}[31mFriday");
    for _ in 0..2 {
        let run = call(&home, "touch note");
        assert_eq!(run.exit, Some(3), "{run}");
        let error = run.json()["error"].clone();
        assert_eq!(error["reason"], "denied_by_human", "{run}");
        assert_eq!(error["humanReason"], "not on a \u{fffd}[31mFriday");
        assert_eq!(error["approval"], id.as_str());
    }
    assert_eq!(said(&home, "note"), None);
    asks(&call(&home, "touch other"));
}

#[test]
fn that_nobody_answered_is_told_once_and_is_no_no() {
    let home = home().config(r#"{"timeouts": {"approval": "1ms"}}"#);
    let id = asks(&call(&home, "touch note"));
    let run = call(&home, "touch note");
    assert_eq!(run.exit, Some(5), "{run}");
    let error = run.json()["error"].clone();
    assert_eq!(error["reason"], "approval_expired", "{run}");
    assert_eq!(error["approval"], id.as_str());
    assert_ne!(asks(&call(&home, "touch note")), id);
}

#[test]
fn the_same_call_is_one_question_and_too_many_are_none() {
    let home = home();
    let id = asks(&call(&home, "touch note"));
    assert_eq!(asks(&call(&home, "touch note")), id);
    assert_eq!(question(&home, &id).times, 2);
    for number in 1..16 {
        asks(&call(&home, &format!("touch note-{number}")));
    }
    let full = call(&home, "touch one-too-many");
    assert_eq!(full.exit, Some(5), "{full}");
    let error = full.json()["error"].clone();
    assert_eq!(
        (&error["reason"], &error["approval"]),
        (&"approval_required".into(), &().into())
    );
    assert!(
        error["hint"].as_str().unwrap().contains("argrail approvals"),
        "{full}"
    );
    // Others are not held up by that, and what is asked already is still answered.
    asks(&home.run(ARGRAIL, &["call", "--caller", "other", "touch one-too-many"]));
    approve(&home, &id);
    runs(&call(&home, "touch note"));
}

#[test]
fn an_answer_outlives_the_server_that_asked() {
    let home = home();
    let ask = |home: &argrail_testkit::Home| {
        let mut client = Client::new(home.spawn(ARGRAIL, &["serve", "--wait", "0"]));
        client.initialize();
        let result = client.call("touch note");
        client.finish();
        result["structuredContent"].clone()
    };
    let id = asks_in(&ask(&home));
    approve(&home, &id);
    assert_eq!(ask(&home)["success"], true);
    assert_eq!(said(&home, "note").as_deref(), Some(""));
    assert_ne!(asks_in(&ask(&home)), id);
}

#[test]
fn without_a_store_nothing_that_asks_runs_and_reads_still_do() {
    let home = home().file("note", "hello\n");
    fs::create_dir_all(home.state().join("argrail/store.db")).unwrap();
    let run = call(&home, "touch other");
    assert_ne!(run.exit, Some(0), "{run}");
    assert_eq!(said(&home, "other"), None);
    runs(&call(&home, "cat note"));
    drop(store(&home));
}

#[test]
fn what_is_too_long_for_anybody_to_read_is_not_asked() {
    let home = home();
    let word = format!("{}/", "x".repeat(200)).repeat(15);
    let words: Vec<&str> = [&["run", "--json", "--", "touch"][..], &[word.as_str(); 60]].concat();
    let run = home.run(ARGRAIL, &words);
    let error = &run.json()["error"];
    assert_eq!(
        (run.exit, error["code"].as_str()),
        (Some(2), Some("VALIDATION_ERROR")),
        "{error}"
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("nobody can be asked about more than"),
        "{error}"
    );
    assert_eq!(store(&home).pending(Timestamp::now()).unwrap(), []);
}
