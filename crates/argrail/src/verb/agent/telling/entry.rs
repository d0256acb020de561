//! A tool that an agent uses, in a few words.

use serde_json::Value;

/// Fields of a tool's input that say what it is about, in the order in which they are looked for.
const TELLING: [&str; 12] = [
    "command",
    "cmd",
    "path",
    "file_path",
    "filePath",
    "abs_path",
    "pattern",
    "query",
    "url",
    "uri",
    "prompt",
    "text",
];
/// The most characters of it that are looked at.
const LONGEST: usize = 300;

/// Returns what a tool is used on, if that can be told.
pub(super) fn about(input: &Value) -> Option<String> {
    let text = match input {
        Value::Object(fields) => {
            let told = TELLING.iter().find_map(|name| fields.get(*name).and_then(plain));
            match told {
                Some(told) => told,
                None if fields.is_empty() => return None,
                None => input.to_string(),
            }
        }
        Value::Null => return None,
        other => plain(other).unwrap_or_else(|| other.to_string()),
    };
    Some(text.chars().take(LONGEST).collect())
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Array(items) if !items.is_empty() => {
            let words: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            Some(words?.join(" "))
        }
        Value::String(_)
        | Value::Array(_)
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_telling_field_is_found() {
        let check = |input: Value, want: Option<&str>| assert_eq!(about(&input).as_deref(), want, "{input}");
        check(json!({"path": "a.rs", "command": "ls -l"}), Some("ls -l"));
        check(json!({"command": ["git", "push"]}), Some("git push"));
        check(json!({"other": 1}), Some(r#"{"other":1}"#));
        check(json!({}), None);
        check(Value::Null, None);
        check(json!("a.rs"), Some("a.rs"));
        check(json!({"command": [1, 2]}), Some(r#"{"command":[1,2]}"#));
    }
}
