//! JSON Schema of one parameter and of all of a function's (the type table of ATIP §3.2.5).

use serde_json::{Map, Value, json};

use super::given_schema::passed_on;
use super::parameter::Parameter;
use super::prose::line;
use super::shape::{Count, One};
use crate::atip::Kind;

/// How long the description of a parameter may be.
const DESCRIPTION: usize = 1024;
/// How long a text that is passed on whole may be; longer ones are left out.
const LENGTH: usize = 500;

/// Returns the schema of the object that holds all parameters.
pub(crate) fn object(parameters: &[Parameter<'_>], is_allowed: &dyn Fn(&str) -> bool) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.property.clone(), property(parameter, is_allowed)))
        .collect();
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.required)
        .map(|parameter| parameter.property.as_str())
        .collect();
    let mut object = json!({"type": "object", "properties": properties, "additionalProperties": false});
    if let (Some(object), false) = (object.as_object_mut(), required.is_empty()) {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

/// Returns the schema of one parameter.
fn property(parameter: &Parameter<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Value {
    let mut out = Map::new();
    let mut description = description(parameter);
    match given(parameter, is_allowed) {
        Some(schema) => {
            out = schema;
            description = line(parameter.source.description(), DESCRIPTION);
        }
        None => {
            let item = one(parameter);
            match parameter.shape.count {
                Count::One => out = item,
                Count::Many => {
                    out.insert("type".to_owned(), "array".into());
                    out.insert("items".to_owned(), Value::Object(item));
                    if parameter.required {
                        out.insert("minItems".to_owned(), 1.into());
                    }
                }
            }
        }
    }
    if !description.is_empty() {
        out.insert("description".to_owned(), description.into());
    }
    if let Some(default) = parameter.source.default().filter(|value| is_simple(value)) {
        out.insert("default".to_owned(), default.clone());
    }
    Value::Object(out)
}

/// The metadata's own schema, where the shape was taken from it.
fn given(parameter: &Parameter<'_>, is_allowed: &dyn Fn(&str) -> bool) -> Option<Map<String, Value>> {
    let source = &parameter.source;
    let from_schema = match source.kind() {
        Kind::String | Kind::File | Kind::Directory | Kind::Url | Kind::Enum | Kind::Array => true,
        Kind::Integer | Kind::Number | Kind::Boolean => false,
    };
    let schema = passed_on(source.schema().filter(|_| from_schema)?, is_allowed)?;
    let typed = schema.get("type").and_then(Value::as_str);
    let fits = match parameter.shape.count {
        Count::Many => typed == Some("array"),
        Count::One => typed.is_some(),
    };
    match schema {
        Value::Object(schema) if fits => Some(schema),
        _ => None,
    }
}

/// The schema of one value, as the type table has it.
fn one(parameter: &Parameter<'_>) -> Map<String, Value> {
    let mut out = Map::new();
    let kind = match &parameter.shape.one {
        One::Text | One::Json => "string",
        One::Integer => "integer",
        One::Number => "number",
        One::Boolean => "boolean",
        One::Choice(values) => type_of(values),
    };
    out.insert("type".to_owned(), kind.into());
    if let One::Choice(values) = &parameter.shape.one {
        out.insert("enum".to_owned(), choices(values, kind));
    }
    if parameter.shape.one == One::Text {
        let format = match parameter.source.kind() {
            Kind::File => Some("file-path"),
            Kind::Directory => Some("directory-path"),
            Kind::Url => Some("uri"),
            Kind::String | Kind::Integer | Kind::Number | Kind::Boolean | Kind::Enum | Kind::Array => None,
        };
        out.extend(format.map(|format| ("format".to_owned(), format.into())));
        let pattern = parameter
            .source
            .pattern()
            .filter(|pattern| is_short_and_clean(pattern));
        out.extend(pattern.map(|pattern| ("pattern".to_owned(), pattern.into())));
    }
    out
}

/// The one type that all choices have. Where they differ, all are written as text.
pub(crate) fn type_of(values: &[Value]) -> &'static str {
    if values.iter().all(|value| value.is_i64() || value.is_u64()) {
        "integer"
    } else if values.iter().all(Value::is_number) {
        "number"
    } else if values.iter().all(Value::is_boolean) {
        "boolean"
    } else {
        "string"
    }
}

/// The choices, each as the type that they have in common.
pub(crate) fn choices(values: &[Value], kind: &str) -> Value {
    if kind != "string" {
        return values.into();
    }
    values.iter().map(text).collect()
}

/// Returns a scalar as text.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What a parameter is for, in the metadata's words, and what we must add to it.
pub(crate) fn description(parameter: &Parameter<'_>) -> String {
    let addition = if parameter.shape.one == One::Json {
        " (JSON, as text)"
    } else {
        ""
    };
    let said = line(parameter.source.description(), DESCRIPTION - addition.len());
    format!("{said}{addition}").trim_start().to_owned()
}

fn is_simple(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::Number(_) => true,
        Value::String(text) => is_short_and_clean(text),
        Value::Array(items) => {
            items.len() <= 50 && items.iter().all(|item| !item.is_array() && is_simple(item))
        }
        Value::Null | Value::Object(_) => false,
    }
}

fn is_short_and_clean(text: &str) -> bool {
    text.len() <= LENGTH && !text.contains(argrail_acli::is_invisible)
}
