//! The values of a call against the parameters of its function: names, types, choices, what must and may not be there.
//!
//! What comes out is text that fits, by parameter. `null` and an empty list are the same as nothing.

use argrail_acli::nearest;
use serde_json::{Map, Value};

use super::error::Error;
use crate::export::definition::Definition;
use crate::export::parameter::{Parameter, Source};
use crate::export::schema::text;
use crate::export::shape::{Count, One};

/// The longest integer that a floating-point number holds exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What is given for one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Given {
    /// A flag that is set.
    Set,
    /// One text, or one for each word.
    Texts(Vec<String>),
}

/// What is given, by the parameter's name.
pub(crate) type Values = std::collections::BTreeMap<String, Given>;

/// Returns the values of a call once they fit the function.
pub(crate) fn check(definition: &Definition<'_>, arguments: &Map<String, Value>) -> Result<Values, Error> {
    let parameters = &definition.parameters;
    let known = || parameters.iter().map(|parameter| parameter.property.as_str());
    if let Some(unknown) = arguments.keys().find(|name| !known().any(|known| known == *name)) {
        return Err(Error::UnknownProperty {
            given: unknown.clone(),
            nearest: nearest(unknown, known()).map(str::to_owned),
            known: known().map(str::to_owned).collect(),
        });
    }
    let mut values = Values::new();
    for parameter in parameters {
        let value = arguments.get(&parameter.property).unwrap_or(&Value::Null);
        if let Some(given) = given(parameter, value)? {
            values.insert(parameter.property.clone(), given);
        } else if parameter.required && !parameter.source.is_flag() {
            return Err(Error::Missing {
                name: parameter.property.clone(),
            });
        }
    }
    check_exclusive(parameters, &values)?;
    check_places(parameters, &values)?;
    Ok(values)
}

fn given(parameter: &Parameter<'_>, value: &Value) -> Result<Option<Given>, Error> {
    if value.is_null() {
        return Ok(None);
    }
    if parameter.source.is_flag() {
        return flag(parameter, value);
    }
    let items = match (parameter.shape.count, value) {
        (Count::Many, Value::Array(items)) => items.as_slice(),
        (Count::Many, value) => return Err(wrong(parameter, "a list", value)),
        (Count::One, value) => std::slice::from_ref(value),
    };
    let texts: Vec<String> = items
        .iter()
        .map(|item| one(parameter, item))
        .collect::<Result<_, _>>()?;
    let is_given = !texts.is_empty() || parameter.source.takes_array();
    Ok(is_given.then_some(Given::Texts(texts)))
}

fn flag(parameter: &Parameter<'_>, value: &Value) -> Result<Option<Given>, Error> {
    let is_on = parameter.source.default() == Some(&Value::Bool(true));
    match value {
        Value::Bool(true) => Ok(Some(Given::Set)),
        Value::Bool(false) if is_on => Err(Error::AlwaysOn {
            name: parameter.property.clone(),
        }),
        Value::Bool(false) => Ok(None),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Err(wrong(parameter, "true or false", value))
        }
    }
}

/// One value as the text that it is written as.
fn one(parameter: &Parameter<'_>, value: &Value) -> Result<String, Error> {
    let written = match (&parameter.shape.one, value) {
        (One::Text | One::Json, Value::String(text)) => text.clone(),
        (One::Text, _) => return Err(wrong(parameter, "text", value)),
        (One::Json, value) => value.to_string(),
        (One::Integer, value) => integer(value).ok_or_else(|| wrong(parameter, "a whole number", value))?,
        (One::Number, Value::Number(number)) => number.to_string(),
        (One::Number, _) => return Err(wrong(parameter, "a number", value)),
        (One::Boolean, Value::Bool(truth)) => truth.to_string(),
        (One::Boolean, _) => return Err(wrong(parameter, "true or false", value)),
        (One::Choice(choices), value) => {
            let same =
                |choice: &&Value| *choice == value || (!value.is_array() && text(choice) == text(value));
            let choice = choices.iter().find(same).ok_or_else(|| Error::NoChoice {
                name: parameter.property.clone(),
                given: text(value),
                choices: choices.iter().map(text).collect(),
            })?;
            text(choice)
        }
    };
    if written.contains('\0') {
        return Err(Error::Unwritable {
            name: parameter.property.clone(),
            given: written,
        });
    }
    Ok(written)
}

/// A whole number, also where the provider wrote `5.0`.
fn integer(value: &Value) -> Option<String> {
    if value.is_i64() || value.is_u64() {
        return Some(value.to_string());
    }
    let number = value
        .as_f64()
        .filter(|number| number.fract() == 0.0 && number.abs() < EXACT)?;
    Some(format!("{number:.0}"))
}

fn wrong(parameter: &Parameter<'_>, expected: &'static str, given: &Value) -> Error {
    Error::WrongType {
        name: parameter.property.clone(),
        expected,
        given: given.to_string(),
    }
}

/// Options name those that they cannot stand beside by name or by flag.
fn check_exclusive(parameters: &[Parameter<'_>], values: &Values) -> Result<(), Error> {
    let present = || {
        parameters
            .iter()
            .filter(|parameter| values.contains_key(&parameter.property))
    };
    for one in present() {
        let Source::Option { option, .. } = &one.source else {
            continue;
        };
        let excludes = |other: &&Parameter<'_>| {
            let is_named = |name: &String| match &other.source {
                Source::Option { option, .. } => {
                    option.option.name == *name || option.flags.contains(&name.as_str())
                }
                Source::Argument(argument) => argument.name == *name,
            };
            !std::ptr::eq(one, *other) && option.option.exclusive.iter().any(is_named)
        };
        if let Some(other) = present().find(excludes) {
            return Err(Error::Exclusive {
                one: one.property.clone(),
                other: other.property.clone(),
            });
        }
    }
    Ok(())
}

/// A positional is told by its place, so none before it may be missing and only one may be a list.
fn check_places(parameters: &[Parameter<'_>], values: &Values) -> Result<(), Error> {
    let (mut missing, mut list): (Option<&str>, Option<&str>) = (None, None);
    for parameter in parameters.iter().filter(|parameter| parameter.is_positional()) {
        let name = parameter.property.as_str();
        if !values.contains_key(name) {
            missing = missing.or(Some(name));
            continue;
        }
        if let Some(before) = missing {
            return Err(Error::Gap {
                name: name.to_owned(),
                before: before.to_owned(),
            });
        }
        if parameter.shape.count == Count::Many {
            if let Some(one) = list {
                return Err(Error::TwoLists {
                    one: one.to_owned(),
                    other: name.to_owned(),
                });
            }
            list = Some(name);
        }
    }
    Ok(())
}
