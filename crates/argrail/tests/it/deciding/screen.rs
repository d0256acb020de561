//! The full screen: reading, deciding, and giving the terminal back.

use argrail_engine::policy::ApprovalMeans;
use argrail_engine::store::{State, Store};
use argrail_testkit::{Signal, Size, signal, with_time_to_begin};
use serde_json::json;

use super::ground::{Ground, USUAL, force_push, push};

const SMALL: Size = Size {
    rows: 12,
    columns: 40,
};

fn other() -> serde_json::Value {
    let mut shown = push();
    shown["command"] = json!("npm install");
    shown["argv"] = json!(["/usr/bin/npm", "install", "left-pad"]);
    shown["suggest"] = json!("npm install left-pad path=/srv/project");
    shown["scope"]["call"] = json!({
        "tool": "npm", "subcommands": ["install"], "words": ["left-pad"], "options": [], "unverified": [],
        "programs": [], "hosts": "nowhere", "paths": [], "dangers": [],
    });
    shown
}

#[test]
fn a_question_that_comes_is_shown_and_approved_once() {
    let ground = Ground::new();
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("nothing waits");
    let id = ground.ask(&push());
    terminal.expect("1 question waits");
    terminal.expect(&id);
    terminal.expect("0 /usr/bin/git");
    terminal.type_in("a");
    terminal.expect(&format!("Run {id} once, with all its 5 words?"));
    terminal.type_in("y");
    terminal.expect(&format!("{id}: approved, once"));
    terminal.expect("nothing waits");
    let State::Approved(approver) = ground.state(&id) else {
        panic!("{:?}", ground.state(&id));
    };
    assert_eq!(approver.means, ApprovalMeans::Terminal);
    terminal.type_in("q");
    assert_eq!(terminal.wait().0, Some(0));
}

#[test]
fn no_other_key_says_yes() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("1 question waits");
    for key in ["\u{1b}", "n", "a"] {
        terminal.type_in("a");
        terminal.expect("Press y to do that");
        terminal.type_in(key);
        terminal.expect_that("no question", |lines| {
            !lines.iter().any(|line| line.contains("Press y to do that"))
        });
    }
    assert_eq!(ground.state(&id), State::Pending);
    terminal.type_in("\u{3}");
    assert_eq!(terminal.wait().0, Some(0));
}

#[test]
fn a_dangerous_one_needs_its_code() {
    let ground = Ground::new();
    let id = ground.ask(&force_push());
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("DANGER");
    let asked = |lines: &[String]| {
        lines.iter().find_map(|line| {
            let code = line.split_once("To do that, type ")?.1.strip_suffix(':')?;
            Some(code.to_owned())
        })
    };
    terminal.type_in("a");
    terminal.expect_that("a code", |lines| asked(lines).is_some());
    terminal.type_in("y\r");
    terminal.expect("that is not the code");
    assert_eq!(ground.state(&id), State::Pending);
    terminal.type_in("a");
    let lines = terminal.expect_that("a code", |lines| asked(lines).is_some());
    terminal.type_in(&format!("{}\r", asked(&lines).unwrap()));
    terminal.expect(&format!("{id}: approved, once"));
    assert!(matches!(ground.state(&id), State::Approved(_)));
}

#[test]
fn a_time_and_a_pattern_make_grants() {
    let ground = Ground::new();
    let (first, second) = (ground.ask(&push()), ground.ask(&other()));
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("2 questions wait");
    terminal.type_in("t");
    terminal.expect("For how long? 1 15 minutes");
    terminal.type_in("1");
    terminal.expect("for 15 minutes?");
    terminal.type_in("y");
    terminal.expect(&format!("{first}: approved, with the grant g-"));
    terminal.expect("1 question waits");
    let grant = ground.store.grants().unwrap().remove(0);
    let lives = grant.expires_at.unwrap().duration_since(grant.created_at);
    assert_eq!(lives, jiff::SignedDuration::from_mins(15));

    terminal.type_in("j");
    terminal.expect("0 /usr/bin/npm");
    terminal.type_in("p");
    terminal.expect("it covers this question");
    // Everything is taken away and written anew, wrong first.
    terminal.type_in("\u{15}npm run x");
    terminal.expect("does not cover this call");
    terminal.type_in("\r");
    terminal.expect("does not cover this call");
    terminal.type_in("\u{15}npm install *");
    terminal.expect("it covers this question");
    terminal.type_in("\r");
    terminal.expect("For how long?");
    terminal.type_in("4");
    terminal.expect("for 24 hours?");
    terminal.type_in("y");
    terminal.expect(&format!("{second}: approved, with the grant g-"));
    let grants = ground.store.grants().unwrap();
    let patterns: Vec<String> = grants.iter().map(|grant| grant.pattern.to_string()).collect();
    assert!(
        patterns
            .iter()
            .any(|pattern| pattern.starts_with("npm install '*'")),
        "{patterns:?}"
    );
}

