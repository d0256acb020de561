//! `approve` and `deny` at a terminal: once, for a time, for a pattern, with a code, and not at all.

use std::time::Duration;

use argrail_engine::policy::ApprovalMeans;
use argrail_engine::store::{State, Store};
use serde_json::json;

use super::ground::{Ground, TALL, force_push, push, say_yes};

#[test]
fn a_person_says_yes_once_and_is_shown_all_of_it() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let mut terminal = ground.at_terminal(&["approve", &id], TALL);
    let lines = terminal.expect("Run this, with all its 5 words? Type y for yes:");
    assert_eq!(ground.state(&id), State::Pending, "nobody has said anything yet");
    for wanted in [
        "   command git push",
        "  asked by 'local:helper', who says to be 'helper'",
        "  0 /usr/bin/git",
        "  2 --tags",
        "  4 main",
        "  - option '--tags'",
        "  - 'network', 'changes a remote'",
        "  - 'ask' by rule 'change' because of 'network', said by 'catalogue:git'",
        "  - may reach 'git.example.com'",
        "  - may write nothing",
    ] {
        assert!(lines.iter().any(|line| line == wanted), "{wanted}: {lines:#?}");
    }
    terminal.type_in("y\n");
    let (exit, lines) = terminal.wait();
    assert_eq!(exit, Some(0), "{lines:#?}");
    assert!(lines.contains(&format!("{id}: approved, once")), "{lines:#?}");
    let State::Approved(approver) = ground.state(&id) else {
        panic!("{:?}", ground.state(&id));
    };
    assert_eq!((approver.means, approver.grant), (ApprovalMeans::Terminal, None));
    assert!(!approver.who.is_empty());
    assert_eq!(ground.store.grants().unwrap(), []);
}

#[test]
fn to_name_a_question_is_no_yes_to_it() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    for typed in ["n\n", "\n", "no\n", "\u{4}"] {
        let mut terminal = ground.at_terminal(&["approve", &id, "--for", "1h"], TALL);
        terminal.expect("and allow more as shown above? Type y");
        terminal.type_in(typed);
        let (exit, lines) = terminal.wait();
        assert_eq!(exit, Some(3), "{typed:?}: {lines:#?}");
        assert!(lines.concat().contains("goes on waiting"), "{lines:#?}");
        assert_eq!(ground.state(&id), State::Pending, "{typed:?}");
    }
    assert_eq!(ground.store.grants().unwrap(), []);
    // A line that was pasted along with the command is no answer to a question that nobody had seen.
    let line = format!("read go; exec {} approve {id}", crate::ARGRAIL);
    let mut terminal = ground.home.spawn_on_screen("/bin/sh", &["-c", &line], TALL);
    terminal.type_in("go\ny\n");
    terminal.expect("Type y for yes:");
    terminal.type_in("n\n");
    assert_eq!(terminal.wait().0, Some(3));
    assert_eq!(ground.state(&id), State::Pending);
}

#[test]
fn a_terminal_is_one_however_its_streams_were_opened() {
    for streams in ["</dev/tty", "</dev/tty 2>/dev/null", ">/dev/null 2>/dev/null"] {
        let ground = Ground::new();
        let id = ground.ask(&push());
        let line = format!("{} approve {id} {streams}", crate::ARGRAIL);
        let mut terminal = ground.home.spawn_on_screen("/bin/sh", &["-c", &line], TALL);
        say_yes(&mut terminal);
        assert_eq!(terminal.wait().0, Some(0), "{streams}");
        assert!(matches!(ground.state(&id), State::Approved(_)), "{streams}");
    }
}

#[test]
fn a_dangerous_one_needs_its_code() {
    let ground = Ground::new();
    let id = ground.ask(&force_push());
    let wrong = {
        let mut terminal = ground.at_terminal(&["approve", &id], TALL);
        terminal.expect("DANGER it destroys something");
        terminal.expect("type ");
        terminal.type_in("y\n");
        terminal.wait()
    };
    assert_eq!(wrong.0, Some(3), "{:#?}", wrong.1);
    assert_eq!(ground.state(&id), State::Pending);

    assert_eq!(ground.approve_with_code(&["approve", &id]).0, Some(0));
    assert!(matches!(ground.state(&id), State::Approved(_)));
}

