//! One property of an `inputSchema` as an option.

use serde_json::{Map, Value};

use super::name::flag;
use super::reference::{alone, resolve};
use super::room::Room;
use super::schema::{Form, Shape, shape};
use crate::atip::{Extra, Kind, Opt};

/// Marks an option whose value is JSON text.
pub(crate) const JSON_TEXT: &str = "x-json";
/// Marks an option whose value may be a whole list, as a JSON array.
pub(crate) const JSON_LIST: &str = "x-json-list";
/// Marks an option that stands for all others.
pub(crate) const WHOLE: &str = "x-whole";
/// What its description says besides.
const JSON_HINT: &str = "(as JSON text)";

/// Whether a property must be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    Required,
    Optional,
}

/// An option, and what became of its schema.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) option: Opt,
    pub(super) kept: Kept,
}

/// What became of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// Everything that it says is in the option.
    All,
    /// It was too large or too deep: the option says less than the schema.
    Part,
}

/// Reads the property `name` of `root`.
///
/// # Errors
/// Why it cannot be written as a flag.
pub(super) fn option(
    root: &Value,
    name: &str,
    schema: &Value,
    need: Need,
    room: &mut Room,
) -> Result<Read, &'static str> {
    let flag = flag(name)?;
    let mut shape = shape(root, schema);
    let mut kept = Kept::All;
    if !shape.values.as_ref().is_none_or(|values| room.take_all(values)) {
        // An option that listed only some values would refuse the others.
        shape.kind = Kind::String;
        shape.values = None;
        kept = Kept::Part;
    }
    let says_something = schema.as_object().is_some_and(|object| !object.is_empty());
    let mut whole = None;
    if shape.says_more && says_something {
        whole = alone(root, schema, room);
        if whole.is_none() {
            kept = Kept::Part;
        }
    }
    let meant = resolve(root, schema);
    let default = schema.get("default").or_else(|| meant?.get("default"));
    let default = default.and_then(|default| fitting(&shape, default));
    let option = Opt {
        name: name.to_owned(),
        flags: vec![flag],
        kind: shape.kind,
        description: description(schema, meant, shape.form, room),
        required: (need == Need::Required).then_some(true),
        default: default.filter(|default| room.take(default)),
        variadic: (shape.kind == Kind::Array).then_some(true),
        values: shape.values,
        env_var: None,
        exclusive: Vec::new(),
        pattern: shape.pattern,
        schema: whole,
        extra: match (shape.form, shape.kind) {
            (Form::Json, _) => Extra::from_iter([(JSON_TEXT.to_owned(), true.into())]),
            // `--x=false` is not the same as nothing: the server may take nothing for true.
            (Form::Word, Kind::Boolean) => Extra::from_iter([("x-takes".to_owned(), "boolean".into())]),
            (Form::Word, Kind::Array) => Extra::from_iter([(JSON_LIST.to_owned(), true.into())]),
            (
                Form::Word,
                Kind::String
                | Kind::Integer
                | Kind::Number
                | Kind::File
                | Kind::Directory
                | Kind::Url
                | Kind::Enum,
            ) => Extra::new(),
        },
    };
    Ok(Read { option, kept })
}

fn description(schema: &Value, meant: Option<&Map<String, Value>>, form: Form, room: &mut Room) -> String {
    let text = |key: &str| {
        let own = schema.get(key).and_then(Value::as_str);
        own.or_else(|| meant?.get(key)?.as_str())
            .filter(|text| !text.trim().is_empty())
    };
    let said = text("description").or_else(|| text("title")).unwrap_or_default();
    let said = room.prose(said);
    match form {
        Form::Word => said,
        Form::Json if said.is_empty() => JSON_HINT.to_owned(),
        Form::Json => format!("{said} {JSON_HINT}"),
    }
}

/// Returns a default as the option would take it, if it is one.
fn fitting(shape: &Shape, default: &Value) -> Option<Value> {
    if default.is_null() {
        return None;
    }
    if shape.form == Form::Json {
        return Some(default.to_string().into());
    }
    let is_word = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
    let fits = match shape.kind {
        Kind::String | Kind::File | Kind::Directory | Kind::Url => default.is_string(),
        Kind::Integer => default.is_i64() || default.is_u64(),
        Kind::Number => default.is_number(),
        Kind::Boolean => default.is_boolean(),
        Kind::Enum => shape
            .values
            .as_ref()
            .is_some_and(|values| values.contains(default)),
        Kind::Array => default.as_array().is_some_and(|items| items.iter().all(is_word)),
    };
    fits.then(|| default.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(schema: &Value) -> Read {
        option(&json!({}), "it", schema, Need::Optional, &mut Room::of_tool()).unwrap()
    }

    #[test]
    fn defaults_fit_the_option_or_are_none() {
        let check = |schema: Value, want: Option<Value>| {
            assert_eq!(read(&schema).option.default, want, "{schema}");
        };
        check(json!({"type": "string", "default": "x"}), Some(json!("x")));
        check(json!({"type": "string", "default": 7}), None);
        check(json!({"type": "string", "default": null}), None);
        check(json!({"type": "integer", "default": 7}), Some(json!(7)));
        check(json!({"type": "integer", "default": 7.5}), None);
        check(json!({"type": "boolean", "default": false}), Some(json!(false)));
        check(json!({"enum": ["a", "b"], "default": "b"}), Some(json!("b")));
        check(json!({"enum": ["a", "b"], "default": "c"}), None);
        check(
            json!({"type": "array", "items": {"type": "string"}, "default": ["a"]}),
            Some(json!(["a"])),
        );
        check(
            json!({"type": "object", "default": {"a": 1}}),
            Some(json!("{\"a\":1}")),
        );
        check(json!({"type": "object", "default": "x".repeat(300_000)}), None);
    }

    #[test]
    fn what_finds_no_room_leaves_an_option_that_takes_more() {
        let values: Vec<String> = (0..400).map(|n| format!("{n}{}", "x".repeat(1_000))).collect();
        let Read { option, kept } = read(&json!({"enum": values}));
        assert_eq!(
            (option.kind, option.values, kept),
            (Kind::String, None, Kept::Part)
        );
        let deep = (0..60).fold(json!({}), |inner, _| json!({"items": inner}));
        let Read { option, kept } = read(&deep);
        assert_eq!((option.schema, kept), (None, Kept::Part));
        assert_eq!(option.extra.get(JSON_TEXT), Some(&true.into()));
    }
}