#[test]
fn a_denial_has_the_reason_that_was_typed() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("1 question waits");
    terminal.type_in("d");
    terminal.expect(&format!("Deny {id}."));
    terminal.type_in("not todax\u{7f}y\r");
    terminal.expect(&format!("{id}: denied"));
    let State::Denied(_, reason) = ground.state(&id) else {
        panic!("{:?}", ground.state(&id));
    };
    assert_eq!(reason.as_deref(), Some("not today"));
}

#[test]
fn what_is_answered_elsewhere_stays_in_sight_and_takes_no_key() {
    let ground = Ground::new();
    let (first, second) = (ground.ask(&push()), ground.ask(&other()));
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("2 questions wait");
    let elsewhere = ground.at_terminal(&["deny", &first], USUAL);
    assert_eq!(elsewhere.wait().0, Some(0));
    terminal.expect("this question does not wait any more");
    terminal.type_in("a");
    terminal.expect_that("a notice at the bottom", |lines| {
        lines
            .iter()
            .rev()
            .take(2)
            .any(|line| line.contains("does not wait any more"))
    });
    assert_eq!(
        ground.state(&second),
        State::Pending,
        "no key hits the one that moved up"
    );
    terminal.type_in("j");
    terminal.expect("0 /usr/bin/npm");
}

#[test]
fn one_that_expires_says_so() {
    with_time_to_begin(|time| {
        let ground = Ground::new();
        ground.ask_for(&push(), time);
        let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
        let wait = |lines: &[String], what: &str| lines.iter().any(|line| line.contains(what));
        let shown = terminal.expect_that("how many wait", |lines| {
            wait(lines, "1 question waits") || wait(lines, "nothing waits")
        });
        wait(&shown, "1 question waits").then(|| terminal.expect("this question has expired"))
    });
}

/// How many lines of a question are above the screen, and how many below.
fn left(lines: &[String]) -> Option<(usize, usize)> {
    let line = lines.iter().find_map(|line| line.strip_prefix("── "))?;
    let numbers: Vec<usize> = line
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    match (numbers.as_slice(), line.starts_with("the end")) {
        ([above], true) => Some((*above, 0)),
        ([below], false) => Some((0, *below)),
        ([above, below], false) => Some((*above, *below)),
        _ => None,
    }
}

#[test]
fn a_long_question_is_read_to_its_end_on_a_small_screen() {
    let ground = Ground::new();
    let words: Vec<String> = (0..60).map(|number| format!("word-{number}")).collect();
    let mut shown = push();
    shown["argv"] = json!(words);
    ground.ask(&shown);
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], SMALL);
    terminal.expect("git push");
    terminal.type_in("\r");
    let mut page = terminal.expect("lines below: page down ──");
    let (_, total) = left(&page).unwrap();
    let mut seen = Vec::new();
    loop {
        seen.extend(page.iter().filter_map(|line| {
            let (number, word) = line.trim_start().split_once(' ')?;
            number
                .parse::<usize>()
                .ok()
                .map(|number| (number, word.to_owned()))
        }));
        let (above, below) = left(&page).unwrap();
        if below == 0 {
            break;
        }
        terminal.type_in(" ");
        // What is drawn in part does not add up.
        page = terminal.expect_that("the next page", |lines| {
            left(lines).is_some_and(|(now, below)| now > above && now + below == total)
        });
    }
    for (number, word) in words.iter().enumerate() {
        assert!(seen.contains(&(number, word.clone())), "{word}: {seen:?}");
    }
}

#[test]
fn it_follows_the_size_of_its_window() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
    terminal.expect("│");
    terminal.resize(SMALL);
    terminal.expect_that("one side", |lines| {
        !lines.iter().any(|line| line.contains('│'))
            && lines.iter().any(|line| line.contains("? help  q quit"))
            && lines.iter().any(|line| line.contains(&id))
    });
    terminal.resize(USUAL);
    terminal.expect("│");
    terminal.type_in("?");
    terminal.expect("run it once");
    terminal.type_in("x");
    terminal.expect("│");
    terminal.type_in("q");
    assert_eq!(terminal.wait().0, Some(0));
}

/// Whether whoever started the tests had this signal ignored.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .unwrap();
    let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
    mask & (1 << (signal.as_raw() - 1)) != 0
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let sent = [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)];
    // Who is started by `nohup` ignores the last one, and so do we: our children inherit that.
    for (sent, exit) in sent.into_iter().filter(|(signal, _)| !is_ignored(*signal)) {
        let ground = Ground::new();
        let mut terminal = ground.at_terminal(&["approvals", "--watch"], USUAL);
        terminal.expect("nothing waits");
        assert!(terminal.is_alternate());
        signal(terminal.pid(), sent);
        // `wait` looks whether the screen and the cursor are as they were.
        assert_eq!(terminal.wait().0, Some(exit));
    }
}
