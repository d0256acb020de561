//! Anthropic's messages.

use super::answer::{Content, Ids, Stream, named};
use serde_json::{Value, json};

pub(super) fn whole(content: &Content, model: &str, ids: &Ids) -> Value {
    let (block, reason) = match content {
        Content::Text(words) => (json!({"type": "text", "text": words.concat()}), "end_turn"),
        Content::Call { name, arguments } => {
            let block =
                json!({"type": "tool_use", "id": ids.next("toolu_"), "name": name, "input": arguments});
            (block, "tool_use")
        }
    };
    message(model, ids, vec![block], Some(reason))
}

pub(super) fn stream(content: &Content, model: &str, ids: &Ids) -> Stream {
    let (block, deltas, reason): (_, Vec<Value>, _) = match content {
        Content::Text(words) => {
            let deltas = words
                .iter()
                .map(|word| json!({"type": "text_delta", "text": word}));
            (json!({"type": "text", "text": ""}), deltas.collect(), "end_turn")
        }
        Content::Call { name, arguments } => {
            let block = json!({"type": "tool_use", "id": ids.next("toolu_"), "name": name, "input": {}});
            let arguments = Value::from(arguments.clone()).to_string();
            let delta = json!({"type": "input_json_delta", "partial_json": arguments});
            (block, vec![delta], "tool_use")
        }
    };
    let start = json!({"type": "message_start", "message": message(model, ids, vec![], None)});
    let opened = json!({"type": "content_block_start", "index": 0, "content_block": block});
    let delta = |delta| named(&json!({"type": "content_block_delta", "index": 0, "delta": delta}));
    let end = json!({"stop_reason": reason, "stop_sequence": null});
    Stream {
        opening: vec![named(&start), named(&opened)],
        middle: deltas.into_iter().map(delta).collect(),
        closing: vec![
            named(&json!({"type": "content_block_stop", "index": 0})),
            named(&json!({"type": "message_delta", "delta": end, "usage": {"output_tokens": 2}})),
            named(&json!({"type": "message_stop"})),
        ],
    }
}

fn message(model: &str, ids: &Ids, content: Vec<Value>, reason: Option<&str>) -> Value {
    json!({
        "id": ids.next("msg_"), "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": reason, "stop_sequence": null, "usage": {"input_tokens": 3, "output_tokens": 2},
    })
}
