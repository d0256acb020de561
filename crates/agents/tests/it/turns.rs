//! Turns with a polite agent: what is heard, in which order, and what is written down.

use argrail_agents::{Carryover, EventKind, Streaming, Usage};
use tokio_stream::StreamExt as _;

use crate::scene::{Scene, hear, run, short};

#[test]
fn text_thoughts_and_tools_are_heard_in_order() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&[]).await;
        assert_eq!(session.id(), "s-1");
        let events = hear(session.send("say one\nthink hm\ntool ls\nsay two")).await;
        assert_eq!(
            short(&events),
            [
                "text one",
                "thought hm",
                r#"call call-2 ls execute {"name":"ls"}"#,
                r#"result call-2 "ls done" false"#,
                "text two",
                "end end_turn",
            ]
        );
        assert_eq!((events[0].seq, events[0].turn), (1, 1));
        let EventKind::TurnEnd { usage, .. } = &events[5].kind else {
            panic!()
        };
        let usage_want = Usage {
            input_tokens: Some(32),
            output_tokens: Some(2),
            total_tokens: Some(34),
        };
        assert_eq!(*usage, Some(usage_want));
        let more = hear(session.send("tool ls")).await;
        assert_eq!((more[0].seq, more[0].turn), (7, 2));
        let closed = session.close().await;
        assert!(closed.failure.is_none(), "{closed:?}");
        assert_eq!(closed.report.unwrap().ended.code(), Some(0));
        assert_eq!(
            scene.host.records(),
            [
                "ready Some(\"fake 1.0\") fake-1",
                "turn 1 32",
                "observed 1 call-2",
                "observed end 1 call-2 false",
                "turn end 1 end_turn",
                "turn 2 7",
                "observed 2 call-0",
                "observed end 2 call-0 false",
                "turn end 2 end_turn",
                "ended Some(0) None",
            ]
        );
    });
}

#[test]
fn a_turn_is_a_stream() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&[]).await;
        let kinds: Vec<bool> = session
            .send("a\nb")
            .map(|event| event.kind.is_last())
            .collect()
            .await;
        assert_eq!(kinds, [false, false, true]);
    });
}

#[test]
fn an_agent_without_streaming_is_heard_in_one_piece() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.streaming = Streaming::Whole;
        let mut session = scene.try_open(opening).await.unwrap();
        let events = hear(session.send("say one \ntool ls\nsay two")).await;
        let heard = short(&events);
        assert_eq!(heard[heard.len() - 2..], ["text one two", "end end_turn"]);
    });
}

#[test]
fn an_error_of_the_agent_ends_the_turn_and_not_the_session() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&[]).await;
        let events = hear(session.send("say before\nfail the model is overloaded")).await;
        let heard = short(&events);
        assert_eq!(heard[0], "text before");
        assert!(
            heard[1].starts_with(
                "error EXECUTION_ERROR true agent 'fake@1' refuses the prompt with -32603: 'the model"
            ),
            "{heard:?}"
        );
        assert_eq!(
            short(&hear(session.send("still here")).await),
            ["text still here", "end end_turn"]
        );
        assert_eq!(
            short(&hear(session.send("stop max_tokens")).await),
            ["end max_tokens"]
        );
    });
}

#[test]
fn what_has_no_event_goes_to_the_side_channel_and_nowhere_else() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&["unknown"]).await;
        let events = hear(session.send("go")).await;
        assert_eq!(short(&events), ["text known: no such method", "end tired"]);
        session.close().await;
        let side = std::fs::read_to_string(scene.side_channel()).unwrap();
        for word in [
            "hologram",
            "smell",
            "vendor/news",
            "some log line",
            "vendor/odd_request",
            "agentCapabilities",
        ] {
            assert!(side.contains(word), "{word}: {side}");
        }
    });
}

#[test]
fn a_prompt_that_is_too_long_is_refused_and_the_session_goes_on() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&[]).await;
        let events = hear(session.send(&"x".repeat((8 << 20) + 1))).await;
        assert!(
            short(&events)[0].starts_with("error VALIDATION_ERROR false"),
            "{events:?}"
        );
        let long = "y".repeat(4 << 20);
        let events = hear(session.send(&long)).await;
        assert_eq!(
            short(&events),
            [format!("text {long}"), "end end_turn".to_owned()]
        );
        assert_eq!(events[0].seq, 2);
    });
}

#[test]
fn a_turn_knows_of_those_before_it_only_where_it_may() {
    run(async {
        for (carryover, remembered) in [
            (Carryover::Kept, "one | remember"),
            (Carryover::Dropped, "remember"),
        ] {
            let scene = Scene::new();
            let mut opening = scene.opening(&[]);
            opening.carryover = carryover;
            opening.mode = Some("code".into());
            let mut session = scene.try_open(opening).await.unwrap();
            assert_eq!(
                short(&hear(session.send("one")).await),
                ["text one", "end end_turn"]
            );
            let heard = short(&hear(session.send("remember")).await);
            assert_eq!(heard, [format!("text {remembered}"), "end end_turn".to_owned()]);
            // What was set is set in the other session, too.
            let set = short(&hear(session.send("settings")).await);
            assert!(set[0].ends_with("mode=code"), "{set:?}");
        }
    });
}

#[test]
fn a_session_has_no_more_turns_than_it_may() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.limits.turns = Some(2);
        let mut session = scene.try_open(opening).await.unwrap();
        hear(session.send("one")).await;
        hear(session.send("two")).await;
        let heard = short(&hear(session.send("three")).await);
        assert_eq!(
            heard,
            ["error VALIDATION_ERROR false the session may have no more than 2 turns"]
        );
        assert!(session.close().await.failure.is_none());
    });
}
