//! AIP-45, Options: typed knobs, each independent of the others.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::mode::check_ids;
use super::option_value::OptionValue;
use super::rules::{NO_EFFECT, OPTION};
use super::wish_error::WishError;
use crate::declare::{AnyText, Decode, List, Own, Set, name, own, texts, words};
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Spanned, Value};
use crate::manifest::{Closed, Field, VALUE};
use crate::sandbox_block::Settings;

/// One knob.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentOption {
    /// Its name.
    #[schemars(regex(pattern = "^[a-z0-9][a-z0-9_]{0,63}$"))]
    pub id: Spanned<String>,
    /// What it takes.
    #[serde(rename = "type")]
    pub kind: Spanned<OptionType>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Spanned<String>>,
    /// The words that an `enum` takes.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub words: Option<Vec<Spanned<String>>>,
    /// What it is when nothing is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Spanned<OptionValue>>,
    /// The least that an `integer` may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<Spanned<i64>>,
    /// The most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<Spanned<i64>>,
    /// Arguments of a value that is not the default.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bin_args_template: Vec<Spanned<String>>,
    /// Arguments of a `boolean` that is true.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bin_args_append_when_true: Vec<Spanned<String>>,
    /// Variables of a value that is not the default.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub env: IndexMap<String, Spanned<String>>,
}

words! {
    /// What an option takes.
    pub enum OptionType {
        /// Yes or no.
        Boolean = "boolean",
        /// A whole number.
        Integer = "integer",
        /// Any text.
        String = "string",
        /// One of some words.
        Enum = "enum",
    }
}

texts! {
    /// The id of an option.
    OptionId = name("a-z0-9", "a-z0-9_", "a-z0-9_", 1..=64),
        "an id such as \"max_turns\"", "use 1 to 64 small letters, digits and '_'";
}

own! {
    AgentOption: |field, out| one(field, out);
}

pub(super) fn check_options(options: &[AgentOption], field: &Field<'_>, out: &mut Complaints) {
    check_ids(options.iter().map(|option| &option.id), field, out);
}

fn one(field: &Field<'_>, out: &mut Complaints) -> Option<AgentOption> {
    let mut object = field.open(out)?;
    let id = object
        .need("id", out)
        .and_then(|field| Decode::<OptionId>::decode(&field, out));
    let kind: Option<Spanned<OptionType>> = object
        .need("type", out)
        .and_then(|field| Decode::<Own>::decode(&field, out));
    let description = object
        .take("description")
        .and_then(|field| field.prose(0..=2000, out));
    let word = kind.as_ref().map(|kind| kind.value);
    let words = only(&mut object, "enum", word, OptionType::Enum, out)
        .and_then(|field| Decode::<Set<AnyText, 1>>::decode(&field, out));
    let min = only(&mut object, "min", word, OptionType::Integer, out).and_then(|field| field.integer(out));
    let max = only(&mut object, "max", word, OptionType::Integer, out).and_then(|field| field.integer(out));
    let default = object.take("default");
    let template = object.take("bin_args_template");
    let bin_args_template = template.and_then(|field| Decode::<List<AnyText>>::decode(&field, out));
    let when_true = only(
        &mut object,
        "bin_args_append_when_true",
        word,
        OptionType::Boolean,
        out,
    );
    let env = object
        .take("env")
        .and_then(|field| Decode::<Settings>::decode(&field, out));
    if word == Some(OptionType::Enum) && !object.has("enum") {
        let what = "an option of type enum needs its words";
        out.push(field.refuse(OPTION, what).hint("add 'enum: [one, other]'"));
    }
    object.shut(out);
    let mut option = AgentOption {
        id: id?,
        kind: kind?,
        description,
        words,
        default: None,
        min,
        max,
        bin_args_template: bin_args_template.unwrap_or_default(),
        bin_args_append_when_true: when_true
            .and_then(|field| Decode::<List<AnyText>>::decode(&field, out))
            .unwrap_or_default(),
        env: env.unwrap_or_default(),
    };
    bounds(&option, out);
    option.default = default.and_then(|default| value(&option, &default, out));
    effects(&option, out);
    Some(option)
}

