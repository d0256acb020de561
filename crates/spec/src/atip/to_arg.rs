//! One option or argument of the metadata as one of our own: its type, its words, its checks.
//!
//! A default is shown and never put into an argv; a value that does not fit its own type is not even shown. Real tools
//! take an option twice, so ours do: the last one counts, unless the metadata says that it is a list.

use std::sync::Arc;

use argrail_acli::{Arg, Kind, Repeat, Scope, Takes, Typed};
use serde_json::Value;

use super::grammar::{self, Grammar};
use super::inferred::wording_of;
use super::level::{Named, Reach, Share, is_list};
use super::matching::Matching;
use super::model::{self, Argument, Opt};
use super::schema_check::SchemaCheck;
use crate::mcp_tools::{JSON_LIST, WHOLE};

/// Marks an option or argument that whoever answers the call misses, and not whoever reads it first.
pub const REQUIRED_BY_HANDLER: &str = "x-required-by-handler";

/// Returns what is named here as an argument of our own.
pub(super) fn to_arg(named: &Named<'_>, grammar: &Grammar) -> Arg {
    match named {
        Named::Option { option, spelt, reach } => {
            let scope = match reach {
                Reach::Group if grammar.reaches_down(option) => Scope::Below,
                Reach::Group | Reach::Own => Scope::Here,
            };
            option_arg(option, spelt)
                .scope(scope)
                .wording(wording_of(&option.extra))
        }
        Named::Argument { argument, id, share } => {
            let arg = argument_arg(argument, id).wording(wording_of(&argument.extra));
            match share {
                Share::Place => arg,
                Share::Last => arg.last(),
                Share::Assignments => arg.takes_while(|word| grammar::assignment(word).is_some()),
            }
        }
    }
}

fn option_arg(option: &Opt, spelt: &[&str]) -> Arg {
    let (first, others) = spelt
        .split_first()
        .map_or(("", spelt), |(first, others)| (*first, others));
    let takes = grammar::takes(option);
    let kind = match (option.kind, &takes) {
        (model::Kind::Boolean, None | Some(Takes::Nothing)) => Kind::Flag,
        (model::Kind::Boolean, Some(Takes::Exactly(_) | Takes::Until(_))) => Kind::String,
        (_, Some(Takes::Nothing)) => Kind::Flag,
        (other, _) => kind(other, option.values.as_deref()),
    };
    let is_flag = kind == Kind::Flag;
    let mut arg = Arg::option(first, kind.clone(), option.description.clone()).id(&option.name);
    if let Some(takes) = takes {
        arg = arg.takes(takes);
    }
    for other in others {
        arg = arg.alias(other);
    }
    let many = option.kind == model::Kind::Array || option.variadic == Some(true);
    arg = arg.repeat(if many { Repeat::Many } else { Repeat::Last });
    if option.is_required() && !is_flag {
        arg = arg.required();
    }
    if let Some(name) = &option.env_var {
        arg = arg.env(name);
    }
    if kind.is_path() {
        arg = arg.takes_streams();
    }
    if option.extra.get(WHOLE) == Some(&Value::Bool(true)) {
        arg = arg.whole();
    }
    if option.extra.get(REQUIRED_BY_HANDLER) == Some(&Value::Bool(true)) {
        arg = arg.required_by_handler();
    }
    arg = showing_schema(arg, option.schema.as_ref());
    arg = with_pattern(arg, option.pattern.as_deref());
    let takes_array = option.extra.get(JSON_LIST) == Some(&Value::Bool(true));
    if takes_array {
        arg = arg.told_as(Kind::array());
    }
    if !is_flag {
        let check = option.schema.as_ref().and_then(SchemaCheck::new);
        arg = with_schema(arg, check.map(|check| check.taking_array(takes_array)));
    }
    match option
        .default
        .as_ref()
        .filter(|default| !is_flag && !many && fits(&kind, default))
    {
        Some(default) if !option.is_required() => arg.default(default.clone()),
        Some(_) | None => arg,
    }
}

