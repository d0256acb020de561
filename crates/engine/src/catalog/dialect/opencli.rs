//! OpenCLI: a description of a command line in the manner of OpenAPI, as its draft 0.1 has it.
//!
//! Programs print it for `--help-opencli` (the draft), `--help-dump-opencli` (Spectre.Console.Cli) or
//! `--help-dump-opencli-v0.1` (Swift's argument parser). Accepted: an object with `opencli` and `info`; `options`,
//! `arguments` and `commands` as lists, or as maps in older drafts, at the root or below `command`. An option without
//! arguments takes no value; one that is `recursive` holds for all below. `info.title` is a title and no name, so a
//! program is not held to it.

use argrail_spec::atip::{Command, Commands, Metadata, Opt};
use serde_json::{Map, Value};

use super::budget::{Budget, DEPTH, is_name};
use super::parameter::{self, List, Parameter};
use super::table::{Attempt, Dialect};
use super::tree::mark_partial;
use super::unreadable::Unreadable;
use super::wording::{is_set, text, texts};

pub(super) const DIALECT: Dialect = Dialect::new(
    "opencli",
    &[
        Attempt {
            literal: "--help-opencli",
            words: &["--help-opencli"],
        },
        Attempt {
            literal: "--help-dump-opencli-v0.1",
            words: &["--help-dump-opencli-v0.1"],
        },
        Attempt {
            literal: "--help-dump-opencli",
            words: &["--help-dump-opencli"],
        },
    ],
    read,
);

fn read(tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    let document = answer.as_object().ok_or(Unreadable::NotADescription)?;
    let is_version = document
        .get("opencli")
        .is_some_and(|version| version.is_string() || version.is_number());
    if !is_version {
        return Err(Unreadable::NotADescription);
    }
    let empty = Map::new();
    let info = document.get("info").and_then(Value::as_object).unwrap_or(&empty);
    let root = document
        .get("command")
        .and_then(Value::as_object)
        .unwrap_or(document);
    let mut budget = Budget::new();
    let (own, recursive) = command(root, DEPTH, &mut budget);
    let licence = info.get("license").and_then(Value::as_object);
    let mut metadata = Metadata {
        name: tool.to_owned(),
        version: text(info, &["version"]),
        title: text(info, &["title"]),
        description: text(info, &["summary", "description", "title"]).unwrap_or_default(),
        license: licence.and_then(|licence| text(licence, &["identifier"])),
        homepage: info
            .get("contact")
            .and_then(Value::as_object)
            .and_then(|contact| text(contact, &["url"])),
        global_options: recursive,
        ..Metadata::default()
    };
    let Command {
        commands,
        arguments,
        options,
        examples,
        ..
    } = own;
    metadata.commands = commands;
    if !arguments.is_empty() || !options.is_empty() {
        let own = Command {
            description: metadata.description.clone(),
            arguments,
            options,
            examples,
            ..Command::default()
        };
        metadata.commands.insert(String::new(), own);
    }
    if budget.is_short {
        mark_partial(&mut metadata);
    }
    Ok(metadata)
}

/// Reads a command, and apart from it the options that hold for all below.
fn command(object: &Map<String, Value>, depth: usize, budget: &mut Budget) -> (Command, Vec<Opt>) {
    let mut read = Command {
        description: text(object, &["description", "summary"]).unwrap_or_default(),
        hidden: Some(true).filter(|_| is_set(object, &["hidden"])),
        ..Command::default()
    };
    let names = |key: &str| object.get(key).map(texts).unwrap_or_default();
    let aliases = names("aliases").into_iter().filter(|alias| is_name(alias));
    read.aliases = aliases.map(str::to_owned).collect();
    read.examples = names("examples")
        .into_iter()
        .take(20)
        .map(super::budget::cut)
        .collect();
    let mut recursive = Vec::new();
    for (key, item) in entries(object, "options") {
        let Some(Parameter::Option(option)) = parameter_of(key, item, List::Options, budget) else {
            continue;
        };
        if item.as_object().is_some_and(|item| is_set(item, &["recursive"])) {
            recursive.push(option);
        } else {
            read.options.push(option);
        }
    }
    for (key, item) in entries(object, "arguments") {
        if let Some(Parameter::Argument(mut argument)) = parameter_of(key, item, List::Arguments, budget) {
            // In OpenCLI an argument need not be given unless it says so.
            argument.required = argument.required.or(Some(false));
            read.arguments.push(argument);
        }
    }
    let Some(below) = depth.checked_sub(1) else {
        budget.is_short |= object.contains_key("commands");
        return (read, recursive);
    };
    read.commands = commands(object, below, budget);
    (read, recursive)
}

fn commands(object: &Map<String, Value>, depth: usize, budget: &mut Budget) -> Commands {
    let mut commands = Commands::new();
    for (key, item) in entries(object, "commands") {
        let Some(item) = item.as_object() else { continue };
        if budget.take().is_none() {
            break;
        }
        let named = key.or_else(|| item.get("name")?.as_str());
        let Some(name) = named.filter(|name| is_name(name)) else {
            continue;
        };
        let (mut read, recursive) = command(item, depth, budget);
        // Options of a group apply to what is below it in ATIP anyway.
        read.options.extend(recursive);
        commands.insert(name.to_owned(), read);
    }
    commands
}

fn parameter_of(key: Option<&str>, item: &Value, list: List, budget: &mut Budget) -> Option<Parameter> {
    budget.take()?;
    parameter::read(key, item, list)
}

/// The items of a list, or of a map with their names.
fn entries<'v>(object: &'v Map<String, Value>, key: &str) -> Vec<(Option<&'v str>, &'v Value)> {
    match object.get(key) {
        Some(Value::Array(items)) => items.iter().map(|item| (None, item)).collect(),
        Some(Value::Object(items)) => items
            .iter()
            .map(|(key, item)| (Some(key.as_str()), item))
            .collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
    }
}
