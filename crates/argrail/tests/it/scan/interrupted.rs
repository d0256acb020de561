//! A scan that somebody stops: nothing runs on, and what was found is kept.

use argrail_testkit::{Signal, signal};

use super::machine::{Machine, answering, runs};
use crate::attacks::harness::each_host;

#[test]
fn an_interrupted_scan_keeps_what_it_found_and_leaves_nothing_running() {
    each_host(|host| {
        let sleep = (200_000_000 + std::process::id()).to_string();
        let hanging = format!("#!/bin/sh\ntrap '' TERM\nwhile :; do sleep {sleep}; done\n");
        let machine = Machine::new(host)
            .env("TERM", "xterm")
            .tool("good", &answering("good"))
            .tool("hang-1", &hanging)
            .tool("hang-2", &hanging);
        let mut terminal = machine.on_terminal(&["scan", "--probe", "--timeout", "50s"]);
        let shown = terminal.expect("1/3, 1 found");
        assert!(shown.contains("asking programs ["), "{shown}");
        signal(terminal.pid(), Signal::INT);
        terminal.expect("interrupted: what was found so far is kept");
        assert_eq!(terminal.wait(), Some(130));
        assert!(!runs(&sleep));
        assert_eq!(machine.registry()["tools"]["good"]["source"], "native");
        // Those that were stopped are not remembered as anything.
        let found = machine.scan(&["--probe", "--timeout", "100ms"]);
        assert_eq!(found.executed(), 2);
        assert_eq!(found.names("timedOut"), ["hang-1", "hang-2"]);
    });
}
