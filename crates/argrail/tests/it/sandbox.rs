//! `argrail sandbox`: policies from files, exit numbers, what people see.

use argrail_testkit::{Home, Run};
use serde_json::Value;

use crate::ARGRAIL;

const CLOSED: &str = "network: {}\nfs: {}\nexec: {allow: false}\nenv: {}\n";

/// A home whose search path is the machine's, for real programs.
fn home(policy: &str) -> Home {
    Home::new()
        .env("PATH", "/usr/bin:/bin")
        .file("policy.yaml", policy)
}

fn run(home: &Home, argv: &[&str]) -> Run {
    let words = [&["sandbox", "--policy", "policy.yaml"], argv].concat();
    home.run(ARGRAIL, &words)
}

fn error(run: &Run) -> Value {
    let envelope: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
    assert_eq!(envelope["success"], false, "{run}");
    envelope["error"].clone()
}

#[test]
fn the_exit_number_is_the_commands_own() {
    let home = home(CLOSED);
    let exit = |argv: &[&str]| run(&home, argv).exit;
    assert_eq!(exit(&["--", "true"]), Some(0));
    assert_eq!(exit(&["--", "sh", "-c", "exit 9"]), Some(9));
    assert_eq!(exit(&["--", "sh", "-c", "kill -15 $$"]), Some(143));
    assert_eq!(exit(&["--timeout", "100ms", "--", "sleep", "600"]), Some(124));
    assert_eq!(exit(&["--max-output", "1K", "--", "yes"]), Some(137));
    assert_eq!(exit(&["--", "no-such-program"]), Some(2));
    assert_eq!(exit(&["--timeout", "soon", "--", "true"]), Some(2));
    assert_eq!(exit(&["true"]), Some(2)); // the command stands after --
}

#[test]
fn a_policy_may_be_json_or_stand_under_its_name() {
    for policy in [
        CLOSED.to_owned(),
        r#"{"network":{},"fs":{},"exec":{"allow":false},"env":{}}"#.to_owned(),
        format!("sandbox:\n  {}", CLOSED.trim_end().replace('\n', "\n  ")),
    ] {
        let run = run(&home(&policy), &["--", "echo", "fine"]);
        assert_eq!(
            run.to_string(),
            "exit: 0\n--- stdout\nfine\n--- stderr\n",
            "{policy}"
        );
    }
}

#[test]
fn a_policy_that_cannot_be_held_starts_nothing_and_names_the_field() {
    for (field, policy) in [
        (
            "network.egress[0]",
            CLOSED.replace("network: {}", "network: {egress: [\"*\"]}"),
        ),
        (
            "fs.write[0]",
            CLOSED.replace("fs: {}", "fs: {write: [\"out/*.txt\"]}"),
        ),
        (
            "fs.deny[0]",
            CLOSED.replace("fs: {}", "fs: {write: [\"**\"], deny: [\"later\"]}"),
        ),
        (
            "fs.read[1]",
            CLOSED.replace("fs: {}", "fs: {read: [\"**\", \"../up/**\"]}"),
        ),
        (
            "env.pass[0]",
            CLOSED.replace("env: {}", "env: {pass: [LD_PRELOAD]}"),
        ),
    ] {
        let home = home(&policy);
        let run = run(&home, &["--json", "--", "touch", "started"]);
        assert_eq!(run.exit, Some(6), "{run}");
        let error = error(&run);
        assert_eq!(error["code"], "SANDBOX_UNAVAILABLE");
        assert_eq!(error["field"], field, "{run}");
        for part in ["pattern", "reason", "fix", "hint"] {
            assert!(
                error[part].as_str().is_some_and(|text| !text.is_empty()),
                "{part}: {run}"
            );
        }
        assert!(!home.work().join("started").exists());
    }
}

#[test]
fn a_file_that_is_no_policy_is_told_where() {
    for (policy, told) in [
        ("network: {}\nfs: {}\nexec: {allow: maybe}\nenv: {}\n", "line 3"),
        (
            "network: {}\nfs: {raed: []}\nexec: {allow: false}\nenv: {}\n",
            "raed",
        ),
        ("network: {}\nfs: {}\nenv: {}\n", "exec"),
        ("[", "policy.yaml"),
        ("", "policy.yaml"),
    ] {
        let run = run(&home(policy), &["--json", "--", "true"]);
        assert_eq!(run.exit, Some(2), "{run}");
        let message = error(&run)["message"].as_str().unwrap().to_owned();
        assert!(message.contains(told), "{told}: {message}");
    }
    let absent = home(CLOSED).run(ARGRAIL, &["sandbox", "--policy", "absent.yaml", "--", "true"]);
    assert_eq!(absent.exit, Some(1), "{absent}");
}

#[test]
fn a_person_is_told_what_was_refused() {
    let home = home("network: {}\nfs: {read: [\"**\"]}\nexec: {allow: true, spawn: [cat]}\nenv: {}\n");
    let run = run(
        &home,
        &[
            "--",
            "sh",
            "-c",
            "echo hello; echo x > ./new; ls; cat policy.yaml >/dev/null",
        ],
    );
    let said = &run.stderr;
    assert_eq!(run.stdout, "hello\n", "{run}");
    assert!(said.contains("argrail: was refused: exec /usr/bin/ls"), "{run}");
    assert!(
        said.contains("argrail: was refused: fs ") && said.contains("work/new"),
        "{run}"
    );
}

#[test]
fn input_reaches_the_command() {
    let home = home(CLOSED);
    let words = ["sandbox", "--policy", "policy.yaml", "--", "cat"];
    let run = home.run_with_input(ARGRAIL, &words, "from outside");
    assert_eq!(run.stdout, "from outside", "{run}");
}
