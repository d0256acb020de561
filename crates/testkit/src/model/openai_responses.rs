//! OpenAI's responses.

use super::answer::{Content, Ids, Stream, named};
use serde_json::{Value, json};

pub(super) fn whole(content: &Content, model: &str, ids: &Ids) -> Value {
    let item = match content {
        Content::Text(words) => message(&ids.next("msg_"), &words.concat()),
        Content::Call { name, arguments } => {
            let arguments = Value::from(arguments.clone()).to_string();
            call(
                &ids.next("fc_"),
                &ids.next("call_"),
                name,
                &arguments,
                "completed",
            )
        }
    };
    response(&ids.next("resp_"), model, "completed", vec![item])
}

pub(super) fn stream(content: &Content, model: &str, ids: &Ids) -> Stream {
    let id = ids.next("resp_");
    let created =
        json!({"type": "response.created", "response": response(&id, model, "in_progress", vec![])});
    let mut stream = Stream {
        opening: vec![named(&created)],
        ..Stream::default()
    };
    let done = match content {
        Content::Text(words) => text(&ids.next("msg_"), words, &mut stream),
        Content::Call { name, arguments } => {
            let arguments = Value::from(arguments.clone()).to_string();
            called(
                &ids.next("fc_"),
                &ids.next("call_"),
                name,
                &arguments,
                &mut stream,
            )
        }
    };
    let end = response(&id, model, "completed", vec![done]);
    stream
        .closing
        .push(named(&json!({"type": "response.completed", "response": end})));
    stream
}

fn text(id: &str, words: &[String], stream: &mut Stream) -> Value {
    let whole = message(id, &words.concat());
    let place = json!({"item_id": id, "output_index": 0, "content_index": 0});
    let event = |kind: &str, more: &str, value: Value| {
        let mut event = place.clone();
        event["type"] = json!(kind);
        event[more] = value;
        named(&event)
    };
    let item =
        json!({"type": "message", "id": id, "role": "assistant", "status": "in_progress", "content": []});
    let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
    stream
        .opening
        .push(event("response.output_item.added", "item", item));
    stream
        .opening
        .push(event("response.content_part.added", "part", part("")));
    let deltas = words
        .iter()
        .map(|word| event("response.output_text.delta", "delta", json!(word)));
    stream.middle = deltas.collect();
    let said = words.concat();
    stream.closing = vec![
        event("response.output_text.done", "text", json!(said)),
        event("response.content_part.done", "part", part(&said)),
        event("response.output_item.done", "item", whole.clone()),
    ];
    whole
}

fn called(id: &str, call_id: &str, name: &str, arguments: &str, stream: &mut Stream) -> Value {
    let whole = call(id, call_id, name, arguments, "completed");
    let empty = call(id, call_id, name, "", "in_progress");
    let part = |kind: &str, field: &str| {
        let kind = format!("response.function_call_arguments.{kind}");
        let mut event = json!({"type": kind, "item_id": id, "output_index": 0});
        event[field] = json!(arguments);
        named(&event)
    };
    let item = |kind: &str, item: &Value| named(&json!({"type": kind, "output_index": 0, "item": item}));
    stream.opening.push(item("response.output_item.added", &empty));
    stream.middle = vec![part("delta", "delta")];
    stream.closing = vec![
        part("done", "arguments"),
        item("response.output_item.done", &whole),
    ];
    whole
}

fn message(id: &str, text: &str) -> Value {
    let part = json!({"type": "output_text", "text": text, "annotations": []});
    json!({"type": "message", "id": id, "role": "assistant", "status": "completed", "content": [part]})
}

fn call(id: &str, call_id: &str, name: &str, arguments: &str, status: &str) -> Value {
    json!({"type": "function_call", "id": id, "call_id": call_id, "name": name, "arguments": arguments, "status": status})
}

fn response(id: &str, model: &str, status: &str, output: Vec<Value>) -> Value {
    json!({
        "id": id, "object": "response", "created_at": 1, "status": status, "model": model, "output": output,
        "usage": {"input_tokens": 3, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 2,
                  "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 5},
    })
}
