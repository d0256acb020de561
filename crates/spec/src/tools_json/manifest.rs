//! A manifest and its tools, as they are once nothing is wrong with them.

use std::borrow::Cow;
use std::time::Duration;

use schemars::{JsonSchema, Schema as JsonSchemaOf, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A whole `tools.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[schemars(extend("required" = ["tools"]))]
pub struct Manifest {
    /// The tools, in the order of the file.
    pub tools: Vec<ToolSpec>,
}

/// One tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    /// What it is called: not empty, and no other tool of the manifest is called so.
    #[schemars(length(min = 1))]
    pub name: String,
    /// What it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// JSON Schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Schema>,
    /// The program, then its fixed arguments. A relative program starts with `./tools/bin/`, seen from the manifest.
    #[schemars(length(min = 1))]
    pub command: Vec<String>,
    /// How many seconds a call may take, instead of what the caller allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_sec: Option<u64>,
    /// Variables of ours that it gets, upper case, each once.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = "^[A-Za-z_][A-Za-z0-9_]*$")))]
    pub env_passthrough: Vec<String>,
}

impl ToolSpec {
    /// Returns how long a call may take, if the manifest says so. No time at all is no limit of its own.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout_sec
            .filter(|seconds| *seconds > 0)
            .map(Duration::from_secs)
    }
}

/// A JSON Schema, byte for byte as the manifest has it.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct Schema(Box<RawValue>);

impl Schema {
    /// Takes the text of a schema.
    ///
    /// # Errors
    /// When it is no JSON.
    pub fn new(text: &str) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.to_owned()).map(Self)
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        self.0.get()
    }

    /// Returns what the text says.
    pub fn value(&self) -> Value {
        serde_json::from_str(self.text()).unwrap_or_default()
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

impl JsonSchema for Schema {
    fn schema_name() -> Cow<'static, str> {
        "Schema".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> JsonSchemaOf {
        json_schema!({"type": "object", "description": "JSON Schema of the arguments."})
    }

    fn inline_schema() -> bool {
        true
    }
}
