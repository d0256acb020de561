//! A tree of commands as programs print it, read into ATIP metadata whatever the keys are called.
//!
//! Commands stand in a list or a map, below one another or flat with paths for names. An answer may be wrapped in
//! `data`, `result`, `cli` and the like. What is too deep, too much or not understood is left out, and metadata that
//! lacks something says so (`partial`).

use argrail_spec::atip::{Command, Commands, Metadata, Omitted, Opt};
use serde_json::{Map, Value};

use super::budget::{Budget, DEPTH, cut, is_name};
use super::parameter::{self, List, Parameter};
use super::unreadable::Unreadable;
use super::wording::{
    ARGUMENTS, COMMANDS, DESCRIPTION, GLOBALS, NAME, OPTIONS, PARAMETERS, first, is_set, text, texts,
};

/// What an answer must hold to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// Commands.
    Commands,
    /// Commands, options or arguments.
    Parameters,
}

/// What answers are wrapped in.
const WRAPPERS: &[&str] = &[
    "data", "result", "cli", "schema", "help", "tool", "command", "root",
];
/// How often.
const WRAPPED: usize = 3;
/// Whole command lines of one command.
const EXAMPLES: usize = 20;

/// Reads the answer of the program called `tool`.
pub(super) fn read(tool: &str, answer: &Value, want: Want) -> Result<Metadata, Unreadable> {
    let mut around = Vec::new();
    let root = unwrap(answer, &mut around);
    let mut budget = Budget::new();
    let mut metadata = Metadata {
        name: tool.to_owned(),
        ..Metadata::default()
    };
    let empty = Map::new();
    let (object, whole) = match root {
        Value::Object(object) => {
            let own = command(object, DEPTH, &mut budget);
            (object, own)
        }
        Value::Array(items) => {
            let mut own = Command::default();
            let parts = items.iter().filter_map(Value::as_object);
            for part in parts.clone().filter(|part| is_root(part)) {
                own.options.extend(command(part, 0, &mut budget).options);
            }
            let named = items.iter().filter(|item| !item.as_object().is_some_and(is_root));
            named.for_each(|item| add(&mut own.commands, tool, None, item, DEPTH, &mut budget));
            (&empty, own)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            return Err(Unreadable::NotADescription);
        }
    };
    around.push(object);
    refuse_impostor(tool, &around)?;
    let pick = |keys: &[&str]| around.iter().rev().find_map(|object| text(object, keys));
    metadata.version = pick(&["version"]).or_else(|| {
        let number = around
            .iter()
            .rev()
            .find_map(|object| object.get("version")?.as_number());
        number.map(ToString::to_string)
    });
    metadata.description = pick(DESCRIPTION).unwrap_or_default();
    metadata.homepage = pick(&["homepage", "url"]);
    metadata.global_options = globals(object, &mut budget);
    settle(&mut metadata, whole, tool);
    let has_commands = metadata.commands.keys().any(|name| !name.is_empty());
    let has_parameters = has_commands || !metadata.commands.is_empty() || !metadata.global_options.is_empty();
    let enough = match want {
        Want::Commands => has_commands,
        Want::Parameters => has_parameters,
    };
    if !enough {
        return Err(Unreadable::NotADescription);
    }
    if budget.is_short {
        mark_partial(&mut metadata);
    }
    Ok(metadata)
}

/// Says that not everything is here, and that nothing is known of the rest.
pub(super) fn mark_partial(metadata: &mut Metadata) {
    metadata.partial = Some(true);
    metadata.omitted = Some(Omitted {
        reason: Some("size-limited".to_owned()),
        safety_assumption: Some("unknown".to_owned()),
        ..Omitted::default()
    });
}

/// Puts the root's own parameters where they belong: beside commands they hold for all of them, alone they are the
/// tool's.
fn settle(metadata: &mut Metadata, whole: Command, tool: &str) {
    let Command {
        mut commands,
        arguments,
        options,
        examples,
        ..
    } = whole;
    // Some trees have the tool itself as their only command.
    if commands.len() == 1
        && let Some(own) = commands.shift_remove(tool)
    {
        return settle(metadata, own, tool);
    }
    if commands.is_empty() {
        if !arguments.is_empty() || !options.is_empty() {
            let own = Command {
                description: metadata.description.clone(),
                arguments,
                options,
                examples,
                ..Command::default()
            };
            commands.insert(String::new(), own);
        }
    } else {
        metadata.global_options.extend(options);
    }
    metadata.commands = commands;
}

fn is_root(part: &Map<String, Value>) -> bool {
    part.get("kind").and_then(Value::as_str) == Some("root")
}

/// A tree that gives itself another name is no word about this program. A path that begins with it is.
fn refuse_impostor(tool: &str, around: &[&Map<String, Value>]) -> Result<(), Unreadable> {
    let named = around.iter().rev().find_map(|object| {
        ["name", "bin", "program"]
            .iter()
            .find_map(|key| object.get(*key)?.as_str())
    });
    match named {
        Some(name) if is_name(name) && name != tool => Err(Unreadable::Impostor { says: cut(name) }),
        Some(_) | None => Ok(()),
    }
}

/// Goes inwards to where commands or parameters stand, and remembers what is around it.
fn unwrap<'v>(answer: &'v Value, around: &mut Vec<&'v Map<String, Value>>) -> &'v Value {
    let mut root = answer;
    for _ in 0..WRAPPED {
        let Value::Object(object) = root else { break };
        let lists = [COMMANDS, OPTIONS, ARGUMENTS, GLOBALS];
        let has_list = lists
            .iter()
            .any(|keys| first(object, keys).is_some_and(|value| value.is_array() || value.is_object()));
        let inner = WRAPPERS
            .iter()
            .filter_map(|key| object.get(*key))
            .find(|value| value.is_object() || value.is_array());
        match inner {
            Some(inner) if !has_list => {
                around.push(object);
                root = inner;
            }
            Some(_) | None => break,
        }
    }
    root
}

