//! The JSON Schema that metadata gives for a value, as far as it is passed on.
//!
//! It is a stranger's: known keywords only, no references, prose made visible, bounded in depth and number. What does
//! not fit is not passed on at all, rather than in part: half a schema says something else.

use serde_json::{Map, Value};

use super::prose::line;

/// How deep it may be.
const DEPTH: usize = 5;
/// How many schemas it may consist of.
const SCHEMAS: usize = 200;
/// How many values one list may have.
const VALUES: usize = 250;
/// How long a text in it may be.
const LENGTH: usize = 500;

/// Returns `schema` as it is passed on, or nothing where that is not possible.
pub(crate) fn passed_on(schema: &Value, is_allowed: &dyn Fn(&str) -> bool) -> Option<Value> {
    let mut left = SCHEMAS;
    Walk { is_allowed }.schema(schema, DEPTH, &mut left)
}

struct Walk<'a> {
    is_allowed: &'a dyn Fn(&str) -> bool,
}

impl Walk<'_> {
    fn schema(&self, schema: &Value, depth: usize, left: &mut usize) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        let mut out = Map::new();
        for (key, value) in schema.as_object()? {
            let kept = match key.as_str() {
                "$schema" | "$id" | "$comment" | "examples" | "deprecated" | "readOnly" | "writeOnly" => {
                    continue;
                }
                key if key.starts_with("x-") => continue,
                "title" | "description" => Value::from(line(value.as_str()?, LENGTH)),
                "type" => types(value)?,
                "format" | "pattern" => Value::from(clean(value.as_str()?)?),
                "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                    number(value)?
                }
                "minLength" | "maxLength" | "minItems" | "maxItems" => Value::from(value.as_u64()?),
                "uniqueItems" => Value::from(value.as_bool()?),
                "enum" | "required" => scalars(value)?,
                "const" | "default" => scalar(value)?,
                "items" => self.schema(value, depth, left)?,
                "additionalProperties" if value.is_boolean() => value.clone(),
                "additionalProperties" => self.schema(value, depth, left)?,
                "properties" => self.properties(value, depth, left)?,
                "anyOf" => {
                    let all = value.as_array()?.iter().map(|one| self.schema(one, depth, left));
                    Value::Array(all.collect::<Option<Vec<_>>>()?)
                }
                _ => return None,
            };
            out.insert(key.clone(), kept);
        }
        Some(Value::Object(out))
    }

    fn properties(&self, value: &Value, depth: usize, left: &mut usize) -> Option<Value> {
        let mut out = Map::new();
        for (name, schema) in value.as_object()? {
            if !(self.is_allowed)(name) {
                return None;
            }
            out.insert(name.clone(), self.schema(schema, depth, left)?);
        }
        Some(Value::Object(out))
    }
}

fn types(value: &Value) -> Option<Value> {
    let known = [
        "string", "integer", "number", "boolean", "object", "array", "null",
    ];
    known.contains(&value.as_str()?).then(|| value.clone())
}

fn number(value: &Value) -> Option<Value> {
    value.is_number().then(|| value.clone())
}

fn clean(text: &str) -> Option<&str> {
    let is_clean = text.len() <= LENGTH && !text.contains(argrail_acli::is_invisible);
    is_clean.then_some(text)
}

fn scalar(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => clean(text).map(Value::from),
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

fn scalars(value: &Value) -> Option<Value> {
    let items = value.as_array().filter(|items| items.len() <= VALUES)?;
    items
        .iter()
        .map(scalar)
        .collect::<Option<Vec<_>>>()
        .map(Value::Array)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_known_is_passed_on_whole_or_not_at_all() {
        let check = |given: Value, want: Option<Value>| {
            assert_eq!(passed_on(&given, &|name| name != "bad name"), want, "{given}");
        };
        let object = json!({
            "type": "object",
            "properties": {"a": {"type": "string", "minLength": 1}, "b": {"type": "array", "items": {"enum": [1, 2]}}},
            "required": ["a"],
            "additionalProperties": false,
        });
        check(object.clone(), Some(object));
        check(
            json!({"$schema": "x", "x-own": 1, "description": "a\u{202e}b\nc", "type": "string"}),
            Some(json!({"description": "ab c", "type": "string"})),
        );
        for refused in [
            json!({"$ref": "#/x"}),
            json!({"type": "any"}),
            json!({"type": ["string", "null"]}),
            json!({"allOf": []}),
            json!({"properties": {"bad name": {}}}),
            json!({"enum": [{}]}),
            json!({"pattern": "a\u{200b}"}),
            json!({"items": {"items": {"items": {"items": {"items": {}}}}}}),
            json!({"anyOf": vec![json!({}); 201]}),
            json!([]),
            json!(null),
        ] {
            check(refused, None);
        }
    }
}
