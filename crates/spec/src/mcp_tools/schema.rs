//! What one property of an `inputSchema` is on a command line: a word of some type, several of them, or JSON text.
//!
//! Schemas of any draft are read, and only for their shape: nothing is evaluated. What is not plainly one of the types
//! of ATIP §3.2.5 is JSON text, so that no value is lost or guessed.

use serde_json::{Map, Value};

use super::reference::resolve;
use crate::atip::Kind;

/// The most values that are listed for one option.
const MOST_VALUES: usize = 500;
/// The longest regular expression that is kept.
const LONGEST_PATTERN: usize = 1_000;
/// Keywords that say no more than an option does.
const PLAIN: [&str; 14] = [
    "type",
    "description",
    "title",
    "default",
    "enum",
    "const",
    "pattern",
    "examples",
    "deprecated",
    "$comment",
    "$ref",
    "$defs",
    "definitions",
    "$id",
];

/// What a property is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// The type of the option.
    pub(super) kind: Kind,
    /// How the value is written.
    pub(super) form: Form,
    /// The values it may have.
    pub(super) values: Option<Vec<Value>>,
    /// A regular expression that it matches.
    pub(super) pattern: Option<String>,
    /// Whether the schema says more than that.
    pub(super) says_more: bool,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As it is.
    Word,
    /// As JSON text.
    Json,
}

impl Shape {
    const fn json() -> Self {
        Self {
            kind: Kind::String,
            form: Form::Json,
            values: None,
            pattern: None,
            says_more: true,
        }
    }

    fn word(kind: Kind, says_more: bool) -> Self {
        Self {
            kind,
            form: Form::Word,
            says_more,
            ..Self::json()
        }
    }
}

/// Returns the shape of a property of `root`.
pub(super) fn shape(root: &Value, schema: &Value) -> Shape {
    let Some(object) = resolve(root, schema) else {
        return Shape::json();
    };
    match one_of(root, object) {
        Some(only) => Shape {
            says_more: true,
            ..typed(root, only)
        },
        None => typed(root, object),
    }
}

/// Returns the shape of the items of a list that stands alone.
pub(super) fn items(schema: &Value) -> Option<Shape> {
    let object = resolve(schema, schema)?;
    let list = one_of(schema, object).unwrap_or(object);
    Some(shape(schema, list.get("items")?))
}

/// Returns the only alternative besides `null`: how an optional value is often written.
fn one_of<'s>(root: &'s Value, object: &'s Map<String, Value>) -> Option<&'s Map<String, Value>> {
    if object.contains_key("type") {
        return None;
    }
    let alternatives = object.get("anyOf").or_else(|| object.get("oneOf"))?.as_array()?;
    let is_null = |schema: &&Value| schema.get("type").is_some_and(|kind| kind == "null");
    let mut left = alternatives.iter().filter(|schema| !is_null(schema));
    match (left.next(), left.next()) {
        (Some(only), None) => resolve(root, only),
        (Some(_) | None, _) => None,
    }
}

fn typed(root: &Value, object: &Map<String, Value>) -> Shape {
    if let Some(values) = values(object) {
        let only_texts = values.iter().all(Value::is_string);
        return Shape {
            values: Some(values),
            ..Shape::word(Kind::Enum, !only_texts || says_more(object, PLAIN.as_slice()))
        };
    }
    if object.contains_key("enum") || object.contains_key("const") {
        return Shape::json();
    }
    let Some((kind, or_null)) = type_of(object) else {
        return Shape::json();
    };
    let more = or_null || says_more(object, PLAIN.as_slice());
    match kind {
        "string" => text(object, or_null),
        "integer" => Shape::word(Kind::Integer, more),
        "number" => Shape::word(Kind::Number, more),
        "boolean" => Shape::word(Kind::Boolean, more),
        "array" => list(root, object),
        _ => Shape::json(),
    }
}

fn text(object: &Map<String, Value>, or_null: bool) -> Shape {
    let format = object.get("format").and_then(Value::as_str);
    let is_url = format.is_some_and(|format| matches!(format, "uri" | "url" | "iri"));
    let known: Vec<&str> = PLAIN.into_iter().chain(is_url.then_some("format")).collect();
    let pattern = object.get("pattern").and_then(Value::as_str);
    let short = pattern.filter(|pattern| pattern.len() <= LONGEST_PATTERN);
    let kind = if is_url { Kind::Url } else { Kind::String };
    Shape {
        pattern: short.map(str::to_owned),
        ..Shape::word(kind, or_null || says_more(object, &known))
    }
}