fn argument_arg(argument: &Argument, id: &str) -> Arg {
    let kind = kind(argument.kind, argument.values.as_deref());
    let mut arg = Arg::positional(id, kind.clone(), argument.description.clone());
    if is_list(argument) {
        arg = arg.many();
    }
    if !argument.is_required() {
        arg = arg.optional();
    }
    if kind.is_path() {
        arg = arg.takes_streams();
    }
    arg = arg.unless(grammar::given_instead(argument));
    if argument.extra.get(REQUIRED_BY_HANDLER) == Some(&Value::Bool(true)) {
        arg = arg.required_by_handler();
    }
    arg = showing_schema(arg, argument.schema.as_ref());
    arg = with_pattern(arg, argument.pattern.as_deref());
    arg = with_schema(arg, argument.schema.as_ref().and_then(SchemaCheck::new));
    match argument
        .default
        .as_ref()
        .filter(|default| !is_list(argument) && fits(&kind, default))
    {
        Some(default) if !argument.is_required() => arg.default(default.clone()),
        Some(_) | None => arg,
    }
}

/// What `schema` shows of it, where that says more than its type. A date is also told as one.
fn showing_schema(arg: Arg, schema: Option<&Value>) -> Arg {
    let Some(schema) = schema else { return arg };
    let says = |key: &str, word: &str| schema.get(key).and_then(Value::as_str) == Some(word);
    let arg = match says("type", "string") && says("format", "date-time") {
        true => arg.told_as(Kind::DateTime),
        false => arg,
    };
    arg.schema(schema.clone())
}

/// A value must match the pattern. One that is no regular expression cannot be asked, and `lint` says so.
fn with_pattern(arg: Arg, pattern: Option<&str>) -> Arg {
    let Some(pattern) = pattern else { return arg };
    let matching = Arc::new(Matching::new(pattern));
    let expected = format!("a value that matches {pattern}");
    arg.pattern(pattern).check(expected, move |value| match value {
        Typed::Text(text) => fits_pattern(&matching, text),
        Typed::Integer(number) => fits_pattern(&matching, &number.to_string()),
        Typed::Number(number) => fits_pattern(&matching, &number.to_string()),
        // What was resolved is no longer what was written, and what stands for itself has no text.
        Typed::Path(_) | Typed::Boolean(_) | Typed::DateTime(_) | Typed::Json(_) | Typed::List(_) => true,
    })
}

/// A value must fit the schema, if there is one that can be used.
fn with_schema(arg: Arg, check: Option<SchemaCheck>) -> Arg {
    let Some(check) = check else { return arg };
    let expected = check.expected();
    arg.check(expected, move |value| match value {
        Typed::Text(_) | Typed::Integer(_) | Typed::Number(_) | Typed::Boolean(_) | Typed::Json(_) => {
            check.fits(&value.to_json())
        }
        // What was resolved is no longer what was written; the items of a list came one by one.
        Typed::Path(_) | Typed::DateTime(_) | Typed::List(_) => true,
    })
}

fn fits_pattern(matching: &Matching, text: &str) -> bool {
    matching.is_match(text).unwrap_or_else(|| matching.is_broken())
}

/// The type of one value. A list is an option that is repeated, so it is the type of its items: text.
fn kind(kind: model::Kind, values: Option<&[Value]>) -> Kind {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (kind, values) {
        (model::Kind::Boolean, _) => Kind::Boolean,
        (_, Some(values)) if !values.is_empty() => Kind::one_of(values.iter().map(text)),
        (model::Kind::String | model::Kind::Enum | model::Kind::Array, _) => Kind::String,
        (model::Kind::Integer, _) => Kind::Integer,
        (model::Kind::Number, _) => Kind::Number,
        (model::Kind::File, _) => Kind::File,
        (model::Kind::Directory, _) => Kind::Directory,
        (model::Kind::Url, _) => Kind::Url,
    }
}

/// Whether a default is a value of its type. In doubt it is not shown.
fn fits(kind: &Kind, default: &Value) -> bool {
    match kind {
        Kind::String => default.is_string(),
        Kind::Integer => default.is_i64(),
        Kind::Number => default.is_number(),
        Kind::Boolean => default.is_boolean(),
        Kind::Enum(values) => default
            .as_str()
            .is_some_and(|text| values.iter().any(|value| value == text)),
        Kind::Flag
        | Kind::DateTime
        | Kind::Array(_)
        | Kind::File
        | Kind::Directory
        | Kind::Url
        | Kind::Json => false,
    }
}
