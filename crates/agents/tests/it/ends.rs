//! How turns and sessions end before they are done: cancelled, left, out of time, closed.

use std::time::{Duration, Instant};

use argrail_agents::Times;

use crate::scene::{Answer, LONG, Scene, agent, as_time_passes, hear, run, runs, short};

/// A number of seconds that no other test sleeps for.
fn seconds(test: u32) -> String {
    (1_000_000 + std::process::id() % 100_000 * 10 + test).to_string()
}

/// Waits until no process with this word is left.
async fn gone(word: &str) {
    let begun = Instant::now();
    while runs(word) {
        assert!(begun.elapsed() < 2 * LONG, "{word} is still there");
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_cancelled_turn_ends_with_the_agents_word() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&[]).await;
        let canceller = session.canceller();
        // Before a turn it means nothing.
        canceller.cancel();
        let mut turn = session.send("say working\nhang");
        turn.next().await.unwrap();
        canceller.cancel();
        canceller.cancel();
        assert_eq!(short(&hear(turn).await), ["end cancelled"]);
        assert_eq!(
            short(&hear(session.send("next")).await),
            ["text next", "end end_turn"]
        );
    });
}

#[test]
fn a_cancelled_turn_is_cancelled_whatever_the_agent_calls_it() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&[]).await;
        let canceller = session.canceller();
        let mut turn = session.send("say working\nhang\nstop end_turn");
        turn.next().await.unwrap();
        canceller.cancel();
        assert_eq!(short(&hear(turn).await), ["end cancelled"]);
    });
}

#[test]
fn a_question_is_withdrawn_with_its_turn() {
    run(async {
        let scene = Scene::with(Answer::Never);
        let mut session = scene.open(&[]).await;
        let canceller = session.canceller();
        let mut turn = session.send("ask something");
        turn.next().await.unwrap();
        turn.next().await.unwrap();
        canceller.cancel();
        assert_eq!(
            short(&hear(turn).await),
            [
                r#"result call-0 "" true"#,
                "text chosen: nothing",
                "end cancelled"
            ]
        );
    });
}

#[test]
fn a_turn_that_is_cancelled_ends_within_a_second_whatever_the_agent_does() {
    run(async {
        for behaviour in [
            &["silent", "session/prompt"][..],
            &["flood"],
            &["flood-permissions"],
        ] {
            let scene = Scene::with(Answer::Never);
            let mut session = scene.open(behaviour).await;
            let canceller = session.canceller();
            let turn = session.send("x");
            let begun = tokio::time::Instant::now();
            canceller.cancel();
            let events = as_time_passes(hear(turn)).await;
            let waited = begun.elapsed().as_millis();
            assert!((500..=1000).contains(&waited), "{behaviour:?}: {waited} ms");
            assert_eq!(short(&events).last().unwrap(), "end cancelled", "{behaviour:?}");
            let again = short(&hear(session.send("again")).await);
            assert!(again[0].starts_with("error EXECUTION_ERROR"), "{again:?}");
            let closed = session.close().await;
            assert!(closed.report.unwrap().cancelled);
        }
    });
}

#[test]
fn silence_ends_a_turn_but_not_while_a_person_is_asked() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&["silent", "session/prompt"]);
        opening.times.idle = Duration::from_millis(200);
        let mut session = scene.try_open(opening).await.unwrap();
        let begun = tokio::time::Instant::now();
        let heard = short(&as_time_passes(hear(session.send("x"))).await);
        assert_eq!(
            heard,
            ["error TIMEOUT true agent 'fake@1' has said nothing for 200 ms"]
        );
        let waited = begun.elapsed().as_millis();
        assert!((200..300).contains(&waited), "{waited} ms");

        let scene = Scene::with(Answer::Never);
        let mut opening = scene.opening(&[]);
        opening.times.idle = Duration::from_millis(50);
        let mut session = scene.try_open(opening).await.unwrap();
        let canceller = session.canceller();
        let mut turn = session.send("ask something");
        turn.next().await.unwrap();
        turn.next().await.unwrap();
        let a_minute = as_time_passes(tokio::time::timeout(Duration::from_secs(60), turn.next())).await;
        assert!(a_minute.is_err(), "{a_minute:?}");
        canceller.cancel();
        assert_eq!(short(&hear(turn).await).last().unwrap(), "end cancelled");
    });
}

