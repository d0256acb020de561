//! Descriptors, variables and terminals: what comes from whoever started argrail.
//!
//! The number above a test is that of the attack in the suite.

use super::harness::{Target, each_host};
use super::policy::Policy;

/// 29, 30
#[test]
fn no_descriptor_is_inherited() {
    each_host(|host| {
        let target = Target::new(host)
            .file("vault/secret", "hunter2")
            .file("work/note", "hello")
            .leak(77, "vault/secret")
            .leak(78, "vault");
        for policy in [
            Policy::new().read("**"),
            Policy::new().read("**").spawn(&["true"]),
        ] {
            let held = target.held(&policy, &["read-descriptor", "77"]);
            assert_eq!(held.stdout(), "blocked: EBADF\n", "{held}");
            target.held(&policy, &["enter-descriptor", "78", "secret"]);
            target.held(&policy, &["list-descriptors"]);
            target.allowed(&policy, &["read", &target.path("work/note")]);
        }
        target.held(&Policy::new().tty(), &["list-descriptors"]);
        target.outside(&["read-descriptor", "77"]);
        target.outside(&["enter-descriptor", "78", "secret"]);
    });
}

/// 31
#[test]
fn a_variable_that_is_not_listed_is_not_there() {
    each_host(|host| {
        let target = Target::new(host)
            .env("SECRET_TOKEN", "hunter2")
            .env("GREETING", "hello");
        let policy = Policy::new().pass("GREETING").set("COLOUR", "blue");
        target.held(&policy, &["variable", "SECRET_TOKEN"]);
        target.held(&policy, &["find-in-environment", "hunter2"]);
        for (name, value) in [("GREETING", "hello"), ("COLOUR", "blue")] {
            let passed = target.allowed(&policy, &["variable", name]);
            assert_eq!(passed.stdout(), format!("ESCAPED: {value}\n"));
        }
        target.outside(&["variable", "SECRET_TOKEN"]);
    });
}

/// 32
#[test]
fn a_variable_that_makes_programs_load_code_is_refused() {
    each_host(|host| {
        let names = [
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "LD_AUDIT",
            "GIT_SSH_COMMAND",
            "BASH_ENV",
            "NODE_OPTIONS",
        ];
        let target = Target::new(host)
            .file("work/note", "hello")
            .env("GREETING", "hello");
        let read = ["read", &target.path("work/note")];
        for name in names {
            let policy = Policy::new().read("**").pass("GREETING").pass(name);
            target.refused(&policy, &read, "env.pass[1]");
        }
        let policy = Policy::new().read("**").set("LD_PRELOAD", "/tmp/evil.so");
        target.refused(&policy, &read, "env.set.LD_PRELOAD");
        target.allowed(&Policy::new().read("**").pass("GREETING"), &read);
    });
}

/// 33, 34
#[test]
fn nothing_can_be_typed_into_a_terminal() {
    each_host(|host| {
        let target = Target::new(host);
        for policy in [Policy::new().tty(), Policy::new().tty().spawn(&["true"])] {
            target.held(&policy, &["forge-input"]);
            let size = target.allowed(&policy, &["terminal-size"]);
            assert!(size.stdout().contains("24 by 80"), "{size}");
        }
    });
}

/// 35
#[test]
fn the_machines_terminals_are_not_there() {
    each_host(|host| {
        let target = Target::new(host);
        for policy in [Policy::new(), Policy::new().tty()] {
            target.held(&policy, &["foreign-terminals"]);
            // argrail itself sits at a terminal of the machine's.
            let program = target.hostile();
            let mut terminal = target.on_terminal(&policy, &[&program, "foreign-terminals"]);
            terminal.expect("blocked: ");
            assert_eq!(terminal.wait(), Some(0));
        }
        target.held(&Policy::new(), &["own-terminal"]);
        target.allowed(&Policy::new().tty(), &["own-terminal"]);
    });
}

/// 36
#[test]
fn output_cannot_steer_the_terminal_it_is_shown_on() {
    each_host(|host| {
        let target = Target::new(host).file("work/note", "größe → 😀");
        let program = target.hostile();
        for policy in [Policy::new(), Policy::new().tty()] {
            let mut terminal = target.on_terminal(&policy, &[&program, "steer-terminal"]);
            let mut shown = terminal.expect("-end");
            shown += &terminal.expect("-end");
            assert!(
                shown.contains("owned") && shown.contains("red"),
                "its words are shown: {shown:?}"
            );
            let steers = |c: char| c == '\u{202e}' || (c.is_control() && !matches!(c, '\r' | '\n'));
            assert!(!shown.contains(steers), "{shown:?}");
            // The line is not written over: a terminal's own line end is the only return there is.
            assert!(!shown.replace("\r\n", "").contains('\r'), "{shown:?}");
            assert_eq!(terminal.wait(), Some(0));
        }
        let note = target.path("work/note");
        let mut terminal = target.on_terminal(&Policy::new().read("**"), &[&program, "read", &note]);
        terminal.expect("größe → 😀");
        assert_eq!(terminal.wait(), Some(1));
    });
}
