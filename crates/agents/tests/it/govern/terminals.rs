//! Commands that the host runs for an agent: confined, streamed, bounded, and ended with whoever wants them no more.

use std::time::Duration;

use argrail_agents::{Governor, TerminalCommand, TerminalExit};
use argrail_testkit::Home;

use super::desk::{Desk, Making, block_on};

fn command(words: &[&str]) -> TerminalCommand {
    TerminalCommand {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        directory: None,
        variables: Vec::new(),
        keep: None,
    }
}

fn ran(desk: &Desk, command: TerminalCommand) -> Result<(String, Option<u32>), String> {
    block_on(async {
        let started = desk.governor.start(command).await;
        let terminal = started.map_err(|error| format!("{} {error}", error.code()))?;
        let exit = terminal.wait().await;
        let output = terminal.output();
        assert_eq!(output.exit, Some(exit.clone()));
        Ok((output.text, exit.code))
    })
}

#[test]
fn a_read_runs_at_once_and_its_words_come_as_they_are() {
    let desk = Making {
        home: Home::new().file("src/a", "one\ntwo\n"),
        ..Making::default()
    }
    .desk();
    let check = |words: &[&str], text: &str, code: u32| {
        assert_eq!(
            ran(&desk, command(words)),
            Ok((text.to_owned(), Some(code))),
            "{words:?}"
        );
    };
    check(&["cat", "src/a"], "one\ntwo\n", 0);
    check(&["cat src/a"], "one\ntwo\n", 0);
    check(&["bash", "-lc", "cat src/a"], "one\ntwo\n", 0);
    let below = TerminalCommand {
        directory: Some("src".into()),
        ..command(&["cat", "a"])
    };
    assert_eq!(ran(&desk, below), Ok(("one\ntwo\n".to_owned(), Some(0))));
    let short = TerminalCommand {
        keep: Some(4),
        ..command(&["cat", "src/a"])
    };
    assert_eq!(ran(&desk, short), Ok(("two\n".to_owned(), Some(0))));
    let (text, code) = ran(&desk, command(&["cat", "none"])).unwrap();
    assert!(text.contains("none") && code == Some(1), "{text}");
    let (help, code) = ran(&desk, command(&["version"])).unwrap();
    assert!(help.contains("argrail") && code == Some(0), "{help}");
    assert!(desk.actions().contains(&"cli.intended".to_owned()));
    assert!(
        desk.record()
            .iter()
            .all(|entry| entry["actor"]["id"] == "agent:echo@1/s1")
    );
}

#[test]
fn a_change_asks_first_and_is_confined() {
    let home = Home::new();
    let secret = home.root().join("home/secret");
    std::fs::write(&secret, "hunter2").unwrap();
    let spy = format!("#!/bin/sh\nexec cat {}\n", secret.display());
    let desk = Making {
        home: home.tool("spy", &spy),
        ..Making::default()
    }
    .desk();
    let touch = || ran(&desk, command(&["touch", "made"]));
    assert!(touch().unwrap_err().starts_with("PERMISSION_DENIED"));
    assert!(!desk.home.work().join("made").exists());
    desk.approve();
    assert_eq!(touch(), Ok((String::new(), Some(0))));
    assert!(desk.home.work().join("made").exists());
    // A program that does more than anybody said sees nothing of the home.
    assert!(ran(&desk, command(&["spy"])).is_err());
    desk.approve();
    let (text, code) = ran(&desk, command(&["spy"])).unwrap();
    assert!(code != Some(0) && !text.contains("hunter2"), "{text}");
}

#[test]
fn what_a_shell_would_be_needed_for_is_refused_with_what_to_send() {
    let desk = Desk::new();
    for words in [
        &["ls && rm x"][..],
        &["ls *"],
        &["sh", "-c", "echo $HOME"],
        &["a | b"],
        &[],
    ] {
        let error = ran(&desk, command(words)).unwrap_err();
        assert!(error.starts_with("VALIDATION_ERROR"), "{words:?}: {error}");
    }
    let steering = |name: &str| TerminalCommand {
        variables: vec![(name.to_owned(), "x".to_owned())],
        ..command(&["ls"])
    };
    for name in ["LD_PRELOAD", "PATH", "A=B"] {
        let error = ran(&desk, steering(name)).unwrap_err();
        assert!(error.starts_with("PERMISSION_DENIED"), "{name}: {error}");
    }
    let outside = TerminalCommand {
        directory: Some("..".into()),
        ..command(&["ls"])
    };
    assert!(
        ran(&desk, outside)
            .unwrap_err()
            .starts_with("PATH_TRAVERSAL_BLOCKED")
    );
    assert!(
        ran(&desk, command(&["no-such-program"]))
            .unwrap_err()
            .starts_with("COMMAND_NOT_FOUND")
    );
    let done = desk.record();
    let done = done.iter().filter(|entry| entry["metadata"]["success"] != false);
    assert_eq!(done.count(), 0, "{:#?}", desk.record());
}

#[test]
fn output_streams_and_a_kill_ends_the_whole_of_it() {
    let desk = Desk::new();
    block_on(async {
        let terminal = desk
            .governor
            .start(command(&["tail", "-f", "/dev/null"]))
            .await
            .unwrap();
        assert_eq!(terminal.output().exit, None);
        terminal.kill();
        let exit = tokio::time::timeout(Duration::from_secs(60), terminal.wait())
            .await
            .unwrap();
        let ended = TerminalExit {
            code: None,
            signal: Some("SIGTERM".to_owned()),
        };
        assert_eq!(exit, ended);
    });
    let record = desk.record();
    let last = record.last().unwrap();
    assert_eq!(
        (&last["action"], &last["metadata"]["error_code"]),
        (&"cli.invoked".into(), &"CANCELLED".into())
    );
}

#[test]
fn credentials_do_not_reach_the_agent() {
    let desk = Making {
        home: Home::new().file("a", "token ghp_0123456789abcdefABCDEF0123456789abcd end\n"),
        ..Making::default()
    }
    .desk();
    let (text, _) = ran(&desk, command(&["cat", "a"])).unwrap();
    assert_eq!(text, "token [redacted] end\n");
}
