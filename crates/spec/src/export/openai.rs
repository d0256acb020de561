//! OpenAI: functions of chat completions; calls of these and of the responses API.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::call::{Error, parse};
use super::definition::Definition;
use super::format::Strictness;
use super::provider::{FailedCall, Provider, RawCall, id, object, raw_call, text};
use super::{schema, strict};
use crate::tools_json::{Written, openai_text};

/// Functions, plain and strict.
pub(crate) struct Openai;

impl Provider for Openai {
    fn definition(
        &self,
        definition: &Definition<'_>,
        strictness: Strictness,
    ) -> (Value, Option<&'static str>) {
        if let Some(written) = definition.written {
            let note =
                (strictness == Strictness::Strict).then_some("its schema stays as its manifest has it");
            return (manifest_tool(&definition.name, written), note);
        }
        let (parameters, is_strict, note) = match strictness {
            Strictness::Plain => (self.plain(definition), false, None),
            Strictness::Strict => match strict::object(&definition.parameters) {
                Some(parameters) => (parameters, true, None),
                None => (
                    self.plain(definition),
                    false,
                    Some("it is over the limits of strict mode and stays plain"),
                ),
            },
        };
        let mut function = json!({
            "name": definition.name,
            "description": definition.description,
            "parameters": parameters,
        });
        if let (Some(function), true) = (function.as_object_mut(), is_strict) {
            function.insert("strict".to_owned(), true.into());
        }
        (json!({"type": "function", "function": function}), note)
    }

    fn exact(&self, definition: &Definition<'_>) -> Option<Box<RawValue>> {
        let written = definition.written?;
        let text = openai_text(&definition.name, written.description, written.schema);
        RawValue::from_string(text).ok()
    }

    /// Takes a chat message with `tool_calls`, a whole completion, one call, an item of a response, or a list of these.
    fn calls(&self, message: &Value) -> Result<Vec<Result<RawCall, FailedCall>>, Error> {
        let mut found = Vec::new();
        let choices = message.get("choices").and_then(Value::as_array);
        let messages: Vec<&Value> = match choices {
            Some(choices) => choices
                .iter()
                .filter_map(|choice| choice.get("message"))
                .collect(),
            None => vec![message],
        };
        for message in messages {
            let items = message
                .get("tool_calls")
                .or_else(|| message.get("output"))
                .unwrap_or(message);
            let items = match items {
                Value::Array(items) => items.as_slice(),
                item => std::slice::from_ref(item),
            };
            found.extend(items.iter().filter_map(call));
        }
        Ok(found)
    }
}

impl Openai {
    fn plain(&self, definition: &Definition<'_>) -> Value {
        schema::object(&definition.parameters, &|name| self.allows_property(name))
    }
}

/// A tool of a manifest, as its draft writes it. What the manifest does not say is left out.
fn manifest_tool(name: &str, written: Written<'_>) -> Value {
    let mut function = Map::from_iter([("name".to_owned(), Value::from(name))]);
    if let Some(description) = written.description {
        function.insert("description".to_owned(), description.into());
    }
    if let Some(schema) = written.schema.and_then(|text| serde_json::from_str(text).ok()) {
        function.insert("parameters".to_owned(), schema);
    }
    json!({"type": "function", "function": function})
}

/// One call, or nothing where the item is something else, such as text.
fn call(item: &Value) -> Option<Result<RawCall, FailedCall>> {
    let (function, id) = match item.get("function") {
        Some(function) => (function, id(item.get("id"))),
        None if text(item, "type") == Some("function_call") => (item, id(item.get("call_id"))),
        None => return None,
    };
    // The arguments are JSON in a string; some servers that speak this format leave them as JSON.
    Some(raw_call(id, text(function, "name"), |name| {
        match function.get("arguments") {
            Some(Value::String(written)) if written.trim().is_empty() => Ok((Map::new(), None)),
            Some(Value::String(written)) => {
                let arguments = object(name, Some(&parse(written.as_bytes())?))?;
                Ok((arguments, Some(written.clone())))
            }
            other => Ok((object(name, other)?, None)),
        }
    }))
}