/// Takes a field that one type alone has.
fn only<'a>(
    object: &mut Closed<'a>,
    key: &'static str,
    kind: Option<OptionType>,
    owner: OptionType,
    out: &mut Complaints,
) -> Option<Field<'a>> {
    let field = object.take(key)?;
    if let Some(kind) = kind.filter(|kind| *kind != owner) {
        let what = format!(
            "it is for options of type {}, not {}",
            owner.as_str(),
            kind.as_str()
        );
        let hint = format!("leave it out, or write type: {}", owner.as_str());
        out.push(field.refuse(OPTION, what).hint(hint));
        return None;
    }
    Some(field)
}

/// The least is no more than the most.
fn bounds(option: &AgentOption, out: &mut Complaints) {
    if let (Some(min), Some(max)) = (&option.min, &option.max)
        && min.value > max.value
    {
        let what = format!("min: {} is more than max, {}", min.value, max.value);
        out.push(OPTION.error(min.span, what).hint("swap them"));
    }
}

/// Reads the default, which must be a value of the option.
fn value(option: &AgentOption, field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<OptionValue>> {
    let value = match (option.kind.value, &field.node.value) {
        (OptionType::Boolean, Value::Bool(truth)) => Ok(OptionValue::Truth(*truth)),
        (OptionType::Boolean, _) => Err("true or false"),
        (OptionType::Integer, Value::Number(number)) => {
            number.as_i64().map(OptionValue::Integer).ok_or("a whole number")
        }
        (OptionType::Integer, _) => Err("a whole number"),
        // YAML reads an unquoted 4 as a number; a text is meant.
        (OptionType::String | OptionType::Enum, Value::Number(number)) => {
            Ok(OptionValue::Text(number.to_string()))
        }
        (OptionType::String | OptionType::Enum, Value::String(text)) if !text.contains('\0') => {
            Ok(OptionValue::Text(text.clone()))
        }
        (OptionType::String | OptionType::Enum, _) => Err("a text"),
    };
    let value = match value {
        Ok(value) => value,
        Err(expected) => {
            let hint = "write a value of the option's type";
            out.push(field.expected(expected).hint(hint));
            return None;
        }
    };
    match option.accept(&value) {
        Ok(()) => Some(Spanned::new(value, field.span())),
        Err(error) => {
            out.push(
                field
                    .refuse(VALUE, error.to_string())
                    .hint("write a value that the option takes"),
            );
            None
        }
    }
}

/// Tells of an option that changes nothing.
fn effects(option: &AgentOption, out: &mut Complaints) {
    let idle = option.bin_args_template.is_empty()
        && option.bin_args_append_when_true.is_empty()
        && option.env.is_empty();
    if idle {
        let what = format!(
            "options: {} changes no argument and no variable",
            Quoted(&option.id)
        );
        let hint = "add bin_args_template or env, unless the agent takes it in the session";
        out.push(NO_EFFECT.note(option.id.span, what).hint(hint));
    }
}

impl AgentOption {
    /// Checks that a value of the right type is one that the option takes.
    pub(super) fn accept(&self, value: &OptionValue) -> Result<(), WishError> {
        let id = || self.id.value.clone();
        match value {
            OptionValue::Truth(_) => Ok(()),
            OptionValue::Integer(number) => {
                let least = self.min.as_ref().map(|min| min.value);
                let most = self.max.as_ref().map(|max| max.value);
                if least.is_none_or(|least| least <= *number) && most.is_none_or(|most| *number <= most) {
                    return Ok(());
                }
                Err(WishError::OutOfBounds {
                    id: id(),
                    given: *number,
                    least,
                    most,
                })
            }
            OptionValue::Text(text) => match &self.words {
                Some(words) if !words.iter().any(|word| word.as_str() == text) => Err(WishError::NoChoice {
                    id: id(),
                    given: text.clone(),
                    choices: words.iter().map(|word| word.value.clone()).collect(),
                }),
                Some(_) | None => Ok(()),
            },
        }
    }
}
