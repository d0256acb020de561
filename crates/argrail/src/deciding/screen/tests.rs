//! Keys and frames, without a terminal.

use std::time::Duration;

use argrail_engine::policy::RequestId;
use argrail_engine::store::Request;
use insta::assert_snapshot;
use jiff::SignedDuration;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::json;

use super::super::asked::Asked;
use super::super::choice::{Choice, Decision};
use super::super::example;
use super::draw::draw;
use super::key::Key;
use super::press::{Step, Tools};
use super::state::{Mode, State};

fn named(id: &str, request: Request) -> Asked {
    let request = Request {
        id: RequestId(id.to_owned()),
        ..request
    };
    Asked::read(&request).unwrap()
}

fn harmless(id: &str) -> Asked {
    named(id, example::of_words(&["/usr/bin/git", "push", "origin"]))
}

fn dangerous(id: &str) -> Asked {
    named(id, example::request())
}

fn state(list: Vec<Asked>) -> State {
    let now = example::NOW + SignedDuration::from_secs(12);
    let mut state = State::new(now);
    state.update(list, 0, now);
    state
}

/// Every pattern but `no` fits, and every code is `kx7m`.
fn press(state: &mut State, key: Key) -> Step {
    let check = |scope: &str, _: &Asked| match scope {
        "no" => Err("it does not fit".to_owned()),
        _ => Ok(()),
    };
    let tools = Tools {
        check: &check,
        code: &|| Some("kx7m".to_owned()),
    };
    state.press(key, &tools)
}

/// Presses keys one by one and returns the answers that come of them. `\n` is enter, `\t` escape.
fn typed(state: &mut State, keys: &str) -> Vec<(String, Choice)> {
    let mut decided = Vec::new();
    for c in keys.chars() {
        let key = match c {
            '\n' => Key::Enter,
            '\t' => Key::Escape,
            c => Key::Char(c),
        };
        match press(state, key) {
            Step::Draw => {}
            Step::Decide(decision) => {
                let Decision { asked, choice } = *decision;
                decided.push((asked.id, choice));
            }
            Step::Leave => decided.push(("left".to_owned(), Choice::Once)),
        }
    }
    decided
}

