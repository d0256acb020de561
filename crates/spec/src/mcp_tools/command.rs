//! One entry of `tools/list` as a command.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::annotations::{Claims, claims};
use super::name::command_name;
use super::option::{Kept, Need, Read, option};
use super::option_name::add_dashed;
use super::reference::{alone, resolve};
use super::room::{Room, WORD, cut};
use crate::atip::{Command, Extra, Opt};
use crate::doc::Span;
use crate::doc::fields::{Complaints, Quoted};

/// The most options of one command.
const MOST_OPTIONS: usize = 256;
/// How many parts an `allOf` may have before it is left alone.
const MOST_PARTS: usize = 16;
/// Keywords of an `inputSchema` that its options say, or that say nothing.
const SAID: [&str; 12] = [
    "type",
    "properties",
    "required",
    "$schema",
    "$id",
    "$defs",
    "definitions",
    "title",
    "description",
    "$comment",
    "additionalProperties",
    "$ref",
];

/// Reads one tool; complains and returns nothing when it could not be called.
pub(super) fn command(index: usize, tool: &Value, complaints: &mut Complaints) -> Option<(String, Command)> {
    let Some(object) = tool.as_object() else {
        say(
            complaints,
            "mcp/bad-tool",
            format!("tools[{index}]: left out, because it is no object"),
        );
        return None;
    };
    let Some(given) = object.get("name").and_then(Value::as_str) else {
        say(
            complaints,
            "mcp/bad-name",
            format!("tools[{index}]: left out, because it has no \"name\""),
        );
        return None;
    };
    let place = format!("tools[{index}] {}", Quoted(given));
    let name = match command_name(given) {
        Ok(name) => name,
        Err(reason) => {
            say(
                complaints,
                "mcp/bad-name",
                format!("{place}: left out, because of its name: {reason}"),
            );
            return None;
        }
    };
    let mut room = Room::of_tool();
    let description = object.get("description").and_then(Value::as_str);
    let description = room.prose(description.unwrap_or_default());
    let mut extra = Extra::new();
    if name != given {
        extra.insert("x-mcp-tool".to_owned(), given.into());
    }
    let mut options = options(
        object.get("inputSchema"),
        &place,
        &mut room,
        &mut extra,
        complaints,
    )?;
    add_dashed(&mut options);
    if let Some(output) = object.get("outputSchema").filter(|output| output.is_object()) {
        match alone(output, output, &mut room) {
            Some(output) => drop(extra.insert("x-output-schema".to_owned(), output)),
            None => say(
                complaints,
                "mcp/too-large",
                format!("{place}: its \"outputSchema\" is too large to be kept"),
            ),
        }
    }
    let annotations = object.get("annotations");
    if let Some(title) = title(object, annotations) {
        extra.insert("x-title".to_owned(), title.into());
    }
    let Claims {
        effects,
        given: hints,
        unreadable,
        contradiction,
    } = claims(annotations);
    for hint in unreadable {
        say(
            complaints,
            "mcp/bad-hint",
            format!("{place}: annotations.{hint} is neither true nor false, so it says nothing"),
        );
    }
    if contradiction {
        say(
            complaints,
            "mcp/bad-hint",
            format!("{place}: it says that it only reads and that it destroys; the latter counts"),
        );
    }
    if !hints.is_empty() {
        extra.insert("x-mcp-annotations".to_owned(), hints.into());
    }
    let command = Command {
        description,
        options,
        effects,
        extra,
        ..Command::default()
    };
    Some((name, command))
}

fn title(tool: &Map<String, Value>, annotations: Option<&Value>) -> Option<String> {
    let title = tool
        .get("title")
        .or_else(|| annotations?.get("title"))?
        .as_str()?
        .trim();
    (!title.is_empty()).then(|| cut(title, WORD))
}

/// Reads the parameters. None when one that must be given cannot be.
pub(crate) fn options(
    schema: Option<&Value>,
    place: &str,
    room: &mut Room,
    extra: &mut Extra,
    complaints: &mut Complaints,
) -> Option<Vec<Opt>> {
    let Some(schema) = schema else {
        return Some(Vec::new());
    };
    let Some(root) = resolve(schema, schema) else {
        say(
            complaints,
            "mcp/bad-schema",
            format!("{place}: left out, because its \"inputSchema\" cannot be read"),
        );
        return None;
    };
    let parts = parts(schema, root);
    let required: HashSet<&str> = parts
        .iter()
        .filter_map(|part| part.get("required")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut options = Vec::new();
    for (name, property) in properties(&parts) {
        let need = match required.contains(name) {
            true => Need::Required,
            false => Need::Optional,
        };
        let full = options.len() >= MOST_OPTIONS;
        let read = match full {
            true => Err("there are more than 256"),
            false => option(schema, name, property, need, room),
        };
        match (read, need) {
            (Ok(Read { option, kept }), _) => {
                if kept == Kept::Part {
                    let message = format!("{place}: the schema of {} is too large to be kept", Quoted(name));
                    say(complaints, "mcp/too-large", message);
                }
                options.push(option);
            }
            (Err(reason), Need::Required) => {
                let message = format!(
                    "{place}: left out, because its parameter {} cannot be given: {reason}",
                    Quoted(name)
                );
                say(complaints, "mcp/bad-parameter", message);
                return None;
            }
            (Err(reason), Need::Optional) => {
                let message = format!("{place}: the parameter {} is left out: {reason}", Quoted(name));
                say(complaints, "mcp/bad-parameter", message);
                if full {
                    break;
                }
            }
        }
    }
    // Conditions between parameters stay with the command, for whoever checks a call.
    if root.keys().any(|key| !SAID.contains(&key.as_str())) {
        match alone(schema, schema, room) {
            Some(whole) => drop(extra.insert("x-input-schema".to_owned(), whole)),
            None => say(
                complaints,
                "mcp/too-large",
                format!("{place}: its \"inputSchema\" is too large to be kept"),
            ),
        }
    }
    Some(options)
}

/// The schema itself and what `allOf` adds to it.
fn parts<'s>(schema: &'s Value, root: &'s Map<String, Value>) -> Vec<&'s Map<String, Value>> {
    let more = root.get("allOf").and_then(Value::as_array).into_iter().flatten();
    let more = more.take(MOST_PARTS).filter_map(|part| resolve(schema, part));
    std::iter::once(root).chain(more).collect()
}

/// The properties of all parts, each once, and those that must be given without being described.
fn properties<'s>(parts: &[&'s Map<String, Value>]) -> Vec<(&'s str, &'s Value)> {
    let described = parts
        .iter()
        .filter_map(|part| part.get("properties")?.as_object())
        .flatten()
        .map(|(name, schema)| (name.as_str(), schema));
    let bare = parts
        .iter()
        .filter_map(|part| part.get("required")?.as_array())
        .flatten()
        .filter_map(|name| Some((name.as_str()?, &Value::Bool(true))));
    let mut seen = HashSet::new();
    described
        .chain(bare)
        .filter(|(name, _)| seen.insert(*name))
        .collect()
}

fn say(complaints: &mut Complaints, code: &'static str, message: String) {
    complaints.warn(code, Span::default(), message);
}
