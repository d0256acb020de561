//! Nothing is left of an agent, however argrail ends.

use std::fs;

use argrail_testkit::{Home, Signal, signal};

use super::ground::project;
use crate::ARGRAIL;

/// Processes of the agent of this home: its program is a file of it.
fn left(home: &Home) -> Vec<String> {
    let program = home.work().join(".agents/echo/bin/echo-agent");
    let program = program.to_string_lossy().into_owned();
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .filter(|line| line.contains(&program))
        .collect()
}

/// Waits until nothing is left. The kernel kills what is with the last process of ours, which takes a moment.
fn gone(home: &Home) {
    while !left(home).is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_argrail_leaves_no_agent() {
    let home = project();
    let mut child = home.spawn(ARGRAIL, &["agent", "run", "echo", "deaf", "--events", "ndjson"]);
    let line = child.line().unwrap();
    assert!(String::from_utf8_lossy(&line).contains("deaf"));
    assert!(!left(&home).is_empty());
    child.kill();
    let run = child.wait();
    assert_eq!(run.signal, Some(9), "{run}");
    gone(&home);
}

#[test]
fn told_to_end_it_ends_and_so_does_the_agent() {
    let home = project();
    let mut child = home.spawn(ARGRAIL, &["agent", "run", "echo", "deaf", "--events", "ndjson"]);
    child.line().unwrap();
    signal(child.id(), Signal::TERM);
    let run = child.wait();
    assert_eq!(run.exit, Some(143), "{run}");
    gone(&home);
}

#[test]
fn interrupted_once_it_tells_the_end_of_the_turn() {
    let home = project();
    let mut child = home.spawn(ARGRAIL, &["agent", "run", "echo", "wait", "--events", "ndjson"]);
    child.line().unwrap();
    signal(child.id(), Signal::INT);
    let last = child.line().unwrap();
    assert!(String::from_utf8_lossy(&last).contains(r#""reason":"cancelled""#));
    let run = child.wait();
    assert_eq!(run.exit, Some(130), "{run}");
    assert!(left(&home).is_empty());
}
