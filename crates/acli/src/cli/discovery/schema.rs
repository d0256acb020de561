//! `schema` and `schema <command>` (§6.3): JSON Schema of inputs and outputs.

use serde_json::{Map, Value, json};

use super::help::{default, pattern, reachable, visible_children};
use super::notice::{announce, is_unchecked, mark_entry, of_args};
use super::page::{PAGE_BYTES, mark, page};
use super::view::View;
use crate::envelope::Answer;
use crate::error::Error;
use crate::model::path_text;
use crate::model::{Arg, Command, Kind, Repeat, Wording};
use crate::text::{is_invisible, line};

/// How much of a description a schema repeats.
const DESCRIPTION: usize = 300;

/// The largest schema of one argument that is shown as its description has it.
const ARGUMENT_BYTES: usize = PAGE_BYTES / 4;

/// The largest output schema that is shown.
const OUTPUT_BYTES: usize = PAGE_BYTES;

/// A group of more arguments than this is told by `help` and checked by the command, not spelt out in pairs.
const EXCLUSIVE: usize = 6;

/// Answers `schema` about `path`: one command, or all below a group, page by page.
pub(crate) fn schema(view: View<'_>, path: &[&Command], number: u64) -> Result<Answer, Error> {
    let here = path.last().copied().unwrap_or(&view.cli.root);
    if here.inside().handler.is_some() && here.listed().next().is_none() {
        return one(path, here, number);
    }
    let entries = leaves(view, path).map(|leaf| entry(&leaf, path));
    let listed = page(entries, number)?;
    let mut out = Map::new();
    if !path.is_empty() {
        out.insert("command".into(), path_text(path).into());
    }
    announce(&mut out, path, &listed.items);
    out.insert("commands".into(), listed.items.into());
    mark(&mut out, number, listed.more, "schema", &path_text(path));
    Ok(Answer::new(Value::Object(out)))
}

fn one(path: &[&Command], leaf: &Command, number: u64) -> Result<Answer, Error> {
    let listed = page(properties(path), number)?;
    let mut out = Map::new();
    out.insert("command".into(), path_text(path).into());
    mark_entry(&mut out, of_args(reachable(path)), path);
    let marked = [Value::Object(out.clone())];
    announce(&mut out, path, &marked);
    out.insert("inputSchema".into(), input_schema(leaf, listed.items));
    if let Some(output) = output_schema(leaf).filter(|_| number == 1) {
        out.insert("outputSchema".into(), output);
    }
    mark(&mut out, number, listed.more, "schema", &path_text(path));
    Ok(Answer::new(Value::Object(out)))
}

/// All commands below `path` that can be called, depth first. Nothing is loaded before its turn.
fn leaves<'c>(view: View<'c>, path: &[&'c Command]) -> impl Iterator<Item = Vec<&'c Command>> {
    let mut stack = vec![path.to_vec()];
    std::iter::from_fn(move || {
        while let Some(path) = stack.pop() {
            let here = path.last().copied().unwrap_or(&view.cli.root);
            let first_child = stack.len();
            for child in visible_children(view, &path, here) {
                let mut below = path.clone();
                below.push(child);
                stack.push(below);
            }
            if let Some(children) = stack.get_mut(first_child..) {
                children.reverse();
            }
            if !path.is_empty() && here.inside().handler.is_some() && view.cli.lists.permits(&path) {
                return Some(path);
            }
        }
        None
    })
}

fn entry(path: &[&Command], above: &[&Command]) -> Value {
    let Some(leaf) = path.last() else {
        return Value::Null;
    };
    let mut out =
        json!({"command": path_text(path), "inputSchema": input_schema(leaf, properties(path).collect())});
    if let (Some(output), Some(object)) = (output_schema(leaf), out.as_object_mut()) {
        object.insert("outputSchema".into(), output);
    }
    let wording = if is_unchecked(path) {
        Wording::Unchecked
    } else {
        of_args(reachable(path))
    };
    if let Some(object) = out.as_object_mut() {
        mark_entry(object, wording, above);
    }
    if out.to_string().len() <= PAGE_BYTES {
        return out;
    }
    // Too large for a list: its own page is a call away.
    json!({"command": path_text(path), "see": format!("schema {}", path_text(path))})
}

/// The arguments as `[name, required, schema]`. One that stands for all others is a way to write them, and no input.
fn properties(path: &[&Command]) -> impl Iterator<Item = Value> {
    let inputs = reachable(path).filter(|arg| !arg.is_whole);
    inputs.map(|arg| json!([arg.name(), arg.required, property(arg)]))
}

/// The schema of an object with these `[name, required, schema]` properties.
fn input_schema(leaf: &Command, listed: Vec<Value>) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for item in listed {
        let Value::Array(parts) = item else { continue };
        let Ok([Value::String(name), needed, schema]) = <[Value; 3]>::try_from(parts) else {
            continue;
        };
        if needed == Value::Bool(true) {
            required.push(Value::from(name.as_str()));
        }
        properties.insert(name, schema);
    }
    let rules = exclusive_rules(leaf, &properties);
    let mut out = Map::new();
    out.insert("type".into(), "object".into());
    out.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        out.insert("required".into(), required.into());
    }
    if !rules.is_empty() {
        out.insert("allOf".into(), rules.into());
    }
    Value::Object(out)
}

