//! Nobody is there to answer: a program that asks is answered for, quickly and with what to write instead.

use serde_json::json;

use super::cancelled::pipe;
use super::ground::{call, home, vouched};

/// The commands that are known to ask are not even started.
#[test]
fn a_command_that_is_known_to_ask_is_answered_with_what_to_write_instead() {
    // Whether these are installed makes no difference.
    for (command, advice) in [
        ("vi note", "sed"),
        ("less note", "cat"),
        ("passwd", ""),
        ("sudo ls", "sudo -n"),
        ("ssh h ls", "BatchMode"),
        ("git commit", "-m"),
        ("git rebase -i HEAD~2", ""),
        ("gpg --gen-key", "--batch"),
        ("npm init", "-y"),
        ("rm -i note", "rm"),
        ("python3", "-c"),
        ("apt install x", "-y"),
        ("nice vi note", "sed"),
    ] {
        let home = home().file("note", "hello\n");
        let run = call(&home, command);
        let error = &run.json()["error"];
        assert_eq!(error["code"], "VALIDATION_ERROR", "{command}: {run}");
        assert!(
            error["message"].as_str().unwrap().contains("prompts"),
            "{command}: {run}"
        );
        assert!(
            error["hint"].as_str().unwrap().contains(advice),
            "{command}: {run}"
        );
        assert!(home.work().join("note").exists());
    }
}

/// A program that asks without anybody knowing: its input is at its end, and it says so or fails.
#[test]
fn a_program_that_asks_finds_nobody() {
    for (script, kind) in [
        ("printf 'Password: '; read x || exit 1", "password"),
        ("printf 'Continue? [y/N] ' >&2; read x || exit 1", "confirmation"),
        ("printf 'Username for x: '; read x || exit 1", "credentials"),
        ("echo 'the input device is not a TTY' >&2; exit 1", "terminal"),
        ("echo 'E: no lock, are you root?' >&2; exit 100", "rights"),
        // No answer is a no for some, and then all is well to them.
        ("printf 'asker: remove file? ' >&2; exit 0", "confirmation"),
    ] {
        let home = vouched(home(), "asker", script, &json!({}));
        let run = call(&home, "asker");
        let error = &run.json()["error"];
        assert_eq!(error["prompt"], kind, "{script}: {run}");
        assert!(!error["hint"].as_str().unwrap().is_empty(), "{script}: {run}");
        assert_eq!(run.exit, Some(1), "{script}: {run}");
    }
}

/// A program that asks and then waits for something else than its input is ended.
#[test]
fn a_program_that_asks_and_waits_is_ended() {
    for (script, kind) in [
        ("printf 'Password: '; read x < never", "password"),
        ("printf 'Overwrite? (y/n) '; read x < never", "confirmation"),
        // What it says while it is ended is not what it asked.
        (
            "trap 'echo; echo none given; exit 1' TERM; printf 'Password: '; read x < never",
            "password",
        ),
    ] {
        let home = vouched(home(), "asker", script, &json!({}));
        pipe(&home.work().join("never"));
        let run = call(&home, "asker");
        assert_eq!(run.json()["error"]["prompt"], kind, "{script}: {run}");
    }
}

#[test]
fn a_program_that_only_speaks_of_passwords_is_left_alone() {
    for script in [
        "echo 'Password: is what it says'; exit 0",
        // What it prints is data, however it ends.
        "printf 'the last words of a file: Password: '; exit 0",
    ] {
        let home = vouched(home(), "speaker", script, &json!({}));
        let run = call(&home, "speaker");
        assert_eq!(run.json()["success"], true, "{script}: {run}");
    }
}
