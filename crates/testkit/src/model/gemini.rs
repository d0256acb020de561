//! Gemini's `generateContent` and `streamGenerateContent`.

use super::answer::{Content, Ids, Stream, data};
use serde_json::{Value, json};

pub(super) fn whole(content: &Content, model: &str, ids: &Ids) -> Value {
    let part = match content {
        Content::Text(words) => json!({"text": words.concat()}),
        Content::Call { name, arguments } => json!({"functionCall": {"name": name, "args": arguments}}),
    };
    response(&ids.next("response-"), model, &part, Some("STOP"))
}

pub(super) fn stream(content: &Content, model: &str, ids: &Ids) -> Stream {
    let id = ids.next("response-");
    let parts: Vec<Value> = match content {
        Content::Text(words) => words.iter().map(|word| json!({"text": word})).collect(),
        Content::Call { name, arguments } => vec![json!({"functionCall": {"name": name, "args": arguments}})],
    };
    Stream {
        opening: Vec::new(),
        middle: parts
            .iter()
            .map(|part| data(&response(&id, model, part, None)))
            .collect(),
        closing: vec![data(&response(&id, model, &json!({"text": ""}), Some("STOP")))],
    }
}

fn response(id: &str, model: &str, part: &Value, reason: Option<&str>) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": [part]}, "index": 0});
    if let Some(reason) = reason {
        candidate["finishReason"] = json!(reason);
    }
    json!({
        "candidates": [candidate], "modelVersion": model, "responseId": id,
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5},
    })
}
