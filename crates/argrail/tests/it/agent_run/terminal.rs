//! A person at a terminal: questions, what an agent cannot write, and Ctrl-C.

use super::ground::{on_screen, project};

const ASKS: &str = "▌ argrail asks: may the agent do this?";

#[test]
fn a_question_is_answered_where_it_is_shown() {
    for (answer, said) in [("a\n", "did it"), ("d\nnot now\n", "left it")] {
        let home = project();
        let mut screen = on_screen(&home, &["ask"]);
        screen.expect("a allow once, d deny, s show all:");
        for line in answer.split_inclusive('\n') {
            screen.type_in(line);
            if line == "d\n" {
                screen.expect("▌ why, for the agent");
            }
        }
        let shown = screen.expect(said);
        assert!(shown.iter().any(|line| line == ASKS), "{shown:#?}");
        let (exit, shown) = screen.wait();
        assert_eq!(exit, Some(0), "{shown:#?}");
    }
}

#[test]
fn everything_is_shown_to_whoever_wants_to_see_it() {
    let home = project();
    let mut screen = on_screen(&home, &["ask"]);
    screen.expect("s show all:");
    screen.type_in("s\n");
    let shown = screen.expect_that("the question a second time", |lines| {
        lines.iter().filter(|line| line.contains("s show all:")).count() == 2
    });
    assert!(
        shown.iter().any(|line| line == "▌ what the sandbox allows"),
        "{shown:#?}"
    );
    screen.type_in("a\n");
    screen.expect("did it");
    assert_eq!(screen.wait().0, Some(0));
}

#[test]
fn what_destroys_wants_its_code() {
    let home = project();
    let mut screen = on_screen(&home, &["danger"]);
    let shown = screen.expect("It is dangerous.");
    screen.type_in("a\n");
    screen.expect_that("the question a second time", |lines| {
        lines
            .iter()
            .filter(|line| line.contains("It is dangerous."))
            .count()
            == 2
    });
    let line = shown
        .iter()
        .find(|line| line.contains("It is dangerous."))
        .unwrap();
    let code = line
        .split("dangerous. ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    screen.type_in(&format!("{code}\n"));
    screen.expect("did it");
    assert_eq!(screen.wait().0, Some(0));
}

#[test]
fn an_agent_cannot_write_a_line_of_ours() {
    let home = project();
    let mut screen = on_screen(&home, &["hostile"]);
    screen.expect("a allow once, d deny, s show all:");
    let shown = screen.lines();
    let ours: Vec<&String> = shown.iter().filter(|line| line.starts_with('▌')).collect();
    assert_eq!(
        ours.iter().filter(|line| line.as_str() == ASKS).count(),
        1,
        "{shown:#?}"
    );
    assert!(
        shown
            .iter()
            .any(|line| line.starts_with("  \\u{258c} argrail asks")),
        "{shown:#?}"
    );
    assert!(shown.iter().any(|line| line.contains("\\u{1b}[2J")), "{shown:#?}");
    assert!(!shown.iter().any(|line| line.contains('┃')), "{shown:#?}");
    screen.type_in("d\n");
    screen.expect("▌ why, for the agent");
    screen.type_in("\n");
    screen.expect("left it");
    assert_eq!(screen.wait().0, Some(0));
}

#[test]
fn an_interrupt_cancels_the_turn() {
    let home = project();
    let mut screen = on_screen(&home, &["wait"]);
    screen.expect("waiting");
    screen.type_in("\u{3}");
    screen.expect("▌ cancelling the turn; Ctrl-C again ends the session");
    let (exit, shown) = screen.wait();
    assert_eq!(exit, Some(130), "{shown:#?}");
}

#[test]
fn an_interrupt_takes_a_question_back() {
    let home = project();
    let mut screen = on_screen(&home, &["ask"]);
    screen.expect("s show all:");
    screen.type_in("\u{3}");
    let (exit, shown) = screen.wait();
    assert_eq!(exit, Some(130), "{shown:#?}");
}

#[test]
fn a_second_interrupt_ends_the_session_at_once() {
    let home = project();
    let mut screen = on_screen(&home, &["deaf"]);
    screen.expect("deaf");
    screen.type_in("\u{3}");
    screen.expect("cancelling");
    screen.type_in("\u{3}");
    let (exit, shown) = screen.wait();
    assert_eq!(exit, Some(130), "{shown:#?}");
}
