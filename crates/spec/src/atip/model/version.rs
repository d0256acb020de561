//! The `atip` field: a string in the draft 0.1, an object in later ones.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Extra;

/// Which protocol the metadata speaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Atip {
    /// `0.1`, `0.6`, …
    pub version: String,
    /// What else it makes use of. Unknown ones are ignored.
    pub features: Vec<String>,
    /// The lowest protocol version that understands it.
    pub min_agent_version: Option<String>,
    /// How it was written, and is written again.
    pub form: AtipForm,
    /// Fields of the object form that no draft defines.
    pub extra: Extra,
}

/// How the version is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtipForm {
    /// `"atip": "0.1"`.
    #[default]
    Text,
    /// `"atip": {"version": "0.6", …}`.
    Object,
}

impl Default for Atip {
    fn default() -> Self {
        Self {
            version: "0.1".to_owned(),
            features: Vec::new(),
            min_agent_version: None,
            form: AtipForm::Text,
            extra: Extra::new(),
        }
    }
}

impl Serialize for Atip {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.form {
            AtipForm::Text => serializer.serialize_str(&self.version),
            AtipForm::Object => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("version", &self.version)?;
                if !self.features.is_empty() {
                    map.serialize_entry("features", &self.features)?;
                }
                if let Some(minimum) = &self.min_agent_version {
                    map.serialize_entry("minAgentVersion", minimum)?;
                }
                for (key, value) in &self.extra {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl JsonSchema for Atip {
    fn schema_name() -> Cow<'static, str> {
        "Atip".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let version = serde_json::json!({"type": "string", "pattern": "^0\\.[0-9]+(\\.[0-9]+)?$"});
        json_schema!({
            "description": "The version of the protocol",
            "oneOf": [
                version,
                {
                    "type": "object",
                    "required": ["version"],
                    "properties": {
                        "version": version,
                        "features": {"type": "array", "items": {"type": "string"}},
                        "minAgentVersion": {"type": "string"},
                    },
                },
            ],
        })
    }
}
