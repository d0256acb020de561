//! `argrail call`: the envelope on stdout, the exit number of its code, nothing else.

use argrail_testkit::Home;
use insta::assert_snapshot;

use super::ARGRAIL;

#[test]
fn a_typo_is_answered_with_the_near_name() {
    assert_snapshot!(Home::new().run(ARGRAIL, &["call", "x-argrail wiat 5"]), @r#"
    exit: 2
    --- stdout
    {
      "_meta": {
        "command": "x-argrail wiat 5"
      },
      "error": {
        "code": "COMMAND_NOT_FOUND",
        "hint": "Run 'help' for available commands, or 'help' with 'x-argrail' for its subcommands; did you mean 'x-argrail wait'?",
        "message": "Command 'x-argrail wiat' not found"
      },
      "success": false
    }
    --- stderr
    "#);
}

#[test]
fn help_shows_what_there_is() {
    assert_snapshot!(Home::new().run(ARGRAIL, &["call", "help"]), @r#"
    exit: 0
    --- stdout
    {
      "_meta": {
        "command": "help",
        "duration_ms": "[masked]"
      },
      "data": {
        "commands": [
          {
            "description": "About argrail: version, what this machine can enforce, paths you may use",
            "name": "x-argrail"
          },
          {
            "description": "Find the command for what you want to do",
            "name": "x-search"
          },
          {
            "description": "Fill in a known way of working; returns its commands and runs none",
            "name": "x-pattern"
          },
          {
            "description": "Lead a ready-made use of a bundle to its command; returns the command and runs none",
            "name": "x-intent"
          },
          {
            "description": "The tools you have, their state and your last commands, to hand to another agent",
            "name": "x-context"
          },
          {
            "description": "Read on in an output that was too long for one answer",
            "name": "x-output"
          }
        ],
        "description": "One command line for every tool an agent may use",
        "examples": [
          "help x-argrail",
          "x-argrail about"
        ],
        "usage": "<command> [subcommand] [options]"
      },
      "success": true
    }
    --- stderr
    "#);
}

#[test]
fn the_exit_number_is_that_of_the_code() {
    let home = Home::new()
        .file("here.txt", "hello")
        .config(r#"{"deny": ["x-argrail doctor"]}"#);
    let hasty = Home::new().config(r#"{"timeouts": {"call": "50ms"}}"#);
    for (command, exit) in [
        ("x-argrail path here.txt", 0),
        ("x-argrail path missing.txt", 1),
        ("x-argrail 'open", 2),
        ("nope", 2),
        ("x-argrail wait soon", 2),
        ("x-argrail path ../../../etc/passwd", 2),
        ("x-argrail doctor", 3),
        ("x-argrail wait 30", 124),
    ] {
        // Only what shall be too slow has too little time.
        let home = if exit == 124 { &hasty } else { &home };
        let run = home.run(ARGRAIL, &["call", command]);
        assert_eq!(run.exit, Some(exit), "{command}: {run}");
        assert_eq!(run.json()["success"], exit == 0, "{command}");
    }
}

#[test]
fn a_symlink_out_of_the_roots_counts_where_it_leads() {
    let home = Home::new().file("inside.txt", "x");
    std::os::unix::fs::symlink("/etc", home.work().join("etc")).unwrap();
    std::os::unix::fs::symlink("inside.txt", home.work().join("link")).unwrap();
    let code = |command: &str| home.run(ARGRAIL, &["call", command]).json()["error"]["code"].clone();
    assert_eq!(code("x-argrail path etc/hostname"), "PATH_TRAVERSAL_BLOCKED");
    assert_eq!(code("x-argrail path link"), serde_json::Value::Null);
    let absolute = format!("x-argrail path '{}'", home.work().join("inside.txt").display());
    assert_eq!(code(&absolute), serde_json::Value::Null);
}

#[test]
fn a_configured_root_may_be_named() {
    let other = Home::new().file("data.txt", "x");
    let command = format!("x-argrail path '{}'", other.work().join("data.txt").display());
    let code = |home: &Home| home.run(ARGRAIL, &["call", &command]).json()["error"]["code"].clone();
    assert_eq!(code(&Home::new()), "PATH_TRAVERSAL_BLOCKED");
    let config = serde_json::json!({"roots": [other.work()]});
    assert_eq!(
        code(&Home::new().config(&config.to_string())),
        serde_json::Value::Null
    );
}

#[test]
fn a_broken_configuration_is_a_refusal() {
    for (text, want) in [
        ("{\"deny\": [}", "1:11: expected a value"),
        ("{\"deny\": [], \"deny\": [\"x\"]}", "stands twice"),
        ("{\"rateLimit\": \"5\"}", "rateLimit: expected an object"),
    ] {
        let run = Home::new().config(text).run(ARGRAIL, &["call", "help"]);
        assert_eq!(run.exit, Some(1), "{run}");
        let error = &run.json()["error"];
        assert!(error["message"].as_str().unwrap().contains(want), "{error}");
        assert!(!error["hint"].as_str().unwrap().is_empty());
    }
}

#[test]
fn a_configuration_that_others_can_write_is_a_refusal() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new().config("{}");
    let file = home.config_file();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).unwrap();
    let run = home.run(ARGRAIL, &["call", "help"]);
    assert_eq!(run.exit, Some(1), "{run}");
    assert!(run.stdout.contains("others can write it"), "{run}");
    assert!(run.stdout.contains("chmod go-w"), "{run}");
}

#[test]
fn an_unknown_key_is_a_refusal_with_the_near_name() {
    let home = Home::new().config("{\"alow\": [\"x-argrail\"]}");
    for verb in [&["call", "version"][..], &["list", "--json"]] {
        let run = home.run(ARGRAIL, verb);
        assert_eq!(run.exit, Some(1), "{run}");
        let error = &run.json()["error"];
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains(r#": 1:2: unknown key: "alow": did you mean "allow"?"#),
            "{run}"
        );
    }
    let run = Home::new()
        .config("{\"x-mine\": 1, \"_note\": \"\", \"$schema\": \"\"}")
        .run(ARGRAIL, &["call", "version"]);
    assert_eq!(run.exit, Some(0), "{run}");
    assert_eq!(run.stderr, "", "{run}");
}

#[test]
fn every_call_is_recorded_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new();
    home.run(ARGRAIL, &["call", "version"]);
    home.run(ARGRAIL, &["call", "nope '\n\u{202e}'"]);
    let folder = home.state().join("argrail/audit");
    let files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    for file in &files {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let text = std::fs::read_to_string(folder.join("audit-log.jsonl")).unwrap();
    let entries: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["metadata"].clone())
        .collect();
    let [first, second] = entries.as_slice() else {
        panic!("two calls, {} records", entries.len())
    };
    assert_eq!(
        (&first["parsed_command"], &first["success"]),
        (&"version".into(), &true.into())
    );
    assert_eq!(first["user_context"]["caller"], "call");
    assert_eq!(
        (&second["parsed_command"], &second["error_code"]),
        (&"".into(), &"COMMAND_NOT_FOUND".into())
    );
    assert_eq!(second["command"], "nope '\n\u{202e}'");
}

#[test]
fn without_a_place_for_the_record_nothing_is_answered() {
    let home = Home::new().file("blocked", "a file where a directory should be");
    let home = {
        let state = home.work().join("blocked");
        home.env("XDG_STATE_HOME", state)
    };
    let run = home.run(ARGRAIL, &["call", "version"]);
    assert_eq!(run.exit, Some(1), "{run}");
    assert_eq!(run.json()["error"]["code"], "EXECUTION_ERROR");
}

#[test]
fn a_command_line_that_does_not_parse_is_an_envelope_when_asked() {
    let home = Home::new();
    let run = home.run(ARGRAIL, &["call", "a", "b", "--json"]);
    assert_eq!(
        (run.exit, &run.json()["error"]["code"]),
        (Some(2), &"VALIDATION_ERROR".into())
    );
    let run = home.run(ARGRAIL, &["serf"]);
    assert_eq!((run.exit, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("serve"), "{run}");
}

#[test]
fn a_configuration_that_is_not_sure_is_a_refusal() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let refused = |home: &Home, why: &str| {
        let run = home.run(ARGRAIL, &["call", "help"]);
        assert_eq!(run.exit, Some(1), "{why}: {run}");
        assert!(!run.json()["error"]["hint"].as_str().unwrap().is_empty());
    };
    let dangling = Home::new().config("{}");
    std::fs::remove_file(dangling.config_file()).unwrap();
    symlink("nowhere.json", dangling.config_file()).unwrap();
    refused(&dangling, "a link that leads nowhere");

    let pipe = Home::new().config("{}");
    std::fs::remove_file(pipe.config_file()).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, pipe.config_file(), rustix::fs::Mode::RWXU).unwrap();
    refused(&pipe, "a pipe that nobody writes to");

    let open = Home::new().config("{}");
    let directory = open.config_file().parent().unwrap().to_owned();
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o777)).unwrap();
    refused(&open, "a directory in which others can put another file");
}

