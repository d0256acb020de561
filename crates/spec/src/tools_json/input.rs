//! What a command line means on standard input: the JSON of `--json` as it was given, or one made from the options.
//!
//! Values get the types that their options have. What no option can say (`null`, a property that is no flag), `--json`
//! can.

use argrail_acli::{Error as Refusal, Text};
use serde_json::{Map, Number, Value};

use super::metadata::JSON_OPTION;
use crate::atip::{Given, Kind, Opt};

/// Marks an option whose value is JSON text.
const JSON_TEXT: &str = "x-json";

/// Why no input can be made of the options.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// `--json` beside other options, or twice.
    #[error("--json stands for all arguments, and {other} is given, too")]
    Both {
        /// The other option.
        other: String,
    },
    /// `--json` without a value.
    #[error("--json has no value")]
    Empty,
    /// An option that the tool does not have.
    #[error("there is no option {given:?}")]
    Unknown {
        /// As it was written.
        given: String,
    },
    /// A value that is not of the option's type.
    #[error("{flag} expects {expected}, got {given:?}")]
    WrongType {
        /// The option.
        flag: String,
        /// What it takes.
        expected: &'static str,
        /// What came.
        given: String,
    },
    /// Several values where one is meant.
    #[error("{flag} is given more than once")]
    Again {
        /// The option.
        flag: String,
    },
}

impl InputError {
    /// Returns the refusal of a call of `tool`, with the command that shows its schema.
    pub fn refusal(&self, tool: &str) -> Refusal {
        let what = match self {
            Self::Both { other } => {
                Text::new("--json stands for all arguments, and {} is given, too").value(other)
            }
            Self::Empty => Text::new("--json has no value"),
            Self::Unknown { given } => Text::new("there is no option {}").value(given),
            Self::WrongType {
                flag,
                expected,
                given,
            } => Text::new("{} expects {}, got {}")
                .value(flag)
                .word(expected)
                .value(given),
            Self::Again { flag } => Text::new("{} is given more than once").value(flag),
        };
        Refusal::invalid(what, Text::new("Run: schema {}").value(tool))
    }
}

/// Returns what a tool with these options reads when it is called with those that were given.
///
/// # Errors
/// When a value is not of its option's type, or `--json` stands beside another.
pub fn input(options: &[Opt], given: &[Given]) -> Result<Vec<u8>, InputError> {
    if let Some(whole) = given.iter().find(|given| is_whole(given)) {
        if let Some(other) = given.iter().find(|other| !std::ptr::eq(*other, whole)) {
            return Err(InputError::Both {
                other: other.spelt.clone(),
            });
        }
        return match whole.values.as_slice() {
            [text] => Ok(text.clone().into_bytes()),
            [] => Err(InputError::Empty),
            [..] => Err(InputError::Again {
                flag: JSON_OPTION.to_owned(),
            }),
        };
    }
    let mut object: Map<String, Value> = Map::new();
    for one in given {
        let option = options.iter().find(|option| is_of(option, one));
        let option = option.ok_or_else(|| InputError::Unknown {
            given: one.spelt.clone(),
        })?;
        put(&mut object, option, one)?;
    }
    Ok(Value::Object(object).to_string().into_bytes())
}

fn is_whole(given: &Given) -> bool {
    given.spelt == JSON_OPTION || given.spellings.iter().any(|spelling| spelling == JSON_OPTION)
}

fn is_of(option: &Opt, given: &Given) -> bool {
    option.flags.contains(&given.spelt) || option.flags.iter().any(|flag| given.spellings.contains(flag))
}

fn put(object: &mut Map<String, Value>, option: &Opt, given: &Given) -> Result<(), InputError> {
    let flag = || given.spelt.clone();
    if option.kind == Kind::Array {
        let values = given.values.iter().map(|text| item(option, text, &given.spelt));
        let values = values.collect::<Result<Vec<Value>, _>>()?;
        match object.get_mut(&option.name) {
            Some(Value::Array(list)) => list.extend(values),
            Some(_) | None => drop(object.insert(option.name.clone(), Value::Array(values))),
        }
        return Ok(());
    }
    let value = match given.values.as_slice() {
        [] if option.kind == Kind::Boolean => Value::Bool(!given.negated),
        [text] => one(option, text, &given.spelt)?,
        [] => {
            return Err(InputError::WrongType {
                flag: flag(),
                expected: "a value",
                given: String::new(),
            });
        }
        [..] => return Err(InputError::Again { flag: flag() }),
    };
    match object.insert(option.name.clone(), value) {
        Some(_) => Err(InputError::Again { flag: flag() }),
        None => Ok(()),
    }
}

/// One item of a list: of the type that the schema of the items names.
fn item(option: &Opt, text: &str, flag: &str) -> Result<Value, InputError> {
    let items = option.schema.as_ref().and_then(|schema| schema.get("items"));
    match items.and_then(|items| items.get("type")).and_then(Value::as_str) {
        Some("integer") => integer(text, flag),
        Some("number") => number(text, flag),
        Some("boolean") => boolean(text, flag),
        Some(_) | None => Ok(text.into()),
    }
}

fn one(option: &Opt, text: &str, flag: &str) -> Result<Value, InputError> {
    if option.extra.get(JSON_TEXT) == Some(&Value::Bool(true)) {
        return serde_json::from_str(text).map_err(|_| wrong(flag, "JSON", text));
    }
    match option.kind {
        Kind::Integer => integer(text, flag),
        Kind::Number => number(text, flag),
        Kind::Boolean => boolean(text, flag),
        Kind::Enum => Ok(choice(option, text)),
        Kind::String | Kind::File | Kind::Directory | Kind::Url | Kind::Array => Ok(text.into()),
    }
}

/// The listed value that is written so, whatever its type; else the text, which the schema will refuse.
fn choice(option: &Opt, text: &str) -> Value {
    let written = |value: &&Value| match value {
        Value::String(word) => word == text,
        other => other.to_string() == text,
    };
    let values = option.values.iter().flatten();
    values
        .into_iter()
        .find(written)
        .cloned()
        .unwrap_or_else(|| text.into())
}

fn integer(text: &str, flag: &str) -> Result<Value, InputError> {
    let signed = text.parse::<i64>().map(Number::from);
    let number = signed.or_else(|_| text.parse::<u64>().map(Number::from));
    number
        .map(Value::Number)
        .map_err(|_| wrong(flag, "a whole number", text))
}

fn number(text: &str, flag: &str) -> Result<Value, InputError> {
    // As JSON has it: `inf`, `0x1` and `.5` are none.
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) => Ok(Value::Number(number)),
        Ok(_) | Err(_) => Err(wrong(flag, "a number", text)),
    }
}

fn boolean(text: &str, flag: &str) -> Result<Value, InputError> {
    match text {
        "true" => Ok(true.into()),
        "false" => Ok(false.into()),
        _ => Err(wrong(flag, "true or false", text)),
    }
}

fn wrong(flag: &str, expected: &'static str, given: &str) -> InputError {
    InputError::WrongType {
        flag: flag.to_owned(),
        expected,
        given: given.to_owned(),
    }
}
