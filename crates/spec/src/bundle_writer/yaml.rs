//! A JSON value as YAML that people like to read: blocks, and quotes only where they are needed.
//!
//! Every text that could be read as something else is written as JSON writes it, which YAML reads the same.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// How long a list or an object may be to stand on one line.
const LINE: usize = 96;

/// Returns the lines of an object's members.
pub(super) fn members(object: &Map<String, Value>) -> String {
    let mut out = String::new();
    block(object, 0, &mut out);
    out
}

fn block(object: &Map<String, Value>, depth: usize, out: &mut String) {
    for (key, value) in object {
        let pad = "  ".repeat(depth);
        let key = scalar_text(key);
        let inline = flow(value);
        if is_short(value, &inline) {
            // Writing to a String cannot fail.
            let _ = writeln!(out, "{pad}{key}: {inline}");
            continue;
        }
        let _ = writeln!(out, "{pad}{key}:");
        match value {
            Value::Object(inner) => block(inner, depth + 1, out),
            Value::Array(items) => {
                for item in items {
                    let _ = writeln!(out, "{pad}  - {}", flow(item));
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
}

fn is_short(value: &Value, inline: &str) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        Value::Array(items) => items.is_empty() || inline.len() <= LINE,
        Value::Object(object) => object.is_empty() || inline.len() <= LINE,
    }
}

/// A value on one line.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => scalar_text(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(object) if object.is_empty() => "{}".to_owned(),
        Value::Object(object) => {
            let members: Vec<String> = object
                .iter()
                .map(|(key, value)| format!("{}: {}", scalar_text(key), flow(value)))
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

fn scalar_text(text: &str) -> String {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_')
        || text.starts_with("./")
        || text.starts_with("../");
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let lower = text.to_ascii_lowercase();
    let means = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    if starts && text.chars().all(plain) && !means.contains(&lower.as_str()) {
        return text.to_owned();
    }
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::doc::{FrontMatter, Limits};

    #[test]
    fn what_is_written_is_read_back() {
        let check = |value: Value| {
            let text = format!("---\n{}---\n", members(value.as_object().unwrap()));
            let read = FrontMatter::read(text.as_bytes(), &Limits::manifest());
            let read = read.unwrap_or_else(|problem| panic!("{text}: {problem:?}"));
            assert_eq!(read.document.root.to_json(), value, "{text}");
        };
        check(
            json!({"a": "plain", "b": "two words", "c": "yes", "d": "1", "e": "", "f": "- x", "g": "a: b"}),
        );
        check(
            json!({"text": "line\nline \"quoted\" \\ ${x} #no & * ! % @ ` ' é 日", "n": null, "t": true, "i": 3, "f": 1.5}),
        );
        check(json!({"list": ["a", "b c"], "empty": [], "none": {}, "0": "zero", "": "nothing"}));
        check(json!({"deep": {"x": {"y": {"z": ["a".repeat(100), {"k": "b".repeat(100)}]}}}}));
    }
}