fn exclusive_rules(leaf: &Command, shown: &Map<String, Value>) -> Vec<Value> {
    let mut rules = Vec::new();
    for group in &leaf.inside().exclusive {
        if group.ids.len() > EXCLUSIVE || !group.ids.iter().all(|id| shown.contains_key(id)) {
            continue;
        }
        if group.required {
            let each: Vec<Value> = group.ids.iter().map(|id| json!({"required": [id]})).collect();
            rules.push(json!({"oneOf": each}));
            continue;
        }
        for (at, first) in group.ids.iter().enumerate() {
            for second in group.ids.iter().skip(at + 1) {
                rules.push(json!({"not": {"required": [first, second]}}));
            }
        }
    }
    rules
}

fn output_schema(leaf: &Command) -> Option<Value> {
    leaf.inside()
        .output_schema
        .clone()
        .filter(|schema| schema.to_string().len() <= OUTPUT_BYTES)
}

/// The schema of a type. A choice among more than a context should hold is a string; the command checks it.
fn bounded(kind: &Kind) -> Value {
    if let Kind::Array(item) = kind {
        return json!({"type": "array", "items": bounded(item)});
    }
    if let Kind::Enum(values) = kind
        && values.iter().map(String::len).sum::<usize>() > PAGE_BYTES / 2
    {
        return Kind::String.schema();
    }
    kind.schema()
}

fn property(arg: &Arg) -> Value {
    let one = bounded(&arg.kind);
    let given = arg.schema.as_ref().and_then(shown);
    let made = match (&arg.kind, arg.repeat) {
        (Kind::Flag, Repeat::Many) => json!({"type": "integer", "minimum": 0}),
        (Kind::Array(_), _) | (_, Repeat::Once | Repeat::Last) => one,
        (_, Repeat::Many) => json!({"type": "array", "items": one}),
    };
    let mut schema = given.unwrap_or(made);
    if let Some(pattern) = pattern(arg) {
        hold_to(pattern, &mut schema);
    }
    if let Some(object) = schema.as_object_mut() {
        if let Some(default) = default(arg) {
            object.insert("default".into(), default.clone());
        }
        object.insert("description".into(), line(&arg.description, DESCRIPTION).into());
        if arg.deprecated.is_some() {
            object.insert("deprecated".into(), true.into());
        }
    }
    schema
}

/// Adds the pattern where a schema has a word for it: to text, or to texts in a list.
fn hold_to(pattern: &str, schema: &mut Value) {
    let place = match schema.get("type").and_then(Value::as_str) {
        Some("array") => schema.get_mut("items"),
        Some(_) | None => Some(schema),
    };
    let place = place.and_then(Value::as_object_mut);
    if let Some(text) = place.filter(|place| place.get("type") == Some(&Value::from("string"))) {
        text.entry("pattern").or_insert_with(|| pattern.into());
    }
}

/// Returns a schema as it can stand among those of others: without prose, which is not ours; none where it is too large,
/// holds what nobody can see, or refers to something that starts elsewhere.
fn shown(schema: &Value) -> Option<Value> {
    let text = schema.to_string();
    let fits = text.len() <= ARGUMENT_BYTES && !text.contains("\"$ref\"") && !text.contains(is_invisible);
    fits.then(|| without_prose(schema))
}

fn without_prose(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let says = |(key, value): &(&String, &Value)| {
                let is_prose = matches!(key.as_str(), "description" | "title" | "$comment" | "examples");
                !(is_prose && (value.is_string() || value.is_array()))
            };
            let kept = fields.iter().filter(says);
            kept.map(|(key, value)| (key.clone(), without_prose(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(without_prose).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}