fn frame(state: &mut State, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    draw(state, &mut buffer);
    let lines = (0..height).map(|y| {
        let line: String = (0..width)
            .map(|x| buffer.cell((x, y)).unwrap().symbol())
            .collect();
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn keys_make_decisions_and_only_on_purpose() {
    let grant = |scope: &str, minutes: u64| Choice::Grant {
        scope: scope.to_owned(),
        lives: Some(Duration::from_secs(minutes * 60)),
        session: None,
    };
    let suggested = "git push origin main --force";
    let check = |keys: &str, want: &[(&str, Choice)]| {
        let mut state = state(vec![harmless("aaaaaa"), dangerous("bbbbbb")]);
        let decided = typed(&mut state, keys);
        let want: Vec<(String, Choice)> = want
            .iter()
            .map(|(id, choice)| ((*id).to_owned(), choice.clone()))
            .collect();
        assert_eq!(decided, want, "{keys:?}");
    };
    check("ay", &[("aaaaaa", Choice::Once)]);
    check("an", &[]);
    check("a\t", &[]);
    check("a\n", &[]);
    check("y", &[]);
    check("jay", &[]);
    check("jakx7m\n", &[("bbbbbb", Choice::Once)]);
    check("jakx7\n", &[]);
    check("jakx7n\nkx7m\n", &[]);
    check("t2y", &[("aaaaaa", grant(suggested, 60))]);
    check("t9y\t", &[]);
    check("t\t2y", &[]);
    check("jt4kx7m\n", &[("bbbbbb", grant(suggested, 24 * 60))]);
    check("pX\n1y", &[("aaaaaa", grant(&format!("{suggested}X"), 15))]);
    check("d\n", &[("aaaaaa", Choice::Deny(None))]);
    check(
        "dno way\n",
        &[("aaaaaa", Choice::Deny(Some("no way".to_owned())))],
    );
    check("dno\t", &[]);
    check("?ay", &[]);
    check("?xay", &[("aaaaaa", Choice::Once)]);
    check("q", &[("left", Choice::Once)]);
}

#[test]
fn a_pattern_that_does_not_fit_goes_no_further() {
    let mut state = state(vec![harmless("aaaaaa")]);
    press(&mut state, Key::Char('p'));
    press(&mut state, Key::EraseAll);
    assert_eq!(typed(&mut state, "no\n2y"), []);
    assert!(matches!(state.mode, Mode::Scope { .. }), "{:?}", state.mode);
}

#[test]
fn what_moves_up_is_not_hit() {
    let mut state = state(vec![harmless("aaaaaa"), harmless("bbbbbb")]);
    let later = state.now;
    press(&mut state, Key::Char('a'));
    // Between the key and the yes the question was answered elsewhere, and another is first now.
    state.update(vec![harmless("bbbbbb")], 0, later);
    let Step::Decide(decision) = press(&mut state, Key::Char('y')) else {
        panic!("{:?}", state.mode);
    };
    assert_eq!(decision.asked.id, "aaaaaa", "the store says that it is too late");
    assert_eq!(typed(&mut state, "ay"), [], "it is over, and stays in sight");
    assert_eq!(typed(&mut state, "jay"), [("bbbbbb".to_owned(), Choice::Once)]);
}

#[test]
fn a_wide_screen_shows_both_sides() {
    let mut state = state(vec![harmless("aaaaaa"), dangerous("bbbbbb")]);
    press(&mut state, Key::Down);
    press(&mut state, Key::Char('a'));
    assert_snapshot!(frame(&mut state, 80, 24), @r#"
     argrail: 2 questions wait
      aaaaaa    12 s git push │    command git push
    >!bbbbbb    12 s git push │         id bbbbbb
                              │   asked by 'local:helper', who says to be 'helper'
                              │       when 12 s ago; expires in 9 min
                              │         in /srv/project
                              │     DANGER it destroys something, or cannot be undo↩
                              │            ne
                              │
                              │ its words, one a line, as they will run
                              │   0 /usr/bin/git
                              │   1 push
                              │   2 --force
                              │   3 origin
                              │   4 main
                              │
                              │ how the tool reads them
                              │   - option '--force'
                              │   - words 'origin', 'main'
                              │ ── 22 lines below: page down ──
    Run bbbbbb once, with all its 5 words?
    It is dangerous. To do that, type kx7m:
      > ▏
     enter: go on   esc: back
    "#);
}

#[test]
fn a_small_screen_shows_one_side() {
    let mut state = state(vec![harmless("aaaaaa"), dangerous("bbbbbb")]);
    assert_snapshot!(frame(&mut state, 40, 12), @r#"
     argrail: 2 questions wait
    > aaaaaa    12 s git push
     !bbbbbb    12 s git push








     a t p d  ? help  q quit
    "#);
    press(&mut state, Key::Enter);
    press(&mut state, Key::Char('t'));
    assert_snapshot!(frame(&mut state, 40, 12), @r#"
     argrail: 2 questions wait
    a yes also allows, without a question, ↩
    what this caller does within
      pattern git push origin main --force

       command git push
            id aaaaaa
      asked by 'local:helper', who says to ↩
    ── 36 lines below: page down ──
    For how long? 1 15 minutes   2 1 hour  ↩
     3 8 hours   4 24 hours
     1 2 3 4   esc: back
    "#);
}

#[test]
fn a_high_screen_shows_one_above_the_other() {
    let mut state = state(vec![harmless("aaaaaa")]);
    let text = frame(&mut state, 50, 30);
    let rule = text.lines().position(|line| line.starts_with("──────")).unwrap();
    assert_eq!(rule, 6, "{text}");
    assert!(
        text.lines().nth(rule + 1).unwrap().contains("command git push"),
        "{text}"
    );
}

#[test]
fn every_size_is_drawn() {
    for width in [0, 1, 3, 4, 5, 9, 20, 40, 75, 76, 77, 99] {
        for height in [0, 1, 3, 4, 5, 6, 8, 12, 21, 22, 40] {
            for keys in ["", "a", "ja", "p", "t", "t1", "d", "?", "\n"] {
                let mut state = state(vec![harmless("aaaaaa"), dangerous("bbbbbb")]);
                typed(&mut state, keys);
                frame(&mut state, width, height);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn foreign_text_stays_on_its_side(words in proptest::collection::vec(any::<String>(), 1..8), command in any::<String>()) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut request = example::of_words(&words);
        request.shown["command"] = json!(command);
        let mut state = state(vec![named("aaaaaa", request)]);
        let text = frame(&mut state, 90, 40);
        for line in text.lines().skip(1).take(38) {
            let bars = line.chars().filter(|c| *c == '│').count();
            prop_assert_eq!(bars, 1, "{}", line);
        }
        prop_assert!(!text.chars().any(|c| c != '\n' && argrail_acli::is_invisible(c)));
    }

    #[test]
    fn any_keys_are_taken(keys in "[ajktpdqy?1-4\n\t x]{0,24}") {
        let mut state = state(vec![harmless("aaaaaa"), dangerous("bbbbbb")]);
        for (id, choice) in typed(&mut state, &keys) {
            // What is dangerous is never approved without its code, and none of these keys types it.
            let approved = !matches!(choice, Choice::Deny(_));
            prop_assert!(!(approved && id == "bbbbbb"), "{:?}", choice);
        }
        frame(&mut state, 80, 24);
    }
}
