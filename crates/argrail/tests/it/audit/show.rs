//! `argrail audit show`: the table, the filters, one entry, and what comes.

use std::process::Stdio;

use serde_json::{Value, json};

use super::ground::{audit, entries, home, with};
use crate::ARGRAIL;

fn seqs(run: &argrail_testkit::Run) -> Vec<u64> {
    let data = run.json();
    let found = data["data"]["entries"].as_array().unwrap();
    found.iter().map(|entry| entry["seq"].as_u64().unwrap()).collect()
}

#[test]
fn filters_choose_and_the_limit_keeps_the_last() {
    let home = home();
    for command in ["version", "cat note", "rm note", "help"] {
        home.run(ARGRAIL, &["call", command]);
    }
    home.run(ARGRAIL, &["call", "version", "--caller", "editor"]);
    let check = |words: &[&str], want: &[u64]| {
        let run = audit(&home, &[&["show", "--json"], words].concat());
        assert_eq!(seqs(&run), want, "{words:?}");
    };
    check(&[], &[0, 1, 2, 3, 4, 5, 6]);
    check(&["--limit", "2"], &[5, 6]);
    check(&["--limit", "0"], &[]);
    check(&["--tool", "cat"], &[1, 2]);
    check(&["--tool", "cat", "--action", "cli.intended"], &[1]);
    check(&["--action", "approval.asked"], &[3]);
    check(&["--denied"], &[4]);
    check(&["--caller", "editor"], &[6]);
    check(&["--since", "1h"], &[0, 1, 2, 3, 4, 5, 6]);
    check(&["--since", "2999-01-01"], &[]);
    check(&["2"], &[2]);
    let one = audit(&home, &["show", "1"]);
    assert_eq!(
        serde_json::from_str::<Value>(&one.stdout).unwrap(),
        entries(&home)[1]
    );
    let none = audit(&home, &["show", "99", "--json"]);
    assert_eq!(
        (none.exit, &none.json()["error"]["code"]),
        (Some(2), &json!("VALIDATION_ERROR")),
        "{none}"
    );
}

#[test]
fn a_table_is_for_people_and_nothing_in_it_steers() {
    let home = home();
    home.run(ARGRAIL, &["call", "nope '\u{1b}[2J\u{202e}\nx'"]);
    let run = audit(&home, &["show"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{run}");
    assert!(
        lines[0].starts_with("seq  time") && lines[1].contains("COMMAND_NOT_FOUND"),
        "{run}"
    );
    assert!(
        !run.stdout.contains('\u{1b}') && !run.stdout.contains('\u{202e}'),
        "{run}"
    );
    assert_eq!(audit(&super::ground::home(), &["show"]).stdout, "Nothing fits.\n");
}

#[test]
fn following_shows_what_comes() {
    let home = with(2);
    let mut child = home.spawn(ARGRAIL, &["audit", "show", "--follow", "--json", "--limit", "1"]);
    let next = |child: &mut argrail_testkit::Child| -> u64 {
        let line: Value = serde_json::from_slice(&child.line().unwrap()).unwrap();
        line["seq"].as_u64().unwrap()
    };
    assert_eq!(next(&mut child), 1);
    home.run(ARGRAIL, &["call", "version"]);
    assert_eq!(next(&mut child), 2);
    home.run(ARGRAIL, &["call", "cat note"]);
    assert_eq!((next(&mut child), next(&mut child)), (3, 4));
    child.terminate();
    child.wait();
}

#[test]
fn following_ends_with_its_reader() {
    let home = with(1);
    let mut command = argrail_testkit::command(ARGRAIL);
    command
        .args(["audit", "show", "--follow"])
        .env_clear()
        .env("HOME", home.root());
    let mut child = command
        .env("XDG_STATE_HOME", home.state())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