/// Reads a command: what it is, its parameters, and what is below it.
fn command(object: &Map<String, Value>, depth: usize, budget: &mut Budget) -> Command {
    let mut read = Command {
        description: text(object, DESCRIPTION).unwrap_or_default(),
        hidden: Some(true).filter(|_| is_set(object, &["hidden"])),
        deprecated: Some(true).filter(|_| object.get("deprecated").is_some_and(is_yes)),
        examples: object.get("examples").map(examples).unwrap_or_default(),
        ..Command::default()
    };
    let aliases = object.get("aliases").map(texts).unwrap_or_default();
    read.aliases = aliases
        .into_iter()
        .filter(|alias| is_name(alias))
        .map(str::to_owned)
        .collect();
    let lists = [
        (OPTIONS, List::Options),
        (ARGUMENTS, List::Arguments),
        (PARAMETERS, List::Either),
    ];
    for (keys, list) in lists {
        for value in keys.iter().filter_map(|key| object.get(*key)) {
            parameters(&mut read, value, list, budget);
        }
    }
    let Some(below) = depth.checked_sub(1) else {
        budget.is_short |= first(object, COMMANDS).is_some();
        return read;
    };
    for value in COMMANDS.iter().filter_map(|key| object.get(*key)) {
        match value {
            Value::Array(items) => {
                items
                    .iter()
                    .for_each(|item| add(&mut read.commands, "", None, item, below, budget));
            }
            Value::Object(items) => {
                items
                    .iter()
                    .for_each(|(key, item)| add(&mut read.commands, "", Some(key), item, below, budget));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    read
}

fn is_yes(value: &Value) -> bool {
    match value {
        Value::Bool(truth) => *truth,
        Value::String(text) => !text.is_empty(),
        Value::Null | Value::Number(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

/// Adds a command to those of its kind. Its name may be a path, with the tool's own name in front.
fn add(
    commands: &mut Commands,
    tool: &str,
    key: Option<&str>,
    item: &Value,
    depth: usize,
    budget: &mut Budget,
) {
    if budget.take().is_none() {
        return;
    }
    let (path, read) = match item {
        Value::String(word) if key.is_none() => (vec![word.as_str()], Command::default()),
        Value::String(description) => {
            let described = Command {
                description: cut(description),
                ..Command::default()
            };
            (key.into_iter().collect(), described)
        }
        Value::Object(object) => {
            let named = first(object, NAME).map(texts).unwrap_or_default();
            let path = if key.is_some() {
                key.into_iter().collect()
            } else {
                named
            };
            (path, command(object, depth, budget))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return,
    };
    let words: Vec<&str> = path.iter().flat_map(|part| part.split_whitespace()).collect();
    let words = match words.split_first() {
        Some((first, rest)) if *first == tool && !rest.is_empty() => rest,
        _ => words.as_slice(),
    };
    // `create <NAME>` is a usage line: the command ends where the placeholder begins.
    let end = words
        .iter()
        .position(|word| word.starts_with(['<', '[', '{', '-']))
        .unwrap_or(words.len());
    let words = words.get(..end.min(DEPTH)).unwrap_or_default();
    let Some((last, above)) = words
        .split_last()
        .filter(|_| words.iter().all(|word| is_name(word)))
    else {
        return;
    };
    let place = above.iter().fold(commands, |commands, word| {
        &mut commands.entry((*word).to_owned()).or_default().commands
    });
    let known = place.entry((*last).to_owned()).or_default();
    // A flat list may bring a group after what is in it.
    let below = std::mem::take(&mut known.commands);
    *known = read;
    known.commands.extend(below);
}

fn parameters(read: &mut Command, value: &Value, list: List, budget: &mut Budget) {
    if let Some(properties) = value.get("properties").and_then(Value::as_object) {
        return schema_properties(read, value, properties, budget);
    }
    let pairs: Vec<(Option<&str>, &Value)> = match value {
        Value::Array(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Object(items) => items
            .iter()
            .map(|(key, item)| (Some(key.as_str()), item))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    for (key, item) in pairs {
        if budget.take().is_none() {
            return;
        }
        match parameter::read(key, item, list) {
            Some(Parameter::Option(option)) => read.options.push(option),
            Some(Parameter::Argument(argument)) => read.arguments.push(argument),
            None => {}
        }
    }
}

/// Each property of a JSON Schema is an option of its name.
fn schema_properties(
    read: &mut Command,
    schema: &Value,
    properties: &Map<String, Value>,
    budget: &mut Budget,
) {
    let required = schema.get("required").map(texts).unwrap_or_default();
    for (name, item) in properties {
        if budget.take().is_none() {
            return;
        }
        if let Some(Parameter::Option(mut option)) = parameter::read(Some(name), item, List::Options) {
            option.required = Some(true).filter(|_| required.contains(&name.as_str()));
            read.options.push(option);
        }
    }
}

fn globals(object: &Map<String, Value>, budget: &mut Budget) -> Vec<Opt> {
    let mut read = Command::default();
    for value in GLOBALS.iter().filter_map(|key| object.get(*key)) {
        parameters(&mut read, value, List::Options, budget);
    }
    read.options
}

fn examples(value: &Value) -> Vec<String> {
    let Some(items) = value.as_array() else {
        return Vec::new();
    };
    let line = |item: &Value| match item {
        Value::String(line) => Some(cut(line)),
        Value::Object(object) => text(object, &["command", "cmd", "usage", "example", "code"]),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    };
    items.iter().filter_map(line).take(EXAMPLES).collect()
}