#[test]
fn a_listener_that_takes_its_time_is_no_silence() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.times = Times {
            idle: Duration::from_millis(100),
            ..Times::default()
        };
        let mut session = scene.try_open(opening).await.unwrap();
        let said = scene.home.work().join("said");
        let words = "say word\n".repeat(250);
        let mut turn = session.send(&format!("{words}mark {}\n{words}", said.display()));
        turn.next().await.unwrap();
        // From then on there is more to hear than waits for a listener.
        while !said.exists() {
            tokio::task::yield_now().await;
        }
        let nobody_listens = std::future::pending::<()>();
        as_time_passes(tokio::time::timeout(Duration::from_secs(60), nobody_listens))
            .await
            .unwrap_err();
        let events = hear(turn).await;
        assert_eq!(events.len(), 500);
        assert_eq!(short(&events).last().unwrap(), "end end_turn");
    });
}

#[test]
fn a_turn_that_is_dropped_takes_the_agent_and_its_processes_with_it() {
    run(async {
        let scene = Scene::new();
        let number = seconds(1);
        let mut session = scene.open(&["fork", &number]).await;
        let mut turn = session.send("x");
        turn.next().await.unwrap();
        assert!(runs(&number));
        drop(turn);
        gone(&number).await;
        let heard = short(&hear(session.send("again")).await);
        assert!(heard[0].starts_with("error EXECUTION_ERROR"), "{heard:?}");
    });
}

#[test]
fn a_session_that_is_dropped_takes_the_agent_and_its_processes_with_it() {
    let number = seconds(2);
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&["fork", &number]).await;
        session.send("x").next().await.unwrap();
        drop(session);
    });
    // The runtime is gone, and with it whatever it drove.
    assert!(!runs(&number));
}

#[test]
fn closing_ends_those_that_forked_and_those_that_do_not_listen() {
    run(async {
        let scene = Scene::new();
        let number = seconds(3);
        let program = agent();
        let deaf = "trap '' TERM; sleep $0 & exec \"$@\"";
        let argv = [
            "/bin/sh",
            "-c",
            deaf,
            &number,
            program.to_str().unwrap(),
            "ignore-end",
        ];
        let mut session = scene
            .try_open(scene.opening_of(scene.start_with_grace(&argv, Duration::from_millis(300))))
            .await
            .unwrap();
        assert_eq!(short(&hear(session.send("x")).await), ["text x", "end end_turn"]);
        assert!(runs(&number));
        let closed = as_time_passes(session.close()).await;
        assert_eq!(closed.report.unwrap().ended.signal(), Some(9));
        assert!(!runs(&number));
        assert_eq!(scene.host.records().last().unwrap(), "ended None Some(9)");
    });
}

#[test]
fn an_agent_that_ignores_the_end_of_its_input_is_asked_to_end() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&["ignore-end"]).await;
        hear(session.send("x")).await;
        // Its grace is longer than any test: if it was not asked, nothing ends it.
        let closed = as_time_passes(session.close()).await;
        assert_eq!(closed.report.unwrap().ended.signal(), Some(15));
    });
}

#[test]
fn an_opening_that_is_given_up_leaves_nothing() {
    let scene = Scene::new();
    let number = seconds(4);
    run(async {
        let argv = ["/bin/sh", "-c", "exec sleep $0", &number];
        let opening = scene.opening_of(scene.start(&argv));
        let open = scene.try_open(opening);
        as_time_passes(tokio::time::timeout(Duration::from_millis(200), open))
            .await
            .unwrap_err();
    });
    assert!(!runs(&number));
}

#[test]
fn a_session_that_nobody_uses_ends() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.times.unused = Duration::from_millis(200);
        let mut session = scene.try_open(opening).await.unwrap();
        assert_eq!(short(&hear(session.send("x")).await), ["text x", "end end_turn"]);
        as_time_passes(async {
            while scene
                .host
                .records()
                .last()
                .is_some_and(|last| !last.starts_with("ended"))
            {
                tokio::task::yield_now().await;
            }
        })
        .await;
        let heard = short(&hear(session.send("again")).await);
        assert_eq!(
            heard,
            ["error TIMEOUT false agent 'fake@1' was asked nothing for 200 ms"]
        );
    });
}
