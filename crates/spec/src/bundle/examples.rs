//! Command lines that work, from the examples of the tools and of the bundle.
//!
//! An example is kept at its command only if the command's own grammar can read it: what does not parse would teach
//! the wrong thing.

use std::sync::Arc;

use argrail_acli::{Limits, join, tokenize};
use serde_json::Value;

use super::model::{Bundle, BundleTool};
use crate::atip::{Command, Metadata, Reader, Voice};
use crate::mcp_tools::option_name;

/// The most examples of one command.
const MOST: usize = 4;
/// The most that are tried.
const TRIED: usize = 256;

/// Puts examples where they belong.
pub(super) fn add(bundle: &Bundle, metadata: &mut Metadata) {
    let lines = bundle.tools.iter().flat_map(|tool| {
        let examples = tool.tool.examples.iter();
        examples.filter_map(|example| line(tool, &example.input))
    });
    let typed = bundle.cli.examples.iter().filter_map(|example| {
        let words = tokenize(&example.cmd, &Limits::default()).ok()?;
        let (first, rest) = words.split_first()?;
        let name = bundle.cli.bin.rsplit('/').next().unwrap_or_default();
        let is_ours = first.as_ref() == name || first.as_ref() == bundle.cli.id.as_str();
        is_ours.then(|| rest.iter().map(|word| word.clone().into_owned()).collect())
    });
    let lines: Vec<Vec<String>> = lines.chain(typed).take(TRIED).collect();
    if lines.is_empty() {
        return;
    }
    let reader = Reader::new(Arc::new(metadata.clone()), Voice::Claimed);
    for words in lines {
        let Ok(invoked) = reader.read(&words) else {
            continue;
        };
        if !invoked.unverified.is_empty() || invoked.asks_help {
            continue;
        }
        let whole = std::iter::once(metadata.name.clone()).chain(words);
        let line = join(&whole.collect::<Vec<_>>());
        if let Some(command) = at(metadata, &invoked.path)
            && command.examples.len() < MOST
            && !command.examples.contains(&line)
        {
            command.examples.push(line);
        }
    }
}

/// Returns the command that is called by these words.
fn at<'m>(metadata: &'m mut Metadata, path: &[String]) -> Option<&'m mut Command> {
    let mut commands = &mut metadata.commands;
    let Some((last, groups)) = path.split_last() else {
        return commands.get_mut("");
    };
    for word in groups {
        commands = &mut commands.get_mut(word)?.commands;
    }
    let command = commands.get_mut(last)?;
    match command.commands.contains_key("") {
        true => command.commands.get_mut(""),
        false => Some(command),
    }
}

/// Writes the input of an example as words.
fn line(tool: &BundleTool, input: &Value) -> Option<Vec<String>> {
    let given = input.as_object()?;
    let positionals = tool.positionals();
    let mut words = tool.words.clone();
    for name in positionals.iter().filter(|name| given.contains_key(*name)) {
        words.extend(texts(given.get(name)?)?);
    }
    for (name, value) in given.iter().filter(|(name, _)| !positionals.contains(name)) {
        let flag = option_name(name)?;
        match value {
            Value::Bool(true) => words.push(flag),
            Value::Bool(false) => words.push(format!("{flag}=false")),
            Value::Object(_) => words.extend([flag, value.to_string()]),
            value => words.extend(texts(value)?.into_iter().flat_map(|text| [flag.clone(), text])),
        }
    }
    Some(words)
}

/// Returns the words of a value, unless one could be taken for an option.
fn texts(value: &Value) -> Option<Vec<String>> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        value => std::slice::from_ref(value),
    };
    items
        .iter()
        .map(|item| match item {
            Value::String(text) if text.starts_with('-') => None,
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        })
        .collect()
}
