//! What an agent asks of its host, and what it is answered.

use argrail_agents::{EventKind, Ruling, Serves, ToolKind};
use serde_json::json;

use crate::scene::{Answer, Scene, hear, run, short};

#[test]
fn a_permission_is_asked_for_and_answered_for_this_once() {
    run(async {
        for (ruling, chosen) in [
            (Ruling::Allowed, "once"),
            (Ruling::Refused, "no"),
            (Ruling::Unanswered, "nothing"),
        ] {
            let scene = Scene::with(Answer::Rule(ruling));
            let mut session = scene.open(&[]).await;
            let events = hear(session.send("ask rm -rf")).await;
            let failed = ruling != Ruling::Allowed;
            assert_eq!(
                short(&events),
                [
                    r#"call call-0 rm -rf execute {"command":"rm -rf"}"#.to_owned(),
                    "prompt ask-1 rm -rf".to_owned(),
                    format!(r#"result call-0 "" {failed}"#),
                    format!("text chosen: {chosen}"),
                    "end end_turn".to_owned(),
                ]
            );
            let asked = scene.host.asked.lock().unwrap();
            assert_eq!(asked.len(), 1);
            assert_eq!(asked[0].tool.kind, Some(ToolKind::Execute));
            assert_eq!(asked[0].tool.input, json!({"command": "rm -rf"}));
            let EventKind::AgentPrompt(prompted) = &events[1].kind else {
                panic!()
            };
            assert_eq!(prompted.options, asked[0].options);
        }
    });
}

#[test]
fn files_and_commands_go_through_the_governor() {
    run(async {
        let scene = Scene::new();
        let path = scene.home.work().join("note");
        let mut session = scene.open(&[]).await;
        let prompt = format!(
            "write {0} hello there\nread {0}\nread /absent\nrun ls -l\nrun rm x",
            path.display()
        );
        let heard = short(&hear(session.send(&prompt)).await);
        assert_eq!(heard[..2], ["text written", "text hello there"]);
        assert!(
            heard[2].starts_with("text refused: Execution failed"),
            "{heard:?}"
        );
        assert_eq!(
            heard[3..],
            [
                "text exit 0: ran ls -l",
                "text refused: not that. Ask a person",
                "end end_turn"
            ]
        );
        assert_eq!(std::fs::read_to_string(path).unwrap(), "hello there");
    });
}

#[test]
fn what_is_not_served_is_refused() {
    run(async {
        let scene = Scene::new();
        let mut opening = scene.opening(&[]);
        opening.serves = Serves::default();
        let mut session = scene.try_open(opening).await.unwrap();
        let heard = short(&hear(session.send("read /etc/passwd\nrun ls")).await);
        assert_eq!(
            heard,
            [
                "text refused: no such method",
                "text refused: no such method",
                "end end_turn"
            ]
        );
    });
}

#[test]
fn a_record_that_cannot_be_written_ends_the_session() {
    run(async {
        for (word, prompt) in [("turn 1", "x"), ("observed 1", "tool ls"), ("turn end", "x")] {
            let scene = Scene::new();
            let mut session = scene.open(&[]).await;
            *scene.host.refuses.lock().unwrap() = Some(word);
            let heard = short(&hear(session.send(prompt)).await);
            assert_eq!(
                heard.last().unwrap(),
                "error EXECUTION_ERROR false the record cannot be written",
                "{word}"
            );
            let again = short(&hear(session.send("again")).await);
            assert_eq!(
                again,
                ["error EXECUTION_ERROR false the record cannot be written"]
            );
        }
    });
}
