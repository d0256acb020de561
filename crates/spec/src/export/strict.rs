//! The strict mode of OpenAI: every property required, what is optional may be `null`, nothing else allowed, and only
//! keywords that the mode knows: no default, no format, no pattern.
//!
//! Its limits are checked here: a schema over them would have the whole request refused, other tools with it.

use serde_json::{Map, Value, json};

use super::parameter::Parameter;
use super::schema::{choices, description, text, type_of};
use super::shape::{Count, One};

/// How many properties a schema may have.
const PROPERTIES: usize = 5_000;
/// How long all names and choices may be together, in characters.
const CHARACTERS: usize = 120_000;
/// How many choices a schema may have.
const CHOICES: usize = 1_000;
/// With more choices than this, one parameter's may not be longer than `MANY_CHARACTERS` together.
const MANY: usize = 250;
const MANY_CHARACTERS: usize = 15_000;

/// Returns the schema of the object that holds all parameters, or nothing where it is over a limit.
pub(crate) fn object(parameters: &[Parameter<'_>]) -> Option<Value> {
    if !is_within_limits(parameters) {
        return None;
    }
    let properties: Map<String, Value> = parameters
        .iter()
        .map(|parameter| (parameter.property.clone(), property(parameter)))
        .collect();
    let required: Vec<&str> = parameters
        .iter()
        .map(|parameter| parameter.property.as_str())
        .collect();
    Some(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

fn is_within_limits(parameters: &[Parameter<'_>]) -> bool {
    let (mut characters, mut count) = (0, 0);
    for parameter in parameters {
        characters += parameter.property.chars().count();
        if let One::Choice(values) = &parameter.shape.one {
            // One more where `null` is added.
            let length: usize = values.iter().map(|value| text(value).chars().count()).sum();
            let number = values.len() + 1;
            if number > MANY && length > MANY_CHARACTERS {
                return false;
            }
            characters += length;
            count += number;
        }
    }
    parameters.len() <= PROPERTIES && characters <= CHARACTERS && count <= CHOICES
}

fn property(parameter: &Parameter<'_>) -> Value {
    let kind = match &parameter.shape.one {
        One::Text | One::Json => "string",
        One::Integer => "integer",
        One::Number => "number",
        One::Boolean => "boolean",
        One::Choice(values) => type_of(values),
    };
    let mut one = Map::new();
    one.insert("type".to_owned(), kind.into());
    if let One::Choice(values) = &parameter.shape.one {
        one.insert("enum".to_owned(), choices(values, kind));
    }
    let mut out = match parameter.shape.count {
        Count::One => one,
        Count::Many => {
            let mut list = Map::new();
            list.insert("type".to_owned(), "array".into());
            list.insert("items".to_owned(), Value::Object(one));
            list
        }
    };
    if !parameter.required {
        allow_null(&mut out);
    }
    let description = description(parameter);
    if !description.is_empty() {
        out.insert("description".to_owned(), description.into());
    }
    Value::Object(out)
}

fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(kind) = schema.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
    if let Some(values) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    }
}
