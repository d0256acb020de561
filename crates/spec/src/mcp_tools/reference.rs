//! References inside one schema: `#/$defs/NAME` and the like. No other document is ever looked for.

use serde_json::{Map, Value};

use super::room::Room;

/// How many references may lead to one another.
const STEPS: usize = 8;
/// Where schemas keep what they refer to.
const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// Returns the object that a schema means: itself, or what its `$ref` leads to in `root`.
///
/// None when it is no object, or leads nowhere, in a circle, or out of the document.
pub(super) fn resolve<'s>(root: &'s Value, schema: &'s Value) -> Option<&'s Map<String, Value>> {
    let mut object = schema.as_object()?;
    for _ in 0..STEPS {
        let Some(reference) = object.get("$ref") else {
            return Some(object);
        };
        let pointer = reference.as_str()?.strip_prefix('#')?;
        object = root.pointer(pointer)?.as_object()?;
    }
    None
}

/// Returns a schema that stands alone, with the definitions of `root` that it may refer to; none when there is no room
/// for them.
pub(super) fn alone(root: &Value, schema: &Value, room: &mut Room) -> Option<Value> {
    if !room.take(schema) {
        return None;
    }
    let mut schema = schema.clone();
    if !refers(&schema) {
        return Some(schema);
    }
    if let Value::Object(own) = &mut schema {
        for name in DEFINITIONS {
            if let (Some(definitions), false) = (root.get(name), own.contains_key(name)) {
                if !room.take(definitions) {
                    return None;
                }
                own.insert(name.to_owned(), definitions.clone());
            }
        }
    }
    Some(schema)
}

/// Whether a reference may stand anywhere in a value: a text that begins as one does.
fn refers(value: &Value) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) if text.starts_with("#/") => return true,
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn references_stay_in_the_document() {
        let root = json!({"$defs": {
            "Mode": {"enum": ["a"]},
            "Again": {"$ref": "#/$defs/Mode"},
            "Loop": {"$ref": "#/$defs/Loop"},
            "No": 7,
        }});
        let check = |reference: Value, want: Option<Value>| {
            let schema = json!({"$ref": reference});
            let found = resolve(&root, &schema).map(|object| Value::Object(object.clone()));
            assert_eq!(found, want, "{schema}");
        };
        check(json!("#/$defs/Mode"), Some(json!({"enum": ["a"]})));
        check(json!("#/$defs/Again"), Some(json!({"enum": ["a"]})));
        for lost in [
            "#/$defs/Loop",
            "#/$defs/No",
            "#/nowhere",
            "https://x.example/s.json",
            "other.json#/a",
            "",
        ] {
            check(json!(lost), None);
        }
        check(json!(7), None);
        assert!(resolve(&root, &json!(true)).is_none());
    }

    #[test]
    fn what_is_kept_brings_what_it_refers_to() {
        let root = json!({"$defs": {"A": {"type": "string"}}});
        let check = |schema: Value, want: Value| {
            assert_eq!(alone(&root, &schema, &mut Room::of_tool()), Some(want));
        };
        check(json!({"type": "object"}), json!({"type": "object"}));
        check(
            json!({"items": {"$ref": "#/$defs/A"}}),
            json!({"items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}),
        );
        check(json!(true), json!(true));
        let large = json!({"$defs": {"A": "x".repeat(300_000)}});
        assert_eq!(
            alone(&large, &json!({"$ref": "#/$defs/A"}), &mut Room::of_tool()),
            None
        );
    }
}
