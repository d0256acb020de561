//! SessionOptions a session: handshake, sign-in, settings, servers, history.

use std::time::Duration;

use argrail_acli::Code;
use argrail_agents::McpServer;
use argrail_spec::config::Secret;
use tokio::time::Instant;

use crate::scene::{Scene, as_time_passes, hear, run, short};

#[test]
fn a_banner_before_the_protocol_is_ignored() {
    run(async {
        let scene = Scene::new();
        let mut session = scene.open(&["banner"]).await;
        assert_eq!(
            short(&hear(session.send("hello")).await),
            ["text hello", "end end_turn"]
        );
    });
}

#[test]
fn somebody_signs_in_when_the_agent_asks_for_it() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&["sign-in"]);
        opening.sign_in = Some("fake-key".into());
        let mut session = scene.try_open(opening).await.unwrap();
        assert_eq!(
            short(&hear(session.send("in")).await),
            ["text in", "end end_turn"]
        );
        for way in [None, Some("other"), Some("fake-browser")] {
            let mut opening = scene.opening(&["sign-in"]);
            opening.sign_in = way.map(Into::into);
            let error = scene.try_open(opening).await.unwrap_err();
            assert_eq!(error.code(), &Code::AuthRequired, "{error}");
            let hint = error.hint_text().unwrap();
            assert!(hint.contains("'fake-key', 'fake-browser'"), "{hint}");
        }
    });
}

#[test]
fn settings_are_made_where_the_agent_offers_them() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.mode = Some("code".into());
        opening.model = Some("huge".into());
        opening.config = vec![("effort".into(), "high".into()), ("absent".into(), "x".into())];
        let mut session = scene.try_open(opening).await.unwrap();
        assert_eq!(session.not_offered(), ["model", "absent"]);
        assert_eq!(
            short(&hear(session.send("settings")).await)[0],
            "text mode=code effort=high"
        );
        let mut opening = scene.opening(&[]);
        opening.config = vec![("effort".into(), "refused".into())];
        let error = scene.try_open(opening).await.unwrap_err();
        assert_eq!(error.code(), &Code::ValidationError, "{error}");
    });
}

#[test]
fn servers_and_the_directory_are_passed_on() {
    run(async {
        let scene = Scene::new();
        let server = McpServer::Http {
            name: "argrail".into(),
            url: "http://argrail.internal/mcp".into(),
            headers: vec![("Authorization".into(), Secret::new("Bearer t0ken-of-the-session"))],
        };
        let mut opening = scene.opening(&[]);
        opening.servers = vec![server.clone()];
        let mut session = scene.try_open(opening).await.unwrap();
        let said = short(&hear(session.send("servers\ndirectory")).await);
        assert!(
            said[0].contains("t0ken-of-the-session") && said[0].contains("argrail.internal"),
            "{said:?}"
        );
        assert_eq!(said[1], format!("text {}", scene.home.work().display()));
        let mut opening = scene.opening(&["no-http"]);
        opening.servers = vec![server];
        let error = scene.try_open(opening).await.unwrap_err();
        assert_eq!(error.code(), &Code::ValidationError);
        assert_eq!(
            error.to_string(),
            "agent 'fake@1' cannot use MCP servers over HTTP"
        );
    });
}

#[test]
fn history_is_no_part_of_a_turn() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.resume = Some("fake-1".into());
        let mut open = std::pin::pin!(scene.try_open(opening));
        let side = || std::fs::read_to_string(scene.side_channel()).unwrap_or_default();
        let heard_all = async {
            while !side().contains("straggler") {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            _ = &mut open => panic!("nobody waited for a straggler"),
            () = heard_all => {}
        }
        let mut session = as_time_passes(open).await.unwrap();
        assert_eq!(
            short(&hear(session.send("now")).await),
            ["text now", "end end_turn"]
        );
        session.close().await;
        assert!(side().contains("before"), "{}", side());
    });
}

#[test]
fn an_agent_that_does_not_answer_is_given_up_in_time() {
    run(async {
        for at in ["initialize", "session/new"] {
            let scene = Scene::new();
            let mut opening = scene.opening(&["silent", at]);
            opening.times.handshake = Duration::from_millis(300);
            let begun = Instant::now();
            let error = as_time_passes(scene.try_open(opening)).await.unwrap_err();
            let waited = begun.elapsed().as_millis();
            assert!((300..500).contains(&waited), "{waited} ms");
            assert_eq!(error.code(), &Code::Timeout, "{error}");
        }
    });
}

#[test]
fn an_agent_that_dies_while_it_is_opened_says_why() {
    run(async {
        for at in ["initialize", "session/new", "session/set_mode"] {
            let scene = Scene::new();
            let mut opening = scene.opening(&["die", at]);
            opening.mode = Some("code".into());
            let error = scene.try_open(opening).await.unwrap_err();
            assert_eq!(error.code(), &Code::ExecutionError);
            assert_eq!(
                error.to_string(),
                "agent 'fake@1' ended with exit code 7; its last words: 'fatal: the fake agent dies here'",
                "{at}"
            );
        }
    });
}

#[test]
fn a_program_that_is_no_agent_is_told_apart() {
    run(async {
        let scene = Scene::new();
        let child = scene.start(&["/bin/sh", "-c", "echo usage: x >&2; echo hello; exit 3"]);
        let error = scene.try_open(scene.opening_of(child)).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "agent 'fake@1' ended with exit code 3; its last words: 'usage: x'"
        );
    });
}
