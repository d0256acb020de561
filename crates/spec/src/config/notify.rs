//! How a person is told that a question waits: `"desktop"`, or `{"command": ["notify-send", "argrail", "{summary}"]}`.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::reader::{Wrong, closed, field, items, text};
use crate::doc::Node;

/// The most words of a command.
const WORDS: usize = 64;
/// What stands for the place of something about the question.
const PLACES: [&str; 3] = ["{id}", "{tool}", "{summary}"];
const WHAT: &str = "\"desktop\" or {\"command\": [\"notify-send\", \"argrail\", \"{summary}\"]}";

/// How a person is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notify {
    /// By the desktop's own notifications.
    Desktop,
    /// By a program and its words. `{id}`, `{tool}` and `{summary}` in a word are filled in.
    Command(Vec<String>),
}

impl Serialize for Notify {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Desktop => serializer.serialize_str("desktop"),
            Self::Command(words) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("command", words)?;
                map.end()
            }
        }
    }
}

impl JsonSchema for Notify {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Notify".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How a person is told that a question waits",
            "oneOf": [
                {"const": "desktop"},
                {
                    "type": "object",
                    "properties": {
                        "command": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": WORDS},
                    },
                    "required": ["command"],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

pub(super) fn notify(node: &Node) -> Result<Notify, Wrong> {
    match node.as_str() {
        Some("desktop") => return Ok(Notify::Desktop),
        Some(_) => return Err(Wrong::expected(node, WHAT)),
        None => {}
    }
    if node.as_object().is_none() {
        return Err(Wrong::expected(node, WHAT));
    }
    let command = closed(node, &["command"], |object| {
        field(object, "command", |list| {
            items(list, "a list of words", |item| text(item, "a word"))
        })
    })?;
    let words = command.ok_or_else(|| Wrong::expected(node, WHAT))?;
    let program = words.first().map(String::as_str).unwrap_or_default();
    if program.is_empty() || words.len() > WORDS {
        return Err(Wrong::new(
            node.span,
            format!("command: expected a program and its words, at most {WORDS}"),
        ));
    }
    if program.contains('/') && !program.starts_with(['/', '~']) {
        return Err(Wrong::new(
            node.span,
            "command: expected a program of the system, an absolute path or one that starts with ~/",
        ));
    }
    if PLACES.iter().any(|place| program.contains(place)) {
        return Err(Wrong::new(
            node.span,
            "command: the program itself may not come from the question",
        ));
    }
    if words.iter().any(|word| word.contains('\0')) {
        return Err(Wrong::new(node.span, "command: a word may not hold a NUL"));
    }
    Ok(Notify::Command(words))
}
