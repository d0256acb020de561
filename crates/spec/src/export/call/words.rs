//! Checked values as words, written by the rules of the tool's own style.

use argrail_acli::{Arg, BindError, Command, Kind, Scope, render};
use serde_json::{Map, Value};

use super::check::{Given, Values};
use super::error::Error;
use crate::atip::{Grammar, Level, stands_last};
use crate::export::definition::Definition;
use crate::export::parameter::{Parameter, Source};
use crate::export::shape::Count;
use crate::mcp_tools::list_word;

/// Returns the command line that calls the function with these values.
pub(crate) fn words(definition: &Definition<'_>, values: &Values) -> Result<Vec<String>, Error> {
    let path = &definition.leaf.path;
    let levels = Level::chain(definition.tool, path).unwrap_or_default();
    let grammar = Level::grammars(&levels)
        .0
        .unwrap_or_else(|| Grammar::of_tool(definition.tool));
    let mut chain: Vec<Command> = std::iter::once(definition.tool.name.as_str())
        .chain(path.iter().copied())
        .map(|name| Command::new(name, ""))
        .collect();
    for parameter in &definition.parameters {
        let (level, scope) = place(parameter, path.len(), &grammar);
        let level = level.min(path.len());
        if let Some(command) = chain.get_mut(level) {
            let with = command.clone().arg(arg(parameter).scope(scope));
            *command = with;
        }
    }
    if let Some(leaf) = chain.pop() {
        // A first word that is the name of a subcommand would be taken for it.
        let below = definition.leaf.below.iter().map(|name| Command::new(*name, ""));
        chain.push(leaf.subcommands(below));
    }
    if let Some(root) = chain.first_mut() {
        *root = root.clone().style(grammar.style);
    }
    let chain: Vec<&Command> = chain.iter().collect();
    let words =
        render(&chain, &json(values, &definition.parameters)).map_err(|error| refused(definition, error))?;
    behind_dashes(definition, values, words)
}

/// Puts `--` before an argument that stands behind it only, where a dash has not put it there already.
fn behind_dashes(
    definition: &Definition<'_>,
    values: &Values,
    mut words: Vec<String>,
) -> Result<Vec<String>, Error> {
    let positionals = definition
        .parameters
        .iter()
        .filter(|parameter| parameter.is_positional());
    let is_last = |parameter: &&Parameter<'_>| match &parameter.source {
        Source::Argument(argument) => stands_last(argument),
        Source::Option { .. } => false,
    };
    let given = |parameter: &&Parameter<'_>| match values.get(&parameter.property) {
        Some(Given::Texts(texts)) => texts.len(),
        Some(Given::Set) | None => 0,
    };
    let (last, others): (Vec<_>, Vec<_>) = positionals.partition(is_last);
    let (behind, before): (usize, usize) = (last.iter().map(given).sum(), others.iter().map(given).sum());
    let Some(place) = words.len().checked_sub(behind).filter(|_| behind > 0) else {
        return Ok(words);
    };
    let guard = place.checked_sub(before + 1).and_then(|at| words.get(at));
    match (guard.is_some_and(|word| word == "--"), before) {
        (false, _) => words.insert(place, "--".to_owned()),
        (true, 0) => {}
        // One `--` cannot stand in two places.
        (true, _) => {
            let name = last.first().map(|parameter| parameter.property.clone());
            return Err(Error::Unwritable {
                name: name.unwrap_or_default(),
                given: "--".to_owned(),
            });
        }
    }
    Ok(words)
}

/// Where an option is written: behind the command in the style of GNU, where it is declared in that of Go.
fn place(parameter: &Parameter<'_>, leaf: usize, grammar: &Grammar) -> (usize, Scope) {
    match &parameter.source {
        Source::Option { option, .. } if grammar.style.permutation && grammar.reaches_down(option.option) => {
            (option.level, Scope::Below)
        }
        Source::Option { option, .. } => (option.level, Scope::Here),
        Source::Argument(_) => (leaf, Scope::Below),
    }
}

/// The parameter as one of our own, named as in the function.
fn arg(parameter: &Parameter<'_>) -> Arg {
    let kind = if parameter.source.is_flag() {
        Kind::Flag
    } else {
        Kind::String
    };
    let arg = match &parameter.source {
        Source::Option { spellings, .. } => {
            let written = spellings.first().copied().unwrap_or_default();
            Arg::option(written, kind, "").id(&parameter.property)
        }
        Source::Argument(_) => Arg::positional(&parameter.property, Kind::String, ""),
    };
    match parameter.shape.count {
        Count::One => arg,
        Count::Many => arg.many(),
    }
}

fn json(values: &Values, parameters: &[Parameter<'_>]) -> Map<String, Value> {
    let mut out = Map::new();
    for parameter in parameters {
        let value = match (values.get(&parameter.property), parameter.shape.count) {
            (None, _) => continue,
            (Some(Given::Set), _) => Value::Bool(true),
            (Some(Given::Texts(texts)), Count::Many) => match list_word(texts) {
                Some(whole) if parameter.source.takes_array() => vec![whole].into(),
                Some(_) | None => texts.as_slice().into(),
            },
            (Some(Given::Texts(texts)), Count::One) => texts.concat().into(),
        };
        out.insert(parameter.property.clone(), value);
    }
    out
}

/// What the style cannot write is a value that the tool would take for something else.
fn refused(definition: &Definition<'_>, error: BindError) -> Error {
    let (shown, given) = match error {
        BindError::WrongType { name, given, .. } => (name, given),
        other => (String::new(), other.to_string()),
    };
    let spelt = |parameter: &&Parameter<'_>| match &parameter.source {
        Source::Option { spellings, .. } => spellings.first() == Some(&shown.as_str()),
        Source::Argument(_) => false,
    };
    let parameter = definition.parameters.iter().find(spelt);
    Error::Unwritable {
        name: parameter.map_or(shown.clone(), |parameter| parameter.property.clone()),
        given,
    }
}
