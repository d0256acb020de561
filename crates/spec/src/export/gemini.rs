//! Google Gemini: `functionDeclarations` in its subset of OpenAPI; calls are `functionCall` parts.
//!
//! The subset has upper-case types, `enum` on text only, no defaults, no references, no `additionalProperties`, and
//! no object without properties; names of properties are letters, digits and `_`.

use serde_json::{Map, Value, json};

use super::call::Error;
use super::definition::Definition;
use super::format::Strictness;
use super::parameter::Parameter;
use super::provider::{FailedCall, Provider, RawCall, id, is_identifier, object, raw_call, text};
use super::schema::{choices, description};
use super::shape::{Count, One};

/// Function declarations.
pub(crate) struct Gemini;

impl Provider for Gemini {
    fn allows_property(&self, name: &str) -> bool {
        is_identifier(name, |c| c.is_ascii_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_ascii_digit())
    }

    fn definition(&self, definition: &Definition<'_>, _: Strictness) -> (Value, Option<&'static str>) {
        let mut declaration = json!({
            "name": definition.name,
            "description": definition.description,
        });
        if let (Some(fields), false) = (declaration.as_object_mut(), definition.parameters.is_empty()) {
            fields.insert("parameters".to_owned(), parameters(&definition.parameters));
        }
        (declaration, None)
    }

    fn wrap(&self, definitions: Vec<Value>) -> Value {
        json!({"functionDeclarations": definitions})
    }

    /// Takes one `functionCall`, a part or content that holds some, or a whole answer with `candidates`.
    fn calls(&self, message: &Value) -> Result<Vec<Result<RawCall, FailedCall>>, Error> {
        if let Some(candidates) = message.get("candidates").and_then(Value::as_array) {
            let mut found = Vec::new();
            for content in candidates.iter().filter_map(|candidate| candidate.get("content")) {
                found.extend(self.calls(content)?);
            }
            return Ok(found);
        }
        let parts = match message.get("parts").unwrap_or(message) {
            Value::Array(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        let of_part = |part: &Value| {
            let spelt = part.get("functionCall").or_else(|| part.get("function_call"));
            spelt.cloned()
        };
        let bare = |part: &Value| (part.get("name").is_some()).then(|| part.clone());
        let calls = parts
            .iter()
            .filter_map(|part| of_part(part).or_else(|| bare(part)));
        Ok(calls.map(|function| call(&function)).collect())
    }
}

fn call(function: &Value) -> Result<RawCall, FailedCall> {
    raw_call(id(function.get("id")), text(function, "name"), |name| {
        Ok((object(name, function.get("args"))?, None))
    })
}

fn parameters(parameters: &[Parameter<'_>]) -> Value {
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.property.clone(), property(parameter)))
        .collect();
    let required: Vec<&str> = parameters
        .iter()
        .filter(|parameter| parameter.required)
        .map(|parameter| parameter.property.as_str())
        .collect();
    let mut object = json!({"type": "OBJECT", "properties": properties});
    if let (Some(object), false) = (object.as_object_mut(), required.is_empty()) {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

fn property(parameter: &Parameter<'_>) -> Value {
    let mut one = Map::new();
    let kind = match &parameter.shape.one {
        One::Text | One::Json | One::Choice(_) => "STRING",
        One::Integer => "INTEGER",
        One::Number => "NUMBER",
        One::Boolean => "BOOLEAN",
    };
    one.insert("type".to_owned(), kind.into());
    if let One::Choice(values) = &parameter.shape.one {
        one.insert("enum".to_owned(), choices(values, "string"));
    }
    let mut out = match parameter.shape.count {
        Count::One => one,
        Count::Many => {
            let mut list = Map::new();
            list.insert("type".to_owned(), "ARRAY".into());
            list.insert("items".to_owned(), Value::Object(one));
            list
        }
    };
    let description = description(parameter);
    if !description.is_empty() {
        out.insert("description".to_owned(), description.into());
    }
    if !parameter.required {
        out.insert("nullable".to_owned(), true.into());
    }
    Value::Object(out)
}
