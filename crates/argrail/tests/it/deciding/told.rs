//! `notify`: a person is told when a call starts to wait, once.

use std::fs;

use argrail_testkit::Home;
use serde_json::{Value, json};

use crate::ARGRAIL;

#[test]
fn a_question_that_starts_to_wait_is_told_once() {
    let home = Home::new().tool("greet", "#!/bin/sh\necho hello\n");
    let told = home.root().join("told");
    let script = "printf '%s|%s\\n' \"$1\" \"$2\" >> \"$3\"";
    let words = json!([
        "/bin/sh",
        "-c",
        script,
        "sh",
        "{id}",
        "{summary}",
        told.to_str().unwrap()
    ]);
    let home = home
        .config(&json!({"notify": {"command": words}}).to_string())
        .env("API_TOKEN", "secret");
    let call = || {
        let run = home.run(ARGRAIL, &["call", "greet --name '$(x)'"]);
        assert_eq!(run.exit, Some(5), "{run}");
        let envelope: Value = serde_json::from_str(&run.stdout).unwrap();
        envelope["error"]["approval"].as_str().unwrap().to_owned()
    };
    let id = call();
    assert_eq!(call(), id, "it is the same question");
    let told = fs::read_to_string(told).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    let [line] = lines.as_slice() else {
        panic!("{told}");
    };
    assert!(line.starts_with(&format!("{id}|greet")), "{line}");
    assert!(!line.contains('$'), "{line}");
}

#[test]
fn the_answer_does_not_wait_for_the_program_that_tells() {
    for verb in [&["call", "greet"][..], &["run", "--json", "--", "greet"]] {
        let home = Home::new().tool("greet", "#!/bin/sh\necho hello\n");
        let gate = home.root().join("gate");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &gate, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let words = json!([
            "/bin/sh",
            "-c",
            "read line < \"$1\"",
            "sh",
            gate.to_str().unwrap()
        ]);
        let home = home.config(&json!({"notify": {"command": words}}).to_string());
        let mut child = home.spawn(ARGRAIL, verb);
        child.close_stdin();
        let answer: Value = serde_json::from_slice(&child.line().unwrap()).unwrap();
        assert_eq!(answer["error"]["reason"], "approval_required", "{answer}");
        // The program ends now. One that was waited for until its time was up would be complained of.
        fs::write(&gate, "go\n").unwrap();
        let run = child.wait();
        assert_eq!((run.exit, run.stderr.as_str()), (Some(5), ""), "{run}");
    }
}

#[test]
fn telling_that_does_not_work_changes_nothing() {
    let home = Home::new()
        .tool("greet", "#!/bin/sh\necho hello\n")
        .config(r#"{"notify": {"command": ["/srv/no/such/program"]}}"#);
    let run = home.run(ARGRAIL, &["call", "greet"]);
    assert_eq!(run.exit, Some(5), "{run}");
    assert!(
        run.stderr.contains("notify in the configuration does not work"),
        "{run}"
    );
}
