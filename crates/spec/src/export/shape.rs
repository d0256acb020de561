//! What values a parameter takes, whichever way the metadata says it (ATIP §3.2.5).
//!
//! The type table gives the shape; `enum`, `variadic` and `schema` refine it. Values are checked against the shape and
//! JSON Schema is made from it, so the two cannot differ.

use indexmap::IndexSet;
use serde_json::Value;

use crate::atip::Kind;

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum One {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// One of these scalars.
    Choice(Vec<Value>),
    /// Any JSON, passed on as its text.
    Json,
}

/// How many values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    /// At most one.
    One,
    /// A list.
    Many,
}

/// What values a parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    /// What each value is.
    pub(crate) one: One,
    /// How many there may be.
    pub(crate) count: Count,
}

/// What the metadata says about the values of an option or an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Said<'a> {
    pub(crate) kind: Kind,
    pub(crate) values: Option<&'a [Value]>,
    pub(crate) schema: Option<&'a Value>,
    pub(crate) variadic: bool,
}

impl Shape {
    /// Returns the shape of what the metadata says.
    pub(crate) fn of(said: Said<'_>) -> Self {
        let typed = said
            .schema
            .and_then(|schema| schema.get("type"))
            .and_then(Value::as_str);
        let is_list = said.kind == Kind::Array || typed == Some("array");
        let count = if is_list || said.variadic {
            Count::Many
        } else {
            Count::One
        };
        let choices = said
            .values
            .and_then(choices)
            .or_else(|| listed(said.schema?, is_list));
        let one = match (choices, said.kind) {
            (_, Kind::Boolean) => One::Boolean,
            (Some(choices), _) => One::Choice(choices),
            (None, Kind::Integer) => One::Integer,
            (None, Kind::Number) => One::Number,
            (None, Kind::String | Kind::File | Kind::Directory | Kind::Url | Kind::Enum | Kind::Array) => {
                let schema = said.schema.and_then(|schema| {
                    if is_list {
                        schema.get("items")
                    } else {
                        Some(schema)
                    }
                });
                schema.map_or(One::Text, described)
            }
        };
        Self { one, count }
    }
}

/// How long one choice may be.
const LENGTH: usize = 500;

/// The scalars among `values` that can be shown as they are, if there are any.
fn choices(values: &[Value]) -> Option<Vec<Value>> {
    let mut kept: IndexSet<Value> = IndexSet::new();
    for value in values {
        let is_scalar = match value {
            Value::String(text) => text.len() <= LENGTH && !text.contains(argrail_acli::is_invisible),
            Value::Number(_) | Value::Bool(_) => true,
            Value::Null | Value::Array(_) | Value::Object(_) => false,
        };
        if is_scalar {
            kept.insert(value.clone());
        }
    }
    (!kept.is_empty()).then(|| kept.into_iter().collect())
}

/// The choices that a schema lists, for itself or for its items.
fn listed(schema: &Value, is_list: bool) -> Option<Vec<Value>> {
    let schema = if is_list { schema.get("items")? } else { schema };
    choices(schema.get("enum")?.as_array()?)
}

/// The shape of what a schema describes. What is no single type is passed on as JSON.
fn described(schema: &Value) -> One {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => One::Text,
        Some("integer") => One::Integer,
        Some("number") => One::Number,
        Some("boolean") => One::Boolean,
        Some(_) | None => One::Json,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_way_to_say_a_type_is_one_shape() {
        let check = |kind: Kind, values: Value, schema: Value, variadic: bool, one: One, count: Count| {
            let said = Said {
                kind,
                values: values.as_array().map(Vec::as_slice),
                schema: (!schema.is_null()).then_some(&schema),
                variadic,
            };
            assert_eq!(
                Shape::of(said),
                Shape { one, count },
                "{kind:?} {values} {schema}"
            );
        };
        let none = Value::Null;
        for (kind, one, count) in [
            (Kind::String, One::Text, Count::One),
            (Kind::Integer, One::Integer, Count::One),
            (Kind::Number, One::Number, Count::One),
            (Kind::Boolean, One::Boolean, Count::One),
            (Kind::File, One::Text, Count::One),
            (Kind::Directory, One::Text, Count::One),
            (Kind::Url, One::Text, Count::One),
            (Kind::Enum, One::Text, Count::One),
            (Kind::Array, One::Text, Count::Many),
        ] {
            check(kind, none.clone(), none.clone(), false, one, count);
        }
        let ab = One::Choice(vec![json!("a"), json!("b")]);
        check(
            Kind::Enum,
            json!(["a", "b", "a"]),
            none.clone(),
            false,
            ab.clone(),
            Count::One,
        );
        check(
            Kind::String,
            json!(["a", "b\u{202e}", "b", {}]),
            none.clone(),
            true,
            ab.clone(),
            Count::Many,
        );
        check(
            Kind::Array,
            json!(["a", "b"]),
            none.clone(),
            false,
            ab.clone(),
            Count::Many,
        );
        check(
            Kind::Enum,
            json!([{}, []]),
            none.clone(),
            false,
            One::Text,
            Count::One,
        );
        check(
            Kind::Array,
            none.clone(),
            json!({"type": "array", "items": {"type": "integer"}}),
            false,
            One::Integer,
            Count::Many,
        );
        check(
            Kind::String,
            none.clone(),
            json!({"type": "array", "items": {"enum": ["a", "b"]}}),
            false,
            ab,
            Count::Many,
        );
        check(
            Kind::String,
            none.clone(),
            json!({"type": "object"}),
            false,
            One::Json,
            Count::One,
        );
        check(
            Kind::String,
            none.clone(),
            json!({"anyOf": []}),
            false,
            One::Json,
            Count::One,
        );
        check(Kind::String, none, json!("odd"), false, One::Json, Count::One);
    }
}