#[test]
fn a_rule_that_names_nothing_is_told() {
    let run = Home::new()
        .config(r#"{"deny": ["x-argrail wiat"]}"#)
        .run(ARGRAIL, &["call", "version"]);
    assert_eq!(run.exit, Some(0), "{run}");
    assert!(
        run.stderr.contains(r#"names no command: "x-argrail wiat""#),
        "{run}"
    );
}

#[test]
fn what_is_denied_is_not_offered() {
    let mut all = ["about", "doctor", "path", "wait"]
        .map(|name| format!("x-argrail {name}"))
        .to_vec();
    all.extend(["x-search", "x-pattern", "x-intent", "x-context", "x-output"].map(str::to_owned));
    let home = Home::new().config(&serde_json::json!({"deny": all}).to_string());
    let help = home.run(ARGRAIL, &["call", "help"]).json();
    assert_eq!(help["data"]["commands"], serde_json::json!([]));
    assert_eq!(help["data"]["examples"], serde_json::json!([]));
}

#[test]
fn a_call_that_is_interrupted_is_recorded() {
    use argrail_testkit::{Signal, signal};

    for (which, exit) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let home = Home::new();
        let child = home.spawn(ARGRAIL, &["call", "x-argrail wait 50"]);
        until_it_catches(child.id(), Signal::TERM);
        signal(child.id(), which);
        let run = child.wait();
        assert_eq!((run.exit, run.stdout.as_str()), (Some(exit), ""));
        let text = std::fs::read_to_string(home.state().join("argrail/audit/audit-log.jsonl")).unwrap();
        assert!(text.contains("\"error_code\":\"CANCELLED\""), "{text}");
    }
}

/// Waits until a process has a handler for the signal: from then on it runs the command.
fn until_it_catches(pid: u32, signal: argrail_testkit::Signal) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let bit = 1u64 << (signal.as_raw() - 1);
    loop {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))
            .unwrap();
        if u64::from_str_radix(caught.trim(), 16).unwrap() & bit != 0 {
            return;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "it never catches {signal:?}"
        );
        std::thread::yield_now();
    }
}

#[test]
fn an_answer_that_cannot_be_written_is_no_success() {
    let home = Home::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = argrail_testkit::command(ARGRAIL);
    command
        .args(["call", "version"])
        .env_clear()
        .env("HOME", home.root());
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("could not be written"));
}

#[test]
fn words_that_are_no_text_are_refused_in_text() {
    use std::os::unix::ffi::OsStrExt;

    let home = Home::new();
    let mut command = argrail_testkit::command(ARGRAIL);
    command
        .args(["--json", "call"])
        .arg(std::ffi::OsStr::from_bytes(b"\xff"))
        .env_clear()
        .env("HOME", home.root());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let envelope: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(envelope["error"]["code"], "VALIDATION_ERROR");
}
