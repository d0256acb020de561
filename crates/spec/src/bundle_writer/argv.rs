//! The inputs of a tool and the words that are made of them.
//!
//! Options of the command itself are offered, unless one of them makes more of the command than its effects say, or
//! takes its words in a way that no template has. Those above the command, and all others, stay with the plain command.

use serde_json::{Map, Value, json};

use super::effects::is_open;
use crate::atip::Leaf;
use crate::export::{Count, One, Parameter, Source, input_schema, parameters};

/// What a tool is told.
pub(super) struct Inputs {
    /// Its JSON Schema.
    pub(super) schema: Value,
    /// The words of its template.
    pub(super) argv: Vec<String>,
    /// Whether something of the command is left out.
    pub(super) left_out: bool,
}

/// Returns the inputs of a command.
pub(super) fn inputs(leaf: &Leaf<'_>) -> Inputs {
    let allows = |name: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= 64 && name.chars().all(plain)
    };
    let (all, unwritable) = parameters(leaf, allows);
    let before = all.len();
    let offered: Vec<Parameter<'_>> = all
        .into_iter()
        .filter(|parameter| is_offered(parameter, leaf))
        .collect();
    let left_out = offered.len() < before || !unwritable.is_empty();
    let mut argv: Vec<String> = leaf.path.iter().map(|word| (*word).to_owned()).collect();
    let (positional, options): (Vec<_>, Vec<_>) =
        offered.iter().partition(|parameter| parameter.is_positional());
    argv.extend(options.iter().filter_map(|parameter| word(parameter)));
    argv.extend(positional.iter().filter_map(|parameter| word(parameter)));
    let mut schema = input_schema(&offered, &allows);
    for parameter in &offered {
        optional_place(parameter, &mut schema);
    }
    Inputs {
        schema,
        argv,
        left_out,
    }
}

fn is_offered(parameter: &Parameter<'_>, leaf: &Leaf<'_>) -> bool {
    let is_word = match parameter.shape.one {
        One::Text | One::Integer | One::Number | One::Choice(_) => true,
        One::Boolean => parameter.source.is_flag(),
        One::Json => false,
    };
    match &parameter.source {
        Source::Argument(argument) => !argument.extra.contains_key("x-last") && is_word,
        Source::Option { option, spellings } => {
            let extra = &option.option.extra;
            let odd = ["x-takes", "x-before", "x-prompts"];
            option.level == leaf.path.len()
                && is_word
                && !is_open(extra)
                && !odd.iter().any(|key| extra.contains_key(*key))
                && option.option.name != "help"
                && option.option.name != "version"
                && spellings.first().is_some_and(|flag| is_plain(flag))
        }
    }
}

fn is_plain(flag: &str) -> bool {
    let name = flag.trim_start_matches('-');
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
    flag.starts_with('-') && !name.is_empty() && name.chars().all(plain)
}

/// The word of the template for a parameter.
fn word(parameter: &Parameter<'_>) -> Option<String> {
    let property = &parameter.property;
    match &parameter.source {
        Source::Option { spellings, .. } => {
            let flag = long(spellings)?;
            Some(match parameter.source.is_flag() {
                true => format!("${{input.{property} | flag('{flag}')}}"),
                false => format!("${{input.{property} | optional('{flag}')}}"),
            })
        }
        Source::Argument(_) if parameter.required => Some(format!("${{input.{property}}}")),
        Source::Argument(_) => Some(format!("${{input.{property} | default([])}}")),
    }
}

/// The spelling that people understand.
fn long<'a>(spellings: &[&'a str]) -> Option<&'a str> {
    let fit = || spellings.iter().copied().filter(|flag| is_plain(flag));
    fit().find(|flag| flag.starts_with("--")).or_else(|| fit().next())
}

/// A default of an argument would be sent as if the caller had written it; the program has its own.
fn optional_place(parameter: &Parameter<'_>, schema: &mut Value) {
    let property = schema
        .get_mut("properties")
        .and_then(|properties| properties.get_mut(&parameter.property))
        .and_then(Value::as_object_mut);
    let Some(property) = property else { return };
    property.remove("default");
    if parameter.shape.count == Count::Many && !property.contains_key("type") {
        let items: Map<String, Value> = std::mem::take(property);
        *property = [
            ("type".to_owned(), json!("array")),
            ("items".to_owned(), items.into()),
        ]
        .into_iter()
        .collect();
    }
}
