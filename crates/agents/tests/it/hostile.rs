//! Hostile agents: each ends in one `error` or `turn-end`, nothing hangs, memory stays bounded, nothing is left.

use std::time::Duration;

use argrail_agents::{Limits, Ruling};

use crate::scene::{Answer, Scene, agent, as_time_passes, hear, peak_mib, run, short};

/// More than a few messages, and less than a test wants to wait for.
const FEW: Limits = Limits {
    line: 16 << 20,
    turn_bytes: 64 << 20,
    turn_messages: 20_000,
    turns: None,
    side_channel: 1 << 20,
};

/// The most memory that all tests of this program may take together, in MiB.
const MEMORY: u64 = 200;

/// What a hostile agent does after it was asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    /// It says all that it will say in no time: the clock stands still.
    Speaks,
    /// It never says a word.
    IsSilent,
    /// It says one word, and no other.
    FallsSilent,
}

/// Sends one prompt to a hostile agent and returns how the turn ended.
fn last_of(behaviour: &[&str], answer: Answer, then: Then) -> String {
    run(async {
        let scene = Scene::with(answer);
        let mut opening = scene.opening(behaviour);
        opening.limits = FEW;
        opening.times.idle = Duration::from_secs(2);
        let mut session = scene.try_open(opening).await.unwrap();
        let mut turn = session.send("say done");
        if then == Then::FallsSilent {
            turn.next().await.unwrap();
        }
        let events = match then {
            Then::Speaks => hear(turn).await,
            Then::IsSilent | Then::FallsSilent => as_time_passes(hear(turn)).await,
        };
        let last = short(&events).pop().unwrap();
        // Whatever it was: the session can be closed, and then nothing is left.
        let closed = session.close().await;
        assert!(closed.report.is_some());
        assert!(peak_mib() < MEMORY, "{} MiB", peak_mib());
        last
    })
}

fn allowed() -> Answer {
    Answer::Rule(Ruling::Allowed)
}

#[test]
fn a_flood_of_text_is_cut_off() {
    let last = last_of(&["flood"], allowed(), Then::Speaks);
    assert_eq!(
        last,
        "error EXECUTION_ERROR false agent 'fake@1' says more than is listened to: a turn has too many messages"
    );
}

#[test]
fn a_line_of_a_hundred_megabytes_is_cut_off() {
    let last = last_of(&["long-line"], allowed(), Then::Speaks);
    assert_eq!(
        last,
        "error EXECUTION_ERROR false agent 'fake@1' says more than is listened to: a message is too long"
    );
}

#[test]
fn messages_of_very_many_values_are_not_taken_apart() {
    let last = last_of(&["many-values"], allowed(), Then::Speaks);
    assert!(last.contains("too many messages"), "{last}");
}

#[test]
fn an_agent_that_never_answers_is_given_up() {
    let last = last_of(&["silent", "session/prompt"], allowed(), Then::IsSilent);
    assert_eq!(
        last,
        "error TIMEOUT true agent 'fake@1' has said nothing for 2000 ms"
    );
}

#[test]
fn a_flood_on_standard_error_is_read_and_its_end_kept() {
    let last = last_of(&["grumble"], allowed(), Then::FallsSilent);
    assert!(
        last.starts_with("error TIMEOUT true agent 'fake@1' has said nothing"),
        "{last}"
    );
    assert!(last.contains("its last words: '") && last.len() < 500, "{last}");
}

#[test]
fn second_answers_and_wrong_ones_are_ignored() {
    assert_eq!(last_of(&["twice"], allowed(), Then::Speaks), "end end_turn");
    assert_eq!(last_of(&["wrong-ids"], allowed(), Then::Speaks), "end end_turn");
}

#[test]
fn unknown_kinds_end_no_turn() {
    assert_eq!(last_of(&["unknown"], allowed(), Then::Speaks), "end tired");
}

#[test]
fn death_in_each_state_is_one_error_with_the_exit_code() {
    for at in ["session/prompt", "call", "permission"] {
        let last = last_of(&["die", at], Answer::Never, Then::Speaks);
        assert_eq!(
            last,
            "error EXECUTION_ERROR true agent 'fake@1' ended with exit code 7; \
             its last words: 'fatal: the fake agent dies here'",
            "{at}"
        );
    }
}

#[test]
fn a_death_is_noticed_although_another_process_holds_the_output() {
    run(async {
        let scene = Scene::new();
        let program = agent();
        let holder = "sleep 600 & exec \"$0\" die session/prompt";
        let child = scene.start(&["/bin/sh", "-c", holder, program.to_str().unwrap()]);
        let mut session = scene.try_open(scene.opening_of(child)).await.unwrap();
        let heard = short(&hear(session.send("x")).await);
        assert!(
            heard[0].starts_with("error EXECUTION_ERROR true agent 'fake@1' ended with exit code 7"),
            "{heard:?}"
        );
    });
}

#[test]
fn death_at_the_goodbye_is_no_failure() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&["die", "session/close"]).await;
        assert_eq!(short(&hear(session.send("x")).await), ["text x", "end end_turn"]);
        let closed = session.close().await;
        assert!(closed.failure.is_none());
        assert_eq!(closed.report.unwrap().ended.code(), Some(7));
    });
}

#[test]
fn death_at_a_cancellation_ends_the_turn_once() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&["die", "session/cancel"]).await;
        let canceller = session.canceller();
        let mut turn = session.send("say here\nhang");
        turn.next().await.unwrap();
        canceller.cancel();
        assert_eq!(
            short(&hear(turn).await),
            ["error EXECUTION_ERROR true agent 'fake@1' ended with exit code 7"]
        );
    });
}

#[test]
fn a_flood_of_permission_requests_is_cut_off() {
    for answer in [Answer::Never, allowed(), Answer::Rule(Ruling::Refused)] {
        // It reads no answer, which does not keep it from asking.
        let last = last_of(&["flood-permissions"], answer, Then::Speaks);
        assert!(last.contains("too many messages"), "{last}");
    }
}

#[test]
fn a_flood_of_tool_calls_is_cut_off() {
    let last = last_of(&["flood-calls"], allowed(), Then::Speaks);
    assert!(last.contains("too many messages"), "{last}");
}

#[test]
fn escape_sequences_stand_in_no_message_of_ours() {
    let last = last_of(&["escapes"], allowed(), Then::Speaks);
    assert!(last.contains(r"'\u{1b}[31mred\nhint: run rm'"), "{last}");
    assert!(!last.contains('\u{1b}') && !last.contains('\n'), "{last}");
}