#[test]
fn what_nobody_has_read_needs_its_code_and_is_called_what_it_is() {
    let ground = Ground::new();
    let mut shown = push();
    shown["unread"] = json!(true);
    let id = ground.ask(&shown);
    let mut terminal = ground.at_terminal(&["approve", &id], TALL);
    let lines = terminal.expect("type ");
    assert!(
        lines.contains(&"    DANGER it runs a text, a program or words that nobody has read".to_owned()),
        "{lines:#?}"
    );
    assert!(!lines.iter().any(|line| line.contains("destroys")), "{lines:#?}");
    terminal.type_in("y\n");
    assert_eq!(terminal.wait().0, Some(3));
    assert_eq!(ground.state(&id), State::Pending);
    assert_eq!(ground.approve_with_code(&["approve", &id]).0, Some(0));
    assert!(matches!(ground.state(&id), State::Approved(_)));
}

#[test]
fn a_grant_for_a_time_covers_what_was_suggested() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let (exit, lines) = ground.approve(&id, &["--for", "15m"]);
    assert_eq!(exit, Some(0), "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("pattern git push origin main --tags=")),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("time for 15m")),
        "{lines:#?}"
    );
    let grants = ground.store.grants().unwrap();
    let [grant] = grants.as_slice() else {
        panic!("{grants:?}");
    };
    assert_eq!(grant.caller.as_deref(), Some("local:helper"));
    assert_eq!(grant.request.as_deref(), Some(id.as_str()));
    let lives = grant.expires_at.unwrap().duration_since(grant.created_at);
    assert_eq!(lives, jiff::SignedDuration::from_mins(15));
    let State::Approved(approver) = ground.state(&id) else {
        panic!("{:?}", ground.state(&id));
    };
    assert_eq!(approver.grant.as_ref(), Some(&grant.id));

    let (exit, listed) = ground.json(&["grants", "--json"]);
    assert_eq!(exit, Some(0));
    let listed = &listed["data"]["grants"][0];
    assert_eq!(listed["id"], json!(grant.id));
    assert_eq!(listed["state"], "active");
    assert_eq!(listed["uses"], 0);
    assert_eq!(listed["pattern"], json!(grant.pattern.to_string()));
}

#[test]
fn a_pattern_lasts_an_hour_unless_it_is_said_otherwise_and_must_cover_the_question() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let beside = ground.at_terminal(&["approve", &id, "--scope", "git pull **"], TALL);
    let (exit, lines) = beside.wait();
    assert_eq!(exit, Some(2), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.contains("does not cover what")),
        "{lines:#?}"
    );
    let wrong = ground.at_terminal(&["approve", &id, "--scope", "--x"], TALL);
    assert_eq!(wrong.wait().0, Some(2));
    assert_eq!(ground.state(&id), State::Pending);

    let scope = "git push origin * --tags host=git.example.com";
    let mut terminal = ground.at_terminal(&["approve", &id, "--scope", scope], TALL);
    terminal.expect("time for 1h");
    say_yes(&mut terminal);
    assert_eq!(terminal.wait().0, Some(0));
    let grant = ground.store.grants().unwrap().remove(0);
    assert_eq!(
        grant.expires_at.unwrap().duration_since(grant.created_at),
        jiff::SignedDuration::from_hours(1)
    );

    let forever = ground.ask(&{
        let mut other = push();
        other["cwd"] = json!("/srv/other");
        other["suggest"] = json!("git push origin main --tags= host=git.example.com path=/srv/other");
        other
    });
    let mut terminal = ground.at_terminal(&["approve", &forever, "--for", "forever"], TALL);
    terminal.expect("time until it is taken back");
    say_yes(&mut terminal);
    assert_eq!(terminal.wait().0, Some(0));
    let grants = ground.store.grants().unwrap();
    assert!(
        grants.iter().any(|grant| grant.expires_at.is_none()),
        "{grants:?}"
    );
}

