//! OpenAI's chat completions.

use super::answer::{Content, Ids, Stream, data};
use serde_json::{Map, Value, json};

pub(super) fn whole(content: &Content, model: &str, ids: &Ids) -> Value {
    let (message, reason) = match content {
        Content::Text(words) => (json!({"role": "assistant", "content": words.concat()}), "stop"),
        Content::Call { name, arguments } => {
            let call = call(name, arguments, ids);
            let message = json!({"role": "assistant", "content": null, "tool_calls": [call]});
            (message, "tool_calls")
        }
    };
    json!({
        "id": ids.next("chatcmpl-"), "object": "chat.completion", "created": 1, "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}], "usage": usage(),
    })
}

pub(super) fn stream(content: &Content, model: &str, ids: &Ids) -> Stream {
    let id = ids.next("chatcmpl-");
    let chunk = |delta: Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        json!({"id": id, "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [choice]})
    };
    let (middle, reason): (Vec<Value>, _) = match content {
        Content::Text(words) => (
            words.iter().map(|word| json!({"content": word})).collect(),
            "stop",
        ),
        Content::Call { name, arguments } => {
            let mut call = call(name, arguments, ids);
            call["index"] = json!(0);
            (vec![json!({"tool_calls": [call]})], "tool_calls")
        }
    };
    let mut last = chunk(json!({}), Some(reason));
    last["usage"] = usage();
    Stream {
        opening: vec![data(&chunk(json!({"role": "assistant", "content": ""}), None))],
        middle: middle
            .into_iter()
            .map(|delta| data(&chunk(delta, None)))
            .collect(),
        closing: vec![data(&last), "data: [DONE]\n\n".to_owned()],
    }
}

fn call(name: &str, arguments: &Map<String, Value>, ids: &Ids) -> Value {
    let arguments = Value::from(arguments.clone()).to_string();
    json!({"id": ids.next("call_"), "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn usage() -> Value {
    json!({"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5})
}
