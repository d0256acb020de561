//! Anthropic: `name`, `description`, `input_schema`; calls are `tool_use` blocks.

use serde_json::{Value, json};

use super::call::Error;
use super::definition::Definition;
use super::format::Strictness;
use super::provider::{FailedCall, Provider, RawCall, id, object, raw_call, text};

/// Tools of the messages API.
pub(crate) struct Anthropic;

impl Provider for Anthropic {
    fn definition(&self, definition: &Definition<'_>, _: Strictness) -> (Value, Option<&'static str>) {
        let input = definition.input(&|name| self.allows_property(name));
        let tool = json!({
            "name": definition.name,
            "description": definition.description,
            "input_schema": input,
        });
        (tool, None)
    }

    /// Takes one `tool_use` block, a list of blocks, or a message whose `content` is one.
    fn calls(&self, message: &Value) -> Result<Vec<Result<RawCall, FailedCall>>, Error> {
        let blocks = match message.get("content").unwrap_or(message) {
            Value::Array(blocks) => blocks.as_slice(),
            block => std::slice::from_ref(block),
        };
        let is_use = |block: &&Value| text(block, "type") == Some("tool_use");
        Ok(blocks.iter().filter(is_use).map(call).collect())
    }
}

fn call(block: &Value) -> Result<RawCall, FailedCall> {
    raw_call(id(block.get("id")), text(block, "name"), |name| {
        Ok((object(name, block.get("input"))?, None))
    })
}
