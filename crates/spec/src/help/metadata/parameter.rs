//! Options and arguments from what was found.

use std::collections::HashSet;

use serde_json::{Number, Value};

use super::build::{described, inferred};
use crate::atip::{Argument, Kind, Opt};
use crate::help::{FoundOption, FoundPositional, FoundValue, Takes};

/// Makes the options of a command. A flag that two of them have is the first one's; options of every command that the
/// tool itself has (`outer`) are left to it.
pub(super) fn options(found: &[FoundOption], outer: &HashSet<String>) -> Vec<Opt> {
    let mut names = Names::default();
    let mut taken: HashSet<&str> = HashSet::new();
    let mut options = Vec::new();
    for option in found {
        let is_outer = option.global && option.spellings.iter().all(|flag| outer.contains(flag));
        let flags: Vec<String> = option
            .spellings
            .iter()
            .filter(|flag| !is_outer && taken.insert(flag))
            .cloned()
            .collect();
        if !flags.is_empty() {
            options.push(opt(option, flags, &mut names));
        }
    }
    options
}

fn opt(found: &FoundOption, flags: Vec<String>, names: &mut Names) -> Opt {
    let (value, optional) = match &found.takes {
        Takes::Nothing => (None, false),
        Takes::Perhaps(value) => (Some(value), true),
        Takes::Value(value) => (Some(value), false),
    };
    let (kind, values) = value.map_or((Kind::Boolean, None), typed);
    let mut option = Opt {
        name: names.unique(name(&flags)),
        kind,
        description: described(&found.description),
        required: found.required.then_some(true),
        default: found
            .default
            .as_deref()
            .filter(|_| !found.required)
            .and_then(|text| default(text, kind, values.as_deref())),
        values,
        env_var: found.variable.clone(),
        variadic: found.repeats.then_some(true),
        flags,
        ..Opt::default()
    };
    option.extra.insert("x-inferred".to_owned(), inferred(found.seen));
    if optional {
        option.extra.insert("x-takes".to_owned(), "attached".into());
    }
    if found.deprecated {
        option.extra.insert("x-deprecated".to_owned(), true.into());
    }
    if let Some(value) = value.filter(|value| !value.name.is_empty()) {
        option
            .extra
            .insert("x-value-name".to_owned(), value.name.as_str().into());
    }
    option
}

/// Makes the arguments of a command: optional ones behind an optional one, and one that takes several.
pub(super) fn arguments(found: &[FoundPositional]) -> Vec<Argument> {
    let mut names = Names::default();
    let mut is_optional = false;
    let mut is_variadic = false;
    let mut arguments = Vec::new();
    for positional in found {
        is_optional |= !positional.required;
        let variadic = positional.variadic && !is_variadic;
        is_variadic |= variadic;
        let (kind, values) = typed(&positional.value);
        let mut argument = Argument {
            name: names.unique(legal(&positional.value.name, "value")),
            kind,
            description: described(&positional.description),
            required: Some(!is_optional),
            variadic: variadic.then_some(true),
            values,
            ..Argument::default()
        };
        argument
            .extra
            .insert("x-inferred".to_owned(), inferred(positional.seen));
        arguments.push(argument);
    }
    arguments
}

fn typed(value: &FoundValue) -> (Kind, Option<Vec<Value>>) {
    let mut seen = HashSet::new();
    let values: Vec<Value> = value
        .values
        .iter()
        .filter(|value| seen.insert(value.as_str()))
        .map(|value| Value::from(value.as_str()))
        .collect();
    match value.kind {
        Kind::Enum if values.is_empty() => (Kind::String, None),
        Kind::Enum => (Kind::Enum, Some(values)),
        kind @ (Kind::String
        | Kind::Integer
        | Kind::Number
        | Kind::Boolean
        | Kind::File
        | Kind::Directory
        | Kind::Url
        | Kind::Array) => (kind, None),
    }
}

fn default(text: &str, kind: Kind, values: Option<&[Value]>) -> Option<Value> {
    match kind {
        Kind::Boolean => text.parse::<bool>().ok().map(Value::from),
        Kind::Integer => text.parse::<i64>().ok().map(Value::from),
        Kind::Number => text
            .parse::<f64>()
            .ok()
            .and_then(Number::from_f64)
            .map(Value::from),
        Kind::Enum => {
            Some(Value::from(text)).filter(|text| values.is_some_and(|values| values.contains(text)))
        }
        Kind::String | Kind::File | Kind::Directory | Kind::Url => Some(Value::from(text)),
        Kind::Array => None,
    }
}

/// The longest word of an option, or its letter.
fn name(flags: &[String]) -> String {
    let rank = |flag: &&String| {
        (
            flag.starts_with("--") && !flag.starts_with("--no-"),
            flag.starts_with("--"),
            flag.len(),
        )
    };
    let best = flags.iter().max_by_key(rank).map_or("", String::as_str);
    legal(best.trim_start_matches(['-', '+']), "option")
}

fn legal(name: &str, otherwise: &str) -> String {
    let mut legal = String::new();
    for c in name.chars().take(60) {
        if c.is_ascii_alphanumeric() || matches!(c, '_' | '.') {
            legal.push(c);
        } else if !legal.ends_with('-') && !legal.is_empty() {
            legal.push('-');
        }
    }
    let legal = legal.trim_matches(['-', '.']);
    if legal.is_empty() {
        otherwise.to_owned()
    } else {
        legal.to_owned()
    }
}

/// Names that are given once.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn unique(&mut self, name: String) -> String {
        let mut candidate = name.clone();
        let mut number = 2_usize;
        while !self.0.insert(candidate.clone()) {
            candidate = format!("{name}-{number}");
            number += 1;
        }
        candidate
    }
}