/// A list of words, if its items are words; else JSON text.
fn list(root: &Value, object: &Map<String, Value>) -> Shape {
    let items = object.get("items").and_then(|items| resolve(root, items));
    let Some(items) = items.filter(|_| !object.contains_key("prefixItems")) else {
        return Shape::json();
    };
    let item = typed(root, items);
    match (item.form, item.kind) {
        (Form::Json, _) | (Form::Word, Kind::Array) => Shape::json(),
        (
            Form::Word,
            Kind::String
            | Kind::Integer
            | Kind::Number
            | Kind::Boolean
            | Kind::File
            | Kind::Directory
            | Kind::Url
            | Kind::Enum,
        ) => {
            let known: Vec<&str> = PLAIN.into_iter().chain(["items"]).collect();
            let plain_items = item.kind == Kind::String && !item.says_more && item.pattern.is_none();
            Shape::word(Kind::Array, !plain_items || says_more(object, &known))
        }
    }
}

/// The values that are listed, without `null`, if all of them are words.
fn values(object: &Map<String, Value>) -> Option<Vec<Value>> {
    let listed = match (object.get("enum"), object.get("const")) {
        (Some(listed), _) => listed.as_array()?.as_slice(),
        (None, Some(only)) => std::slice::from_ref(only),
        (None, None) => return None,
    };
    let words: Vec<Value> = listed.iter().filter(|value| !value.is_null()).cloned().collect();
    let is_word = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
    let fits = !words.is_empty() && words.len() <= MOST_VALUES && words.iter().all(is_word);
    fits.then_some(words)
}

/// Returns the one type that a schema names, and whether `null` will do, too.
fn type_of(object: &Map<String, Value>) -> Option<(&str, bool)> {
    match object.get("type")? {
        Value::String(kind) => Some((kind, false)),
        Value::Array(kinds) => {
            let mut left = kinds.iter().filter(|kind| **kind != "null");
            let only = left.next()?.as_str()?;
            left.next().is_none().then_some((only, kinds.len() > 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

fn says_more(object: &Map<String, Value>, known: &[&str]) -> bool {
    object.keys().any(|key| !known.contains(&key.as_str()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shapes_of_properties() {
        let root = json!({"$defs": {"Mode": {"type": "string", "enum": ["fast", "slow"]}}});
        // The kind, `json` for JSON text, `+` when the schema says more.
        let check = |schema: Value, want: &str| {
            let shape = shape(&root, &schema);
            let kind = match shape.form {
                Form::Word => shape.kind.as_str(),
                Form::Json => "json",
            };
            let more = if shape.says_more && shape.form == Form::Word {
                "+"
            } else {
                ""
            };
            assert_eq!(format!("{kind}{more}"), want, "{schema}");
        };
        check(json!({"type": "string"}), "string");
        check(
            json!({"type": "string", "description": "x", "title": "X", "default": "y"}),
            "string",
        );
        check(json!({"type": "string", "minLength": 3}), "string+");
        check(json!({"type": "string", "pattern": "^a"}), "string");
        check(json!({"type": "string", "format": "uri"}), "url");
        check(json!({"type": "string", "format": "date-time"}), "string+");
        check(json!({"type": "integer"}), "integer");
        check(json!({"type": "number", "minimum": 0}), "number+");
        check(json!({"type": "boolean"}), "boolean");
        check(json!({"type": ["string", "null"]}), "string+");
        check(json!({"type": ["string", "integer"]}), "json");
        check(
            json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
            "integer+",
        );
        check(
            json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
            "json",
        );
        check(json!({"enum": ["a", "b"]}), "enum");
        check(json!({"type": "integer", "enum": [1, 2]}), "enum+");
        check(json!({"const": "only"}), "enum");
        check(json!({"enum": [{"a": 1}]}), "json");
        check(json!({"enum": []}), "json");
        check(json!({"enum": vec!["x"; 501]}), "json");
        check(json!({"$ref": "#/$defs/Mode"}), "enum");
        check(json!({"$ref": "#/$defs/None"}), "json");
        check(json!({"type": "array", "items": {"type": "string"}}), "array");
        check(json!({"type": "array", "items": {"type": "integer"}}), "array+");
        check(
            json!({"type": "array", "items": {"$ref": "#/$defs/Mode"}}),
            "array+",
        );
        check(json!({"type": "array", "items": {"type": "object"}}), "json");
        check(
            json!({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}),
            "json",
        );
        check(json!({"type": "array", "items": [{"type": "string"}]}), "json");
        check(json!({"type": "array"}), "json");
        check(
            json!({"type": "object", "properties": {"a": {"type": "string"}}}),
            "json",
        );
        for odd in [
            json!(true),
            json!({}),
            json!(null),
            json!([]),
            json!("string"),
            json!({"type": 7}),
            json!({"type": "text"}),
        ] {
            check(odd, "json");
        }
    }
}
