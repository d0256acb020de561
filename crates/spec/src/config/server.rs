//! `mcpServers`: what starts a server or where it runs, in the form that other clients use, too.

use std::borrow::Cow;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::model::{McpServer, Transport};
use super::reader::{Wrong, closed, field, items, members, text, truth};
use super::secret::Secret;
use crate::doc::fields::Quoted;
use crate::doc::{Member, Node, Object};

const KEYS: [&str; 6] = ["command", "args", "env", "url", "headers", "disabled"];

/// Reads one server.
pub(super) fn server(member: &Member) -> Result<McpServer, Wrong> {
    let hidden = |c: char| c.is_control() || c.is_whitespace() || argrail_acli::is_invisible(c);
    if member.key.is_empty() || member.key.chars().any(hidden) {
        return Err(Wrong::new(member.key_span, "expected a name without blanks"));
    }
    closed(&member.node, &KEYS, |object| {
        Ok(McpServer {
            transport: transport(&member.node, object)?,
            disabled: field(object, "disabled", truth)?.unwrap_or(false),
        })
    })
}

fn transport(node: &Node, object: &Object) -> Result<Transport, Wrong> {
    let stray = |key: &str, owner: &str| match object.member(key) {
        Some(member) => Err(Wrong::new(
            member.key_span,
            format!("{} belongs to a server with {owner:?}", Quoted(key)),
        )),
        None => Ok(()),
    };
    match (object.get("command"), object.get("url")) {
        (Some(command), None) => {
            stray("headers", "url")?;
            Ok(Transport::Command {
                command: text(command, "a program").map_err(|wrong| wrong.within("command"))?,
                args: field(object, "args", |node| items(node, "a list of words", word))?.unwrap_or_default(),
                env: field(object, "env", variables)?.unwrap_or_default(),
            })
        }
        (None, Some(url)) => {
            stray("args", "command")?;
            stray("env", "command")?;
            Ok(Transport::Url {
                url: address(url).map_err(|wrong| wrong.within("url"))?,
                headers: field(object, "headers", headers)?.unwrap_or_default(),
            })
        }
        (Some(_), Some(_)) | (None, None) => Err(Wrong::new(
            node.span,
            "expected \"command\" or \"url\", and not both",
        )),
    }
}

fn word(node: &Node) -> Result<String, Wrong> {
    let word = node.as_str().filter(|word| !word.contains('\0'));
    word.map(str::to_owned)
        .ok_or_else(|| Wrong::new(node.span, "expected a word"))
}

fn address(node: &Node) -> Result<String, Wrong> {
    const WHAT: &str = "an address that starts with https:// or http://";
    let text = text(node, WHAT)?;
    let web = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let plain = web.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic()));
    plain.then_some(text).ok_or_else(|| Wrong::expected(node, WHAT))
}

/// The values may be credentials, so no message repeats one.
fn secret(node: &Node) -> Result<Secret, Wrong> {
    let text = node.as_str().filter(|text| !text.contains('\0'));
    text.map(Secret::new)
        .ok_or_else(|| Wrong::new(node.span, "expected a text"))
}

fn variables(node: &Node) -> Result<IndexMap<String, Secret>, Wrong> {
    let read = |member: &Member| {
        let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
        let shaped =
            member.key.starts_with(letter) && member.key.chars().all(|c| letter(c) || c.is_ascii_digit());
        if !shaped {
            return Err(Wrong::new(member.key_span, "expected the name of a variable"));
        }
        secret(&member.node)
    };
    Ok(members(node, "variables by name", read)?.into_iter().collect())
}

fn headers(node: &Node) -> Result<IndexMap<String, Secret>, Wrong> {
    let read = |member: &Member| {
        let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if member.key.is_empty() || !member.key.chars().all(token) {
            return Err(Wrong::new(member.key_span, "expected the name of a header"));
        }
        let value = secret(&member.node)?;
        if value.expose().contains(['\r', '\n']) {
            return Err(Wrong::new(member.node.span, "expected one line"));
        }
        Ok(value)
    };
    Ok(members(node, "headers by name", read)?.into_iter().collect())
}

impl JsonSchema for McpServer {
    fn schema_name() -> Cow<'static, str> {
        "McpServer".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let texts = serde_json::json!({"type": "object", "additionalProperties": {"type": "string"}});
        json_schema!({
            "description": "A server that speaks MCP: started by a command, or reached at a URL",
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "description": "The program"},
                "args": {"type": "array", "items": {"type": "string"}, "description": "Its words"},
                "env": texts,
                "url": {"type": "string", "pattern": "^https?://.", "description": "Where it runs"},
                "headers": texts,
                "disabled": {"type": "boolean", "description": "Whether it is left alone"},
            },
            "additionalProperties": false,
            "oneOf": [
                {"required": ["command"], "not": {"anyOf": [{"required": ["url"]}, {"required": ["headers"]}]}},
                {"required": ["url"], "not": {"anyOf": [
                    {"required": ["command"]}, {"required": ["args"]}, {"required": ["env"]},
                ]}},
            ],
        })
    }
}
