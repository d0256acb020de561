//! What one provider is: the names it allows, the shape of a definition, the shape of a call.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::call::Error;
use super::definition::Definition;
use super::format::Strictness;

/// One provider. Pure: a definition goes in, JSON comes out, and the other way round.
pub(crate) trait Provider {
    /// Whether a property may be called so. Whatever is refused here is renamed.
    fn allows_property(&self, name: &str) -> bool {
        is_identifier(name, |c| {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
        })
    }

    /// Returns one definition, and a note where it is not all that was asked for.
    fn definition(
        &self,
        definition: &Definition<'_>,
        strictness: Strictness,
    ) -> (Value, Option<&'static str>);

    /// Returns the text of a definition that is kept to the letter.
    fn exact(&self, _definition: &Definition<'_>) -> Option<Box<RawValue>> {
        None
    }

    /// Puts the definitions into what the provider takes.
    fn wrap(&self, definitions: Vec<Value>) -> Value {
        Value::Array(definitions)
    }

    /// Returns the calls that a message of the provider holds, those that cannot be read among them.
    fn calls(&self, message: &Value) -> Result<Vec<Result<RawCall, FailedCall>>, Error>;
}

/// A call that cannot be made. Others of the same message can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCall {
    /// The id to answer by, where the provider gave one.
    pub id: Option<Value>,
    /// The name of the function, as far as there is one.
    pub function: String,
    /// What is wrong with it.
    pub error: Box<Error>,
}

/// The arguments of a call, and their text where the provider hands it over as one.
pub(crate) type Arguments = (Map<String, Value>, Option<String>);

/// Puts a call together from its id, its function and its arguments.
pub(crate) fn raw_call(
    id: Option<Value>,
    name: Option<&str>,
    arguments: impl FnOnce(&str) -> Result<Arguments, Error>,
) -> Result<RawCall, FailedCall> {
    let read = name
        .ok_or(Error::NoName)
        .and_then(|name| Ok((name, arguments(name)?)));
    match read {
        Ok((name, (arguments, text))) => Ok(RawCall {
            id,
            name: name.to_owned(),
            arguments,
            text,
        }),
        Err(error) => Err(FailedCall {
            id,
            function: name.unwrap_or_default().to_owned(),
            error: Box::new(error),
        }),
    }
}

/// A call as the provider wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RawCall {
    /// Its id, to answer it by.
    pub(crate) id: Option<Value>,
    /// The function.
    pub(crate) name: String,
    /// Its arguments.
    pub(crate) arguments: Map<String, Value>,
    /// Their text, where the provider hands it over as one.
    pub(crate) text: Option<String>,
}

/// The longest name that any of the providers takes.
pub(crate) const NAME_LENGTH: usize = 64;

/// Whether `name` has one to 64 characters, all of which are allowed.
pub(crate) fn is_identifier(name: &str, is_allowed: impl Fn(char) -> bool) -> bool {
    !name.is_empty() && name.len() <= NAME_LENGTH && name.chars().all(is_allowed)
}

/// Returns the arguments of a call: an object, or nothing at all.
pub(crate) fn object(name: &str, arguments: Option<&Value>) -> Result<Map<String, Value>, Error> {
    match arguments {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(object)) => Ok(object.clone()),
        Some(Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            Err(Error::NoArguments {
                name: name.to_owned(),
            })
        }
    }
}

/// Returns a text member of an object.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

/// Returns an id, which is a string or a number. It goes back as it came: JSON-RPC wants the same value.
pub(crate) fn id(value: Option<&Value>) -> Option<Value> {
    match value? {
        id @ (Value::String(_) | Value::Number(_)) => Some(id.clone()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}
