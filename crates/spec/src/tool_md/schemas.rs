//! The schemas of a tool: usable ones, and examples that fit them.

use schemars::{SchemaGenerator, json_schema};
use serde_json::Value;

use super::rules::{EXAMPLE, SCHEMA};
use crate::declare::Decode;
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, TYPE};
use crate::tools_json::{ArgumentCheck, Schema, SchemaError};

/// The most characters of somebody else's words about a schema.
const LONGEST: usize = 160;

/// A schema: an object that is one, and whose checks end.
pub(super) struct UsableSchema;

impl Decode<UsableSchema> for Value {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        schema(field, out)
    }

    fn schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({"type": "object"})
    }
}

/// The schema of what goes in, which is always an object of named inputs.
pub(super) struct NamedInputs;

impl Decode<NamedInputs> for Value {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let read = schema(field, out)?;
        let is_object = match read.get("type") {
            None => true,
            Some(Value::Array(types)) => types.iter().any(|one| one == "object"),
            Some(one) => one == "object",
        };
        if !is_object {
            out.push(
                field
                    .refuse(SCHEMA, "inputs have names, so they are an object")
                    .hint("write {type: object, properties: {…}}"),
            );
            return None;
        }
        Some(read)
    }

    fn schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({"type": "object", "properties": {
            "type": {"anyOf": [{"const": "object"}, {"type": "array", "contains": {"const": "object"}}]},
        }})
    }
}

fn schema(field: &Field<'_>, out: &mut Complaints) -> Option<Value> {
    if field.node.as_object().is_none() {
        let what = format!(
            "expected a JSON Schema, which is an object, got {}",
            crate::doc::fields::came(field.node)
        );
        out.push(
            field
                .refuse(TYPE, what)
                .hint("write {type: object, properties: {…}}"),
        );
        return None;
    }
    let value = field.node.to_json();
    if let Err(why) = compiled(&value) {
        let why = match why {
            SchemaError::TooMuch(why) => why.to_string(),
            SchemaError::Invalid(why) => {
                let short: String = why.chars().take(LONGEST).collect();
                format!("it is no JSON Schema: {}", Quoted(&short))
            }
        };
        out.push(
            field
                .refuse(SCHEMA, why)
                .hint("mend the schema: JSON Schema 2020-12"),
        );
        return None;
    }
    Some(value)
}

fn compiled(value: &Value) -> Result<ArgumentCheck, SchemaError> {
    let schema = Schema::new(&value.to_string()).map_err(|error| SchemaError::Invalid(error.to_string()))?;
    ArgumentCheck::new(Some(&schema))
}

/// Complains when the input of an example does not fit.
pub(super) fn example(inputs: &Value, name: &str, input: &Spanned<Value>, out: &mut Complaints) {
    let Ok(check) = compiled(inputs) else { return };
    if let Err(why) = check.check(input.to_string().as_bytes()) {
        let what = format!(
            "the input of the example {} does not fit: {}",
            Quoted(name),
            why.message()
        );
        out.push(
            EXAMPLE
                .error(input.span, what)
                .hint("mend the example, or the inputs"),
        );
    }
}
