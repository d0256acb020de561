//! The JSON Schema of an option or an argument (ATIP §3.2.4 `schema`), held against one value.
//!
//! A schema is compiled when the first value comes. One that cannot be used holds nothing, as a pattern that is no
//! regular expression does; `lint` says so.

use std::sync::OnceLock;

use serde_json::Value;

use crate::mcp_tools::list_items;
use crate::tools_json::{ArgumentCheck, Schema};

/// What one value must be.
pub(super) struct SchemaCheck {
    schema: Value,
    /// Whether it is the schema of the items of a list.
    of_items: bool,
    /// Whether a word may be a whole list, as a JSON array.
    takes_array: bool,
    compiled: OnceLock<Option<ArgumentCheck>>,
}

impl SchemaCheck {
    /// Takes a schema. Of a list it is the schema of one item, since words come one by one.
    pub(super) fn new(schema: &Value) -> Option<Self> {
        let is_list = schema.get("type").and_then(Value::as_str) == Some("array");
        let one = match is_list {
            true => schema.get("items")?,
            false => schema,
        };
        one.is_object().then(|| Self {
            schema: one.clone(),
            of_items: is_list,
            takes_array: false,
            compiled: OnceLock::new(),
        })
    }

    /// The same for an option whose value may be a whole list, as a JSON array.
    pub(super) fn taking_array(self, takes_array: bool) -> Self {
        Self { takes_array, ..self }
    }

    /// Whether a value fits. A word of a list may be several items with commas between them.
    pub(super) fn fits(&self, value: &Value) -> bool {
        let items = value.as_str().filter(|_| self.of_items);
        self.fits_as_one(value)
            || items.is_some_and(|text| {
                let is_array = self.takes_array && text.starts_with('[');
                if is_array {
                    let items = list_items(text);
                    return items
                        .iter()
                        .all(|item| self.fits_as_one(&Value::from(item.as_ref())));
                }
                let mut items = text.split(',').map(|item| Value::from(item.trim()));
                text.contains(',') && items.all(|item| self.fits_as_one(&item))
            })
    }

    /// A word that stands for a list or an object is JSON text, and no value of its own.
    fn fits_as_one(&self, value: &Value) -> bool {
        let compiled = self.compiled.get_or_init(|| {
            let schema = Schema::new(&self.schema.to_string()).ok()?;
            ArgumentCheck::new(Some(&schema)).ok()
        });
        let fits = |value: &Value| {
            compiled
                .as_ref()
                .is_none_or(|check| check.check_any(value).is_ok())
        };
        // What is written in words is text; the schema may want the number or the object that it says.
        fits(value)
            || value.as_str().is_some_and(|text| {
                serde_json::from_str::<Value>(text).is_ok_and(|said| !said.is_string() && fits(&said))
            })
    }

    /// Says what is expected: in words where the schema says no more than these can, else by the schema itself.
    pub(super) fn expected(&self) -> String {
        let text = self.schema.to_string();
        match (in_words(&self.schema), text.chars().count()) {
            (Some(words), _) if self.of_items => format!("{words}, or several with commas between them"),
            (Some(words), _) => words,
            (None, ..=MAX_SHOWN_CHARS) => format!("a value that fits the schema {text}"),
            (None, _) => "a value that fits its schema".to_owned(),
        }
    }
}

/// Longer schemas are not repeated in an error.
const MAX_SHOWN_CHARS: usize = 200;

/// What a simple schema wants, in words; nothing for one that says more.
fn in_words(schema: &Value) -> Option<String> {
    let mut words = Vec::new();
    for (key, value) in schema.as_object()? {
        let text = value.as_str().filter(|text| text.len() <= MAX_SHOWN_CHARS);
        let word = match key.as_str() {
            "type" => match text? {
                "string" => "text".to_owned(),
                "integer" => "a whole number".to_owned(),
                "number" => "a number".to_owned(),
                "boolean" => "true or false".to_owned(),
                _ => return None,
            },
            "format" => match text? {
                "date-time" => {
                    "an ISO8601 date with a time and its zone (e.g., 2026-02-02T10:00:00Z)".to_owned()
                }
                "date" => "an ISO8601 date (e.g., 2026-02-02)".to_owned(),
                other => format!("in the form of {other}"),
            },
            "pattern" => format!("that matches {}", text?),
            "minimum" => format!("at least {}", value.as_number()?),
            "maximum" => format!("at most {}", value.as_number()?),
            "minLength" => format!("of at least {} characters", value.as_u64()?),
            "maxLength" => format!("of at most {} characters", value.as_u64()?),
            // What is said for people changes nothing.
            "title" | "description" | "default" | "examples" | "$comment" => continue,
            _ => return None,
        };
        words.push((key != "type", word));
    }
    // That a date is text, nobody has to be told.
    if words.iter().any(|(_, word)| word.starts_with("an ISO8601 ")) {
        words.retain(|(is_bound, _)| *is_bound);
    }
    words.sort_by_key(|(is_bound, _)| *is_bound);
    let words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_held_against_the_schema_of_one() {
        let check = |schema: Value, value: Value, want: bool| {
            let fits = SchemaCheck::new(&schema).is_none_or(|check| check.fits(&value));
            assert_eq!(fits, want, "{schema} {value}");
        };
        check(json!({"type": "string", "minLength": 2}), json!("ab"), true);
        check(json!({"type": "string", "minLength": 2}), json!("a"), false);
        check(json!({"type": "integer", "maximum": 5}), json!(5), true);
        check(json!({"type": "integer", "maximum": 5}), json!(6), false);
        check(json!({"type": "integer", "maximum": 5}), json!("6"), false);
        check(
            json!({"type": "array", "items": {"enum": ["a", "b"]}}),
            json!("b"),
            true,
        );
        check(
            json!({"type": "array", "items": {"enum": ["a", "b"]}}),
            json!("c"),
            false,
        );
        check(json!({"type": "array"}), json!("c"), true);
        let numbers = json!({"type": "array", "items": {"type": "integer"}});
        check(numbers.clone(), json!("1,2"), true);
        check(numbers.clone(), json!("1,x"), false);
        check(numbers, json!("1,,2"), false);
        check(json!({"type": "integer"}), json!("1,2"), false);
        check(
            json!({"type": "object", "required": ["a"]}),
            json!("{\"a\": 1}"),
            true,
        );
        check(
            json!({"type": "object", "required": ["a"]}),
            json!("{\"b\": 1}"),
            false,
        );
        // What is no schema cannot be asked.
        check(json!({"type": "nonsense"}), json!("x"), true);
        check(json!("text"), json!("x"), true);
    }

    #[test]
    fn what_is_expected_is_said_in_words_where_that_can_be_done() {
        let check = |schema: Value, want: &str| {
            assert_eq!(SchemaCheck::new(&schema).unwrap().expected(), want, "{schema}");
        };
        check(
            json!({"type": "string", "format": "date-time"}),
            "an ISO8601 date with a time and its zone (e.g., 2026-02-02T10:00:00Z)",
        );
        check(
            json!({"minimum": 1, "description": "How many", "type": "integer", "maximum": 9}),
            "a whole number, at least 1, at most 9",
        );
        check(
            json!({"type": "array", "items": {"type": "integer"}}),
            "a whole number, or several with commas between them",
        );
        check(
            json!({"enum": ["a", "b"]}),
            "a value that fits the schema {\"enum\":[\"a\",\"b\"]}",
        );
        check(json!({"const": "x".repeat(300)}), "a value that fits its schema");
    }
}
