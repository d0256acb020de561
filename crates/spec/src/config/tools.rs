//! `tools`: by name with what is known of each, or just a list of names and paths.

use indexmap::IndexMap;
use schemars::{Schema, SchemaGenerator, json_schema};

use super::model::ToolEntry;
use super::reader::{Wrong, closed, field, items, members, path};
use crate::atip::check_tool_name;
use crate::doc::fields::Quoted;
use crate::doc::{Member, Node, Span, Value};
use crate::trust::ToolTrust;

/// Reads the setting.
pub(super) fn tools(node: &Node) -> Result<IndexMap<String, ToolEntry>, Wrong> {
    match &node.value {
        Value::Array(_) => {
            let named = items(node, "", listed)?;
            let mut tools = IndexMap::new();
            for ((name, entry), item) in named.into_iter().zip(node.as_array().unwrap_or_default()) {
                if tools.insert(name.clone(), entry).is_some() {
                    return Err(Wrong::new(item.span, format!("{} stands twice", Quoted(&name))));
                }
            }
            Ok(tools)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            let what = "tools by name, or a list of names and paths";
            Ok(members(node, what, entry)?.into_iter().collect())
        }
    }
}

fn named(name: &str, span: Span) -> Result<(), Wrong> {
    check_tool_name(name).map_err(|problem| Wrong::new(span, format!("{}: {problem}", Quoted(name))))
}

/// A name, or a path whose last part is the name.
fn listed(node: &Node) -> Result<(String, ToolEntry), Wrong> {
    let given = node.as_str().unwrap_or_default();
    if given.contains('/') {
        let path = path(node)?;
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        named(&name, node.span)?;
        let entry = ToolEntry {
            path: Some(path),
            ..ToolEntry::default()
        };
        return Ok((name, entry));
    }
    if node.as_str().is_none() {
        return Err(Wrong::expected(node, "a name or a path"));
    }
    named(given, node.span)?;
    Ok((given.to_owned(), ToolEntry::default()))
}

fn entry(member: &Member) -> Result<ToolEntry, Wrong> {
    named(&member.key, member.key_span)?;
    closed(&member.node, &["path", "metadata", "trust"], |object| {
        Ok(ToolEntry {
            path: field(object, "path", path)?,
            metadata: field(object, "metadata", path)?,
            trust: field(object, "trust", trust)?,
        })
    })
}

fn trust(node: &Node) -> Result<ToolTrust, Wrong> {
    let word = node.as_str().and_then(ToolTrust::parse);
    word.ok_or_else(|| Wrong::expected(node, &ToolTrust::ALL.map(ToolTrust::as_str).join(", ")))
}

/// Returns the schema of both forms.
pub(super) fn schema(generator: &mut SchemaGenerator) -> Schema {
    let entry = generator.subschema_for::<ToolEntry>();
    json_schema!({
        "description": "Tools that are there whatever is found: by name, or a list of names and paths",
        "oneOf": [
            {"type": "object", "additionalProperties": entry},
            {"type": "array", "items": {"type": "string", "minLength": 1}},
        ],
    })
}
