//! `argrail repl`: lines from a pipe, and a person at a terminal.

use argrail_testkit::Home;

use super::ARGRAIL;

#[test]
fn lines_from_a_pipe_are_answered_one_by_one() {
    let run = Home::new().run_with_input(ARGRAIL, &["repl"], "version\n\nnope\nhelp x-argrail\n");
    assert_eq!(run.exit, Some(0), "{run}");
    let answers: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let success: Vec<bool> = answers
        .iter()
        .map(|answer| answer["success"].as_bool().unwrap())
        .collect();
    assert_eq!(success, [true, false, true]);
}

#[test]
fn a_person_gets_completion_colour_and_history() {
    let home = Home::new().env("TERM", "xterm");
    let mut terminal = home.spawn_on_terminal(ARGRAIL, &["repl"]);
    terminal.expect("argrail> ");
    terminal.type_in("x-arg\tabo\t\r");
    let shown = terminal.expect("\"duration_ms\"");
    assert!(shown.contains("x-argrail about"), "{shown:?}");
    assert!(
        shown.contains("\u{1b}[34m\"success\""),
        "keys are coloured: {shown:?}"
    );
    terminal.expect("argrail> ");
    terminal.type_in("help 'x-\rargrail'\r");
    // An open quote goes on in the next line.
    terminal.expect(r"Command 'x-\\nargrail' not found");
    terminal.expect("argrail> ");
    terminal.type_in("exit\r");
    assert_eq!(terminal.wait(), Some(0));

    let mut again = home.spawn_on_terminal(ARGRAIL, &["repl"]);
    again.expect("argrail> ");
    again.type_in("\u{1b}[A\u{1b}[A\r");
    again.expect(r"Command 'x-\\nargrail' not found");
    again.expect("argrail> ");
    again.type_in("\u{4}");
    assert_eq!(again.wait(), Some(0));
}

#[test]
fn no_color_is_kept() {
    let home = Home::new().env("TERM", "xterm").env("NO_COLOR", "1");
    let mut terminal = home.spawn_on_terminal(ARGRAIL, &["repl"]);
    terminal.expect("argrail> ");
    terminal.type_in("version\r");
    let shown = terminal.expect("\"acli_version\": \"0.1.0\"");
    assert!(!shown.contains("\u{1b}[3"), "{shown:?}");
    // Only at the prompt: what is typed before it is lost when the line editor takes the terminal over.
    terminal.expect("argrail> ");
    terminal.type_in("\u{4}");
    assert_eq!(terminal.wait(), Some(0));
}
