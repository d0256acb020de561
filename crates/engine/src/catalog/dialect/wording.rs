//! The spellings of one thing in different programs' JSON.

use argrail_spec::atip::Kind;
use serde_json::{Map, Value};

use super::budget::cut;

pub(super) const NAME: &[&str] = &["name", "command", "cmd", "path", "id"];
pub(super) const DESCRIPTION: &[&str] = &[
    "description",
    "summary",
    "about",
    "help",
    "short",
    "long",
    "doc",
    "title",
];
pub(super) const COMMANDS: &[&str] = &[
    "commands",
    "subcommands",
    "subCommands",
    "sub_commands",
    "children",
    "tools",
];
pub(super) const GLOBALS: &[&str] = &[
    "globalOptions",
    "global_options",
    "globalFlags",
    "global_flags",
    "globals",
    "persistentFlags",
    "persistent_flags",
];
/// Lists whose items are options unless they say otherwise.
pub(super) const OPTIONS: &[&str] = &["options", "flags"];
/// Lists whose items are arguments unless they look like options.
pub(super) const ARGUMENTS: &[&str] = &["arguments", "args", "positionals", "positional"];
/// Lists that say of each item what it is, and JSON Schemas.
pub(super) const PARAMETERS: &[&str] = &["params", "parameters", "inputSchema", "input_schema", "inputs"];
pub(super) const VALUES: &[&str] = &[
    "enum",
    "choices",
    "acceptedValues",
    "accepted_values",
    "possible_values",
    "possibleValues",
    "values",
];
pub(super) const DEFAULT: &[&str] = &["default", "defaultValue", "default_value"];
pub(super) const ENVIRONMENT: &[&str] = &["envVar", "env", "envvar", "env_var"];
pub(super) const REPEATS: &[&str] = &["variadic", "multiple", "repeatable", "repeated"];

/// Returns the first of these keys that holds something.
pub(super) fn first<'v>(object: &'v Map<String, Value>, keys: &[&str]) -> Option<&'v Value> {
    keys.iter()
        .filter_map(|key| object.get(*key))
        .find(|value| !value.is_null())
}

/// Returns the first of these keys that holds text, cut.
pub(super) fn text(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let texts = keys.iter().filter_map(|key| object.get(*key)?.as_str());
    texts.map(cut).find(|text| !text.is_empty())
}

/// Whether one of these keys says yes.
pub(super) fn is_set(object: &Map<String, Value>, keys: &[&str]) -> bool {
    keys.iter()
        .any(|key| object.get(*key).and_then(Value::as_bool) == Some(true))
}

/// Returns the texts of a list; a single text is a list of one.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Reads the name of a type. An object may name it too, as click's do.
pub(super) fn kind(value: &Value) -> Option<Kind> {
    let word = match value {
        Value::String(word) => word.as_str(),
        Value::Object(object) => ["name", "type", "param_type"]
            .iter()
            .find_map(|key| object.get(*key)?.as_str())?,
        Value::Array(items) => items
            .iter()
            .filter_map(Value::as_str)
            .find(|word| *word != "null")?,
        Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    let word = word.trim().to_ascii_lowercase();
    Some(match word.as_str() {
        "int" | "integer" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" | "uint" | "int64"
        | "count" => Kind::Integer,
        "number" | "float" | "f32" | "f64" | "double" | "decimal" => Kind::Number,
        "bool" | "boolean" | "flag" | "switch" => Kind::Boolean,
        "file" | "path" | "filename" | "filepath" | "pathbuf" => Kind::File,
        "dir" | "directory" | "folder" => Kind::Directory,
        "url" | "uri" => Kind::Url,
        "enum" | "choice" => Kind::Enum,
        "array" | "list" | "[]string" | "string[]" | "stringarray" | "stringslice" => Kind::Array,
        _ => Kind::String,
    })
}
