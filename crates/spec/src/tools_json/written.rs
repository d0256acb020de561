//! What a manifest says of a tool, found again in its metadata, for exports that keep it to the letter.

use serde_json::Value;

use super::metadata::KEY;
use crate::atip::Metadata;

/// What a manifest says of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written<'a> {
    /// Its description, if it has one.
    pub description: Option<&'a str>,
    /// The text of its schema, if it has one.
    pub schema: Option<&'a str>,
}

/// Returns what the manifest says, if the tool comes from one.
pub fn written(metadata: &Metadata) -> Option<Written<'_>> {
    let said = metadata.extra.get(KEY)?.as_object()?;
    let text = |key: &str| said.get(key).and_then(Value::as_str);
    Some(Written {
        description: text("description"),
        schema: text("schema"),
    })
}
