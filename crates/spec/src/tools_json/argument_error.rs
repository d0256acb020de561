//! Why the arguments of a call are refused: the place, what was expected, what came.

use argrail_acli::{Error as Refusal, Text};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::types::JsonType;
use serde_json::Value;

use crate::doc::pointer_step;

/// How many values of a list are named.
const LISTED: usize = 20;

/// What is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum ArgumentError {
    /// They are no JSON.
    NotJson {
        /// Why.
        why: String,
    },
    /// They are JSON, and no object.
    NotAnObject {
        /// What they are.
        came: &'static str,
    },
    /// Something in them does not fit the schema.
    Unfit {
        /// Where: a JSON pointer.
        pointer: String,
        /// What the schema wants there.
        expected: Text,
        /// What came, as JSON; nothing, if nothing did.
        came: Option<String>,
    },
}

impl ArgumentError {
    /// Returns what is wrong.
    pub fn message(&self) -> Text {
        match self {
            Self::NotJson { why } => Text::new("the arguments are no JSON: {}").value(why),
            Self::NotAnObject { came } => Text::new("the arguments: expected an object, got {}").word(came),
            Self::Unfit {
                pointer,
                expected,
                came,
            } => {
                let place = match pointer.as_str() {
                    "" => Text::new("the arguments: expected"),
                    pointer => Text::new("{}: expected").value(pointer),
                };
                let came = match came {
                    Some(came) => Text::new("got {}").value(came),
                    None => Text::new("got nothing"),
                };
                place.then(" ", expected.clone()).then(", ", came)
            }
        }
    }

    /// Returns the refusal of a call of `tool`, with the command that shows its schema.
    pub fn refusal(&self, tool: &str) -> Refusal {
        let hint = Text::new("Run: schema {}").value(tool);
        match self {
            Self::NotJson { .. } | Self::NotAnObject { .. } => Refusal::invalid(self.message(), hint),
            Self::Unfit { pointer, .. } => {
                Refusal::invalid(self.message(), hint).detail("pointer", pointer.as_str())
            }
        }
    }
}

/// Says what one error of the validator means.
pub(super) fn unfit(error: &ValidationError<'_>) -> ArgumentError {
    let here = error.instance_path().to_string();
    let below = |name: &str| format!("{here}/{}", pointer_step(name));
    let instance = error.instance();
    match error.kind() {
        ValidationErrorKind::Required { property } => ArgumentError::Unfit {
            pointer: below(property.as_str().unwrap_or_default()),
            expected: Text::new("a value, since it is required"),
            came: None,
        },
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let name = unexpected.first().map_or("", String::as_str);
            ArgumentError::Unfit {
                pointer: below(name),
                expected: Text::new("no such property"),
                came: instance.get(name).map(Value::to_string),
            }
        }
        kind => ArgumentError::Unfit {
            pointer: here,
            expected: expected(error, kind),
            came: Some(instance.to_string()),
        },
    }
}

fn expected(error: &ValidationError<'_>, kind: &ValidationErrorKind) -> Text {
    let listed = |options: &Value| {
        let options: Vec<String> = options
            .as_array()
            .into_iter()
            .flatten()
            .map(Value::to_string)
            .collect();
        Text::new("one of {}").list(options.iter().map(String::as_str), LISTED)
    };
    match kind {
        ValidationErrorKind::Type { kind } => types(kind),
        ValidationErrorKind::Enum { options } => listed(options),
        ValidationErrorKind::Constant { expected_value } => Text::new("{}").value(expected_value.to_string()),
        ValidationErrorKind::Minimum { limit } => Text::new("at least {}").value(limit.to_string()),
        ValidationErrorKind::Maximum { limit } => Text::new("at most {}").value(limit.to_string()),
        ValidationErrorKind::ExclusiveMinimum { limit } => Text::new("more than {}").value(limit.to_string()),
        ValidationErrorKind::ExclusiveMaximum { limit } => Text::new("less than {}").value(limit.to_string()),
        ValidationErrorKind::MinLength { limit } => Text::new("at least {} characters").number(*limit),
        ValidationErrorKind::MaxLength { limit } => Text::new("at most {} characters").number(*limit),
        ValidationErrorKind::MinItems { limit } => Text::new("at least {} items").number(*limit),
        ValidationErrorKind::MaxItems { limit } => Text::new("at most {} items").number(*limit),
        ValidationErrorKind::MinProperties { limit } => Text::new("at least {} properties").number(*limit),
        ValidationErrorKind::MaxProperties { limit } => Text::new("at most {} properties").number(*limit),
        ValidationErrorKind::UniqueItems => Text::new("each item once"),
        ValidationErrorKind::Pattern { pattern } => asks("pattern", pattern),
        ValidationErrorKind::Format { format } => asks("format", format),
        ValidationErrorKind::FalseSchema => Text::new("nothing"),
        // The enum is another's and grows; the keyword says the rest.
        other => Text::new("what {} asks for").value(match other.keyword() {
            "" => error.schema_path().as_str(),
            keyword => keyword,
        }),
    }
}

fn asks(keyword: &'static str, what: &str) -> Text {
    Text::new("what {} asks for: {}").value(keyword).value(what)
}

fn types(kind: &TypeKind) -> Text {
    let mut names = match kind {
        TypeKind::Single(one) => vec![name(*one)],
        TypeKind::Multiple(many) => many.iter().map(name).collect(),
    }
    .into_iter();
    let first = Text::new(names.next().unwrap_or("nothing"));
    names.fold(first, |text, name| text.then(" or ", Text::new(name)))
}

fn name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "an array",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "a string",
    }
}
