//! Answers to what nobody scripted: the smallest value that a schema lets pass.

use serde_json::{Map, Value, json};

/// How deep a schema is followed.
const DEPTH: usize = 8;

/// Returns a value of the shape that a JSON Schema (or Gemini's dialect of one) describes.
pub(super) fn value(schema: &Value) -> Value {
    made(schema, DEPTH)
}

fn made(schema: &Value, depth: usize) -> Value {
    if depth == 0 {
        return Value::Null;
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    let kind = schema["type"].as_str().unwrap_or("object").to_ascii_lowercase();
    match kind.as_str() {
        "string" => json!("fine"),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        "boolean" => json!(false),
        "array" => json!([]),
        _ => {
            let fields = schema["properties"].as_object();
            let fields = fields.into_iter().flatten();
            let fields: Map<_, _> = fields
                .map(|(name, one)| (name.clone(), made(one, depth - 1)))
                .collect();
            fields.into()
        }
    }
}

#[test]
fn an_answer_has_the_shape_that_was_asked_for() {
    let schema = json!({"type": "OBJECT", "properties": {
        "why": {"type": "STRING"}, "score": {"type": "INTEGER", "minimum": 3}, "sure": {"type": "boolean"},
        "list": {"type": "array"}, "one": {"enum": ["a", "b"]}}});
    assert_eq!(
        value(&schema),
        json!({"why": "fine", "score": 3, "sure": false, "list": [], "one": "a"})
    );
    let mut deep = json!({"type": "string"});
    for _ in 0..20 {
        deep = json!({"type": "object", "properties": {"in": deep}});
    }
    assert!(value(&deep).to_string().ends_with("null}}}}}}}}"));
}
