//! A session in the record: agent, act, outcome, in one chain, and never what was said.

use argrail_agents::{Governor, Happening, ToolKind, ToolUse};
use argrail_engine::audit::export::{Machine, csv_row, ocsf_event};
use serde_json::json;

use super::desk::{Desk, block_on};

#[test]
fn a_session_is_told_from_its_start_to_its_end() {
    let desk = Desk::new();
    let tool = ToolUse {
        id: "t1".to_owned(),
        name: "run\u{1b}[2J".to_owned(),
        kind: Some(ToolKind::Execute),
        input: json!({"command": "secret words"}),
        paths: vec!["a".into()],
    };
    let say = |what: Happening| desk.governor.record(what).unwrap();
    say(Happening::Starting);
    say(Happening::Ready {
        agent: Some("echo 1.0".to_owned()),
        session: "theirs".to_owned(),
    });
    say(Happening::TurnBegun { turn: 1, bytes: 12 });
    say(Happening::Observed {
        turn: 1,
        tool: tool.clone(),
    });
    let asked = argrail_agents::Permission {
        tool: ToolUse {
            input: json!({"command": "ls"}),
            ..tool
        },
        options: Vec::new(),
    };
    block_on(desk.governor.permit(asked));
    say(Happening::ObservedEnd {
        turn: 1,
        id: "t1".to_owned(),
        is_error: true,
    });
    desk.write("a", "x").unwrap_err();
    say(Happening::TurnEnded {
        turn: 1,
        outcome: "end_turn".to_owned(),
    });
    say(Happening::Ended {
        code: Some(0),
        signal: None,
    });
    let actions = desk.actions();
    let actions: Vec<&str> = actions.iter().map(String::as_str).collect();
    assert_eq!(
        actions,
        [
            "agent.started",
            "agent.ready",
            "agent.turn",
            "agent.observed",
            "agent.permitted",
            "agent.returned",
            "approval.asked",
            "agent.acted",
            "agent.answered",
            "agent.ended"
        ]
    );
    let record = desk.record();
    let whole = json!(record).to_string();
    assert!(
        !whole.contains("secret words") && !whole.contains("\\u001b"),
        "{whole}"
    );
    let observed = &record[3]["metadata"];
    assert_eq!(
        (&observed["observed"], &observed["turn"], &observed["kind"]),
        (&json!(true), &json!(1), &json!("execute"))
    );
    assert_eq!(observed["tool"], r"run\u{1b}[2J");
    assert_eq!(record[4]["metadata"]["ruling"], "allowed");
    assert_eq!(record[4]["metadata"]["turn"], 1);
    assert_eq!(record[4]["subject"], json!({"kind": "agent", "ref": "echo@1"}));
    let machine = Machine {
        hostname: "box".to_owned(),
        version: "1".to_owned(),
    };
    let types: Vec<u64> = record
        .iter()
        .map(|entry| ocsf_event(entry, &machine)["type_uid"].as_u64().unwrap())
        .collect();
    assert_eq!((types[0], types[3], types[9]), (100_701, 600_399, 100_702));
    assert!(csv_row(&record[4]).contains("agent.permitted"));
}
