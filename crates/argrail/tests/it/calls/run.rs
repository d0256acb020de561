//! `argrail run`: the path of an agent's call, for a person.

use serde_json::json;

use super::ground::{home, is_held, vouched};
use crate::ARGRAIL;

#[test]
fn a_person_sees_what_the_program_prints_and_how_it_ended() {
    let script = "echo out; echo err >&2; printf '\\033[31mred'; exit \"$1\"";
    let home = vouched(home(), "teller", script, &json!({}));
    for number in [0, 1, 7, 255] {
        let run = home.run(ARGRAIL, &["run", "--", "teller", &number.to_string()]);
        assert_eq!(run.exit, Some(number), "{run}");
        assert_eq!(
            run.stdout, "out\n\u{1b}[31mred",
            "to a pipe it goes as it is: {run}"
        );
        assert_eq!(run.stderr, "err\n", "{run}");
    }
}

#[test]
fn a_signal_is_told_as_a_shell_does() {
    let home = vouched(home(), "dier", "kill -9 $$", &json!({}));
    let run = home.run(ARGRAIL, &["run", "--", "dier"]);
    assert_eq!(run.exit, Some(137), "{run}");
}

#[test]
fn what_is_piped_in_is_read() {
    let home = home().file("note", "hello\n");
    let run = home.run_with_input(ARGRAIL, &["run", "--", "cat"], "from the pipe\n");
    assert_eq!(
        (run.exit, run.stdout.as_str()),
        (Some(0), "from the pipe\n"),
        "{run}"
    );
    let run = home.run_with_input(ARGRAIL, &["run", "--", "sort", "-", "note"], "b\na\n");
    assert_eq!(run.stdout, "a\nb\nhello\n", "{run}");
    let long = "0123456789abcde\n".repeat(100_000);
    let run = home.run_with_input(ARGRAIL, &["run", "--", "cat"], &long);
    assert_eq!(run.stdout.len(), long.len());
    // Who does not read it is not harmed.
    let run = home.run_with_input(ARGRAIL, &["run", "--", "true"], &long);
    assert_eq!(run.exit, Some(0), "{run}");
}

#[test]
fn an_envelope_is_printed_on_request() {
    let home = vouched(
        home(),
        "teller",
        "echo out; exit \"$1\"",
        &json!({"x-exit": {"3": "ok"}}),
    );
    let run = home.run(ARGRAIL, &["run", "--json", "--", "teller", "3"]);
    assert_eq!(run.exit, Some(3), "{run}");
    assert_eq!(
        run.json()["data"],
        json!({"exitCode": 3, "stdout": "out\n", "stderr": ""}),
        "{run}"
    );
    let run = home.run(ARGRAIL, &["run", "--json", "--", "teller", "4"]);
    assert_eq!(run.json()["error"]["code"], "EXECUTION_ERROR", "{run}");
}

#[test]
fn what_is_piped_in_is_read_for_an_envelope_too() {
    let home = home();
    let run = home.run_with_input(ARGRAIL, &["run", "--json", "--", "sort"], "b\na\n");
    assert_eq!(run.json()["data"]["stdout"], "a\nb\n", "{run}");
    let run = home.run(ARGRAIL, &["run", "--json", "--", "cat"]);
    assert_eq!(run.json()["data"]["stdout"], "", "nothing was piped in: {run}");
}

#[test]
fn what_is_held_for_agents_is_held_for_run() {
    let home = home();
    let run = home.run(ARGRAIL, &["run", "--", "touch", "m"]);
    assert_eq!(run.exit, Some(5), "{run}");
    assert_eq!(run.stdout, "", "{run}");
    assert!(run.stderr.contains("argrail approve"), "{run}");
    let run = home.run(ARGRAIL, &["run", "--json", "--", "touch", "m"]);
    assert_eq!(run.exit, Some(5), "{run}");
    is_held(&run.json());
    assert!(!home.work().join("m").exists());
}

#[test]
fn words_are_passed_as_they_are() {
    let home = vouched(
        home(),
        "teller",
        "for word; do echo \"<$word>\"; done",
        &json!({}),
    );
    let run = home.run(
        ARGRAIL,
        &["run", "--", "teller", "a b", "", "$x", "'q'", "new\nline"],
    );
    assert_eq!(run.stdout, "<a b>\n<>\n<$x>\n<'q'>\n<new\nline>\n", "{run}");
}
