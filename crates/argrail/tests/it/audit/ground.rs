//! A home with a record, and ways to read and damage it.

use std::fs;
use std::path::PathBuf;

use argrail_testkit::{Home, Run};
use serde_json::{Value, json};

use crate::ARGRAIL;

/// A home in which the programs of the system can be called, and `touch` needs no question.
pub(super) fn home() -> Home {
    let config =
        json!({"permissionPolicy": {"autoApprove": {"filesystem.write": true, "idempotent": false}}});
    let home = Home::new().config(&config.to_string()).file("note", "hello\n");
    let path = format!("{}:/usr/bin:/bin", home.bin().display());
    home.env("PATH", path)
}

/// One with as many records, of a command that starts nothing.
pub(super) fn with(count: usize) -> Home {
    let home = home();
    for _ in 0..count {
        assert_eq!(home.run(ARGRAIL, &["call", "version"]).exit, Some(0));
    }
    home
}

pub(super) fn directory(home: &Home) -> PathBuf {
    home.state().join("argrail/audit")
}

pub(super) fn log(home: &Home) -> PathBuf {
    directory(home).join("audit-log.jsonl")
}

pub(super) fn entries(home: &Home) -> Vec<Value> {
    let text = fs::read_to_string(log(home)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(super) fn audit(home: &Home, words: &[&str]) -> Run {
    home.run(ARGRAIL, &[&["audit"], words].concat())
}

/// Sees that the record is whole and has as many entries.
#[track_caller]
pub(super) fn is_whole(home: &Home, count: usize) {
    let run = audit(home, &["verify", "--json"]);
    let data = &run.json()["data"];
    assert_eq!(
        (run.exit, &data["ok"], &data["entries"]),
        (Some(0), &json!(true), &json!(count)),
        "{run}"
    );
}

/// Sees what is wrong first.
#[track_caller]
pub(super) fn is_bad(run: &Run, problem: &str, seq: u64, line: u64) {
    let data = &run.json()["data"];
    assert_eq!((run.exit, &data["ok"]), (Some(1), &json!(false)), "{run}");
    let bad = &data["firstBad"];
    assert_eq!(
        (&bad["problem"], &bad["seq"], &bad["line"]),
        (&json!(problem), &json!(seq), &json!(line)),
        "{run}"
    );
    assert_eq!(bad["file"], "audit-log.jsonl");
}