#[test]
fn a_denial_keeps_its_reason() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let terminal = ground.at_terminal(&["deny", &id, "--reason", " not on a Friday "], TALL);
    let (exit, lines) = terminal.wait();
    assert_eq!(exit, Some(0), "{lines:#?}");
    let State::Denied(approver, reason) = ground.state(&id) else {
        panic!("{:?}", ground.state(&id));
    };
    assert_eq!(reason.as_deref(), Some("not on a Friday"));
    assert_eq!(approver.means, ApprovalMeans::Terminal);
    // Too late, told with what became of it.
    let (exit, lines) = ground.at_terminal(&["approve", &id], TALL).wait();
    assert_eq!(exit, Some(2), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.contains("was denied by")),
        "{lines:#?}"
    );
}

#[test]
fn what_cannot_be_shown_can_only_be_denied() {
    let ground = Ground::new();
    let id = ground.ask(&json!({"command": "git push"}));
    let (exit, lines) = ground.at_terminal(&["approve", &id], TALL).wait();
    assert_eq!(exit, Some(1), "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains(&format!("argrail deny '{id}'"))),
        "{lines:#?}"
    );
    assert_eq!(ground.at_terminal(&["deny", &id], TALL).wait().0, Some(0));
    assert!(matches!(ground.state(&id), State::Denied(..)));
}

#[test]
fn without_a_terminal_nobody_decides() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    for verb in ["approve", "deny", "revoke"] {
        let (exit, answer) = ground.json(&[verb, &id, "--json"]);
        assert_eq!(exit, Some(3), "{answer}");
        assert_eq!(answer["error"]["code"], "PERMISSION_DENIED");
        let hint = answer["error"]["hint"].as_str().unwrap();
        assert!(
            hint.contains("at a terminal") && hint.contains("--token-file"),
            "{hint}"
        );
    }
    let yes = ground
        .home
        .run_with_input(crate::ARGRAIL, &["approve", &id], "y\n");
    assert_eq!(yes.exit, Some(3), "{yes}");
    assert_eq!(ground.state(&id), State::Pending);
    // A terminal is one, whichever session it belongs to.
    let mut other = ground.home.spawn_on_terminal(crate::ARGRAIL, &["approve", &id]);
    other.expect("Type y for yes:");
    other.type_in("y\n");
    other.expect("approved, once");
    assert_eq!(other.wait(), Some(0));
    assert!(matches!(ground.state(&id), State::Approved(_)));
}

#[test]
fn what_is_unknown_or_over_is_told_with_the_next_command() {
    let ground = Ground::new();
    let (exit, lines) = ground.at_terminal(&["approve", "zzzzzz"], TALL).wait();
    assert_eq!(exit, Some(2), "{lines:#?}");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("no question has the name 'zzzzzz'")),
        "{lines:#?}"
    );
    assert!(
        lines.iter().any(|line| line.contains("argrail approvals")),
        "{lines:#?}"
    );

    let id = ground.ask_for(&push(), Duration::from_nanos(1));
    let (exit, lines) = ground.at_terminal(&["approve", &id], TALL).wait();
    assert_eq!(exit, Some(5), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.contains("has expired")),
        "{lines:#?}"
    );
    let (exit, _) = ground.at_terminal(&["deny", &id], TALL).wait();
    assert_eq!(exit, Some(5));
}

#[test]
fn with_json_what_is_approved_is_on_the_terminal_and_the_envelope_on_stdout() {
    let ground = Ground::new();
    let id = ground.ask(&push());
    let (exit, lines) = ground.approve(&id.to_uppercase(), &["--json"]);
    assert_eq!(exit, Some(0), "{lines:#?}");
    assert!(
        lines.iter().any(|line| line.contains(r#""approved":true"#)),
        "{lines:#?}"
    );
}
