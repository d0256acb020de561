//! The seeds of `fuzz/`, and random messages, through the function that is fuzzed.

use argrail_testkit::replay_seeds;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fuzzed::acp_turn;

#[test]
fn seeds_of_acp_turn_hold() {
    replay_seeds("acp_turn", acp_turn);
}

/// A message that an agent could have meant, of few ids and words, so that they meet.
fn message() -> impl Strategy<Value = Value> {
    let id = prop_oneof![
        Just(json!("a")),
        Just(json!("b")),
        Just(json!(7)),
        Just(Value::Null)
    ];
    let status = prop_oneof![
        Just(Value::Null),
        Just(json!("pending")),
        Just(json!("in_progress")),
        Just(json!("completed")),
        Just(json!("failed")),
        Just(json!("odd")),
    ];
    let kind = prop_oneof![
        Just("tool_call"),
        Just("tool_call_update"),
        Just("agent_message_chunk"),
        Just("agent_thought_chunk"),
        Just("plan"),
    ];
    let input = prop_oneof![Just(Value::Null), Just(json!({})), Just(json!({"c": 1}))];
    let tool = (id, status, kind, input).prop_map(|(id, status, kind, input)| {
        json!({"sessionUpdate": kind, "toolCallId": id, "status": status, "rawInput": input, "title": "t",
               "content": {"type": "text", "text": "x"}})
    });
    let update = tool.clone().prop_map(|update| {
        json!({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})
    });
    let permission = (tool, 0..5_u32).prop_map(|(call, id)| {
        json!({"jsonrpc": "2.0", "id": id, "method": "session/request_permission",
               "params": {"sessionId": "s", "toolCall": call, "options": [{"optionId": "o", "kind": "allow_once"}]}})
    });
    let request = prop_oneof![
        Just("fs/read_text_file"),
        Just("terminal/create"),
        Just("elicitation/create"),
        Just("odd"),
    ]
    .prop_map(|method| json!({"id": 9, "method": method, "params": {"path": "/x", "command": "ls", "message": "?"}}));
    let answer = (0..6_u64).prop_map(|id| json!({"id": id, "result": {"stopReason": "end_turn"}}));
    let fault = (2..5_u64).prop_map(|id| json!({"id": id, "error": {"code": -32000, "message": "no"}}));
    prop_oneof![8 => update, 3 => permission, 2 => request, 1 => answer, 1 => fault]
}

proptest! {
    #[test]
    fn random_messages_come_to_one_end(messages in prop::collection::vec(message(), 0..60)) {
        let lines: Vec<String> = messages.iter().map(Value::to_string).collect();
        acp_turn(lines.join("\n").as_bytes());
    }

    #[test]
    fn random_bytes_come_to_one_end(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        acp_turn(&bytes);
    }
}
