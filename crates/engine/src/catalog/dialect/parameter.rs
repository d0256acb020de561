//! One option or argument, however a program writes it.
//!
//! Flags may be a list, one text as help prints it (`-o, --out <FILE>`), or `long` and `short` without dashes. What
//! says nothing of a value takes none: a flag that swallowed the next word would change the meaning of a command.

use argrail_spec::atip::{Argument, Extra, Kind, Opt};
use serde_json::{Map, Value};

use super::budget::{cut, is_name};
use super::wording::{DEFAULT, DESCRIPTION, ENVIRONMENT, REPEATS, VALUES, first, is_set, kind, text, texts};

/// What the list is called that an item stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Options,
    Arguments,
    Either,
}

/// What an item is.
#[derive(Debug, PartialEq)]
pub(super) enum Parameter {
    Option(Opt),
    Argument(Argument),
}

/// The most values that are listed for one parameter.
const VALUES_MOST: usize = 500;

/// Reads one item. `key` is its name where the list is a map.
pub(super) fn read(key: Option<&str>, item: &Value, list: List) -> Option<Parameter> {
    let empty = Map::new();
    let (object, bare) = match item {
        Value::Object(object) => (object, None),
        // `"options": ["--force", "-o, --out <FILE>"]` or `{"force": "Overwrite"}`.
        Value::String(word) => (&empty, Some(word.as_str())),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    let named = key.or_else(|| ["name", "id"].iter().find_map(|key| object.get(*key)?.as_str()));
    let spelt = match (key, bare) {
        (None, Some(word)) => Flags::of_text(word),
        (Some(_) | None, _) => Flags::of(object, named),
    };
    let mut description = text(object, DESCRIPTION).unwrap_or_default();
    if let (Some(_), Some(word)) = (key, bare) {
        description = cut(word);
    }
    if is_option(object, &spelt, list) {
        let flags = match spelt.flags.is_empty() {
            true => vec![dashed(named?)?],
            false => spelt.flags,
        };
        let longest = flags.iter().max_by_key(|flag| flag.len())?;
        let name = longest.trim_start_matches('-').to_owned();
        let values = values(object);
        return Some(Parameter::Option(Opt {
            name,
            kind: option_kind(object, values.as_deref(), spelt.takes_value),
            description,
            required: Some(true).filter(|_| is_set(object, &["required"])),
            default: default(object),
            values,
            env_var: text(object, ENVIRONMENT).filter(|name| is_name(name)),
            variadic: Some(true).filter(|_| is_set(object, REPEATS)),
            flags,
            exclusive: Vec::new(),
            pattern: None,
            schema: None,
            extra: Extra::new(),
        }));
    }
    let name = bare.filter(|_| key.is_none()).or(named)?;
    let bracketed = name.starts_with('[');
    let name = name.trim_matches(['<', '>', '[', ']', '.', ' ']);
    if !is_name(name) {
        return None;
    }
    let values = values(object);
    let required = object.get("required").and_then(Value::as_bool);
    Some(Parameter::Argument(Argument {
        name: name.to_owned(),
        kind: argument_kind(object, values.as_deref()),
        description,
        required: required.or(Some(false).filter(|_| bracketed || object.contains_key("optional"))),
        default: default(object),
        variadic: Some(true).filter(|_| is_set(object, REPEATS) || takes_many(object)),
        values,
        pattern: None,
        schema: None,
        extra: Extra::new(),
    }))
}

/// What an item's flags are, and whether their text shows a value.
#[derive(Debug, Default, PartialEq)]
struct Flags {
    flags: Vec<String>,
    takes_value: bool,
}

impl Flags {
    fn of(object: &Map<String, Value>, named: Option<&str>) -> Self {
        let mut all = Self::default();
        for key in ["flags", "opts", "flag", "option", "aliases", "secondary_opts"] {
            for text in object.get(key).map(texts).unwrap_or_default() {
                let spelt = Self::of_text(text);
                all.takes_value |= spelt.takes_value;
                all.flags.extend(spelt.flags);
                if !text.contains('-') && key == "aliases" {
                    all.flags.extend(dashed(text));
                }
            }
        }
        for key in ["short", "long", "shorthand"] {
            // `short` is a description in some programs.
            let word = object.get(key).and_then(Value::as_str);
            let plain = word.filter(|word| !word.is_empty() && !word.contains(char::is_whitespace));
            let fits =
                plain.filter(|word| key == "long" || word.trim_start_matches('-').chars().count() == 1);
            all.flags.extend(fits.and_then(dashed));
        }
        if let Some(name) = named.filter(|name| name.starts_with('-')) {
            let spelt = Self::of_text(name);
            all.takes_value |= spelt.takes_value;
            all.flags.extend(spelt.flags);
        }
        let mut seen = Vec::new();
        all.flags.retain(|flag| {
            let new = !seen.contains(flag);
            seen.push(flag.clone());
            new
        });
        all
    }

    /// Reads `-o, --out <FILE>`.
    fn of_text(text: &str) -> Self {
        let mut all = Self::default();
        for word in text.split([',', ' ', '|']).filter(|word| !word.is_empty()) {
            let (flag, value) = match word.split_once(['=', '<']) {
                Some((flag, _)) => (flag.trim_end_matches('['), true),
                None => (word, false),
            };
            if word.starts_with('-') {
                all.flags.extend(dashed(flag));
                all.takes_value |= value;
            } else {
                all.takes_value |= word.starts_with(['<', '[']);
            }
        }
        if all.flags.is_empty() {
            all.takes_value = false;
        }
        all
    }
}

/// Returns a flag with its dashes, if it can be one.
fn dashed(word: &str) -> Option<String> {
    let bare = word.trim_start_matches('-');
    let dashes = word.len() - bare.len();
    if !is_name(bare) || dashes > 2 || bare.contains(['<', '>', '=', '"', '\'']) {
        return None;
    }
    Some(match dashes {
        0 if bare.chars().count() == 1 => format!("-{bare}"),
        0 => format!("--{bare}"),
        _ => word.to_owned(),
    })
}

fn is_option(object: &Map<String, Value>, spelt: &Flags, list: List) -> bool {
    if let Some(positional) = object.get("positional").and_then(Value::as_bool) {
        return !positional;
    }
    let said = ["param_type_name", "in", "location"]
        .iter()
        .find_map(|key| object.get(*key)?.as_str());
    match (said, list) {
        (Some("argument" | "positional"), _) => false,
        (Some("option" | "flag"), _) | (Some(_) | None, List::Options) => true,
        (Some(_) | None, List::Arguments | List::Either) => !spelt.flags.is_empty(),
    }
}

fn option_kind(object: &Map<String, Value>, values: Option<&[Value]>, shows_value: bool) -> Kind {
    if ["is_flag", "isFlag"]
        .iter()
        .any(|key| object.get(*key).and_then(Value::as_bool) == Some(true))
    {
        return Kind::Boolean;
    }
    let takes = ["takes_value", "takesValue", "hasValue", "has_value"]
        .iter()
        .find_map(|key| object.get(*key)?.as_bool());
    match (takes, said_kind(object)) {
        (Some(false), _) => Kind::Boolean,
        (Some(true), Some(Kind::Boolean)) => Kind::String,
        (_, _) if values.is_some() => Kind::Enum,
        (_, Some(kind)) => kind,
        (Some(true), None) => Kind::String,
        (None, None) => {
            let named = ["value_name", "valueName", "metavar", "value", "placeholder"]
                .iter()
                .any(|key| object.get(*key).is_some_and(|value| !value.is_null()));
            let default = default(object).is_some_and(|value| !value.is_boolean());
            if shows_value || named || default || arguments_of(object) {
                Kind::String
            } else {
                Kind::Boolean
            }
        }
    }
}

/// OpenCLI's options have arguments of their own.
fn arguments_of(object: &Map<String, Value>) -> bool {
    object
        .get("arguments")
        .and_then(Value::as_array)
        .is_some_and(|items| !items.is_empty())
}

fn argument_kind(object: &Map<String, Value>, values: Option<&[Value]>) -> Kind {
    match (values, said_kind(object)) {
        (Some(_), _) => Kind::Enum,
        // Nothing can be given in a place of its own to say no.
        (None, Some(Kind::Boolean | Kind::Enum) | None) => Kind::String,
        (None, Some(kind)) => kind,
    }
}

fn said_kind(object: &Map<String, Value>) -> Option<Kind> {
    let said = first(object, &["type", "value_type", "valueType", "kind"]).and_then(kind);
    // A list of values that is not given is any text.
    said.map(|kind| if kind == Kind::Enum { Kind::String } else { kind })
}

fn values(object: &Map<String, Value>) -> Option<Vec<Value>> {
    let listed = first(object, VALUES)
        .or_else(|| first(object.get("type")?.as_object()?, &["choices"]))?
        .as_array()?;
    let plain = |value: &Value| match value {
        Value::String(text) => Some(Value::String(cut(text))),
        Value::Number(_) | Value::Bool(_) => Some(value.clone()),
        Value::Object(object) => object
            .get("name")
            .or_else(|| object.get("value"))?
            .as_str()
            .map(|text| Value::String(cut(text))),
        Value::Null | Value::Array(_) => None,
    };
    let values: Vec<Value> = listed.iter().filter_map(plain).take(VALUES_MOST).collect();
    Some(values).filter(|values| !values.is_empty())
}

/// Only plain values: what is shown as a default is never sent.
fn default(object: &Map<String, Value>) -> Option<Value> {
    let value = match first(object, DEFAULT)? {
        Value::Array(items) => match items.as_slice() {
            [one] => one,
            _ => return None,
        },
        value => value,
    };
    match value {
        Value::String(text) => Some(Value::String(cut(text))),
        Value::Number(_) | Value::Bool(_) => Some(value.clone()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a count says that there may be several: click's `nargs: -1`, OpenCLI's arity.
fn takes_many(object: &Map<String, Value>) -> bool {
    if object.get("nargs").and_then(Value::as_i64) == Some(-1) {
        return true;
    }
    let Some(arity) = object.get("arity").and_then(Value::as_object) else {
        return false;
    };
    match arity.get("maximum") {
        None | Some(Value::Null) => true,
        Some(most) => most.as_u64().is_some_and(|most| most > 1),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn option(item: Value) -> Opt {
        match read(None, &item, List::Options) {
            Some(Parameter::Option(option)) => option,
            other => panic!("{item}: {other:?}"),
        }
    }

    fn argument(item: Value) -> Argument {
        match read(None, &item, List::Arguments) {
            Some(Parameter::Argument(argument)) => argument,
            other => panic!("{item}: {other:?}"),
        }
    }

    #[test]
    fn flags_are_found_however_they_are_written() {
        let check = |item: Value, flags: &[&str], kind: Kind| {
            let option = option(item.clone());
            assert_eq!(option.flags, flags, "{item}");
            assert_eq!(option.kind, kind, "{item}");
        };
        check(
            json!({"flags": ["-o", "--out"], "type": "path"}),
            &["-o", "--out"],
            Kind::File,
        );
        check(
            json!({"flags": "-o, --out <FILE>"}),
            &["-o", "--out"],
            Kind::String,
        );
        check(json!({"flags": "-f, --force"}), &["-f", "--force"], Kind::Boolean);
        check(json!({"flags": "--level[=<n>]"}), &["--level"], Kind::String);
        check(
            json!({"long": "color", "choices": ["a", "b"]}),
            &["--color"],
            Kind::Enum,
        );
        check(
            json!({"long": "jobs", "short": "j", "value_name": "N"}),
            &["-j", "--jobs"],
            Kind::String,
        );
        check(json!({"name": "verbose"}), &["--verbose"], Kind::Boolean);
        check(json!({"name": "v"}), &["-v"], Kind::Boolean);
        check(
            json!({"name": "--in", "aliases": ["i"], "takes_value": true}),
            &["-i", "--in"],
            Kind::String,
        );
        check(
            json!({"name": "n", "param_type_name": "option", "opts": ["--n"], "type": {"param_type": "Int", "name": "integer"}}),
            &["--n"],
            Kind::Integer,
        );
        check(
            json!({"name": "x", "is_flag": true, "type": "text"}),
            &["-x"],
            Kind::Boolean,
        );
        check(json!("-q | --quiet"), &["-q", "--quiet"], Kind::Boolean);
        check(
            json!({"name": "o", "arguments": [{"name": "F"}]}),
            &["-o"],
            Kind::String,
        );
        check(
            json!({"name": "single", "flag": "-upgrade"}),
            &["-upgrade"],
            Kind::Boolean,
        );
        assert_eq!(
            option(json!({"long": "n", "default": ["5"]})).default,
            Some(json!("5"))
        );
        assert_eq!(
            option(json!({"long": "n", "env": "N_OF"})).env_var.as_deref(),
            Some("N_OF")
        );
        assert_eq!(read(None, &json!({"name": "a b"}), List::Options), None);
        assert_eq!(read(None, &json!(7), List::Options), None);
    }

    #[test]
    fn arguments_are_told_from_options() {
        assert_eq!(argument(json!({"name": "file", "type": "file"})).kind, Kind::File);
        assert_eq!(argument(json!("<FILE>...")).name, "FILE");
        assert_eq!(argument(json!("[DIR]")).required, Some(false));
        assert_eq!(argument(json!({"name": "x", "nargs": -1})).variadic, Some(true));
        assert_eq!(
            argument(json!({"name": "x", "arity": {"minimum": 0}})).variadic,
            Some(true)
        );
        assert_eq!(
            argument(json!({"name": "x", "arity": {"maximum": 1}})).variadic,
            None
        );
        assert!(matches!(
            read(
                None,
                &json!({"name": "--layer", "positional": false}),
                List::Arguments
            ),
            Some(Parameter::Option(_))
        ));
        assert!(matches!(
            read(None, &json!({"name": "layer", "positional": true}), List::Options),
            Some(Parameter::Argument(_))
        ));
        assert!(matches!(
            read(None, &json!({"name": "x", "long": "x"}), List::Either),
            Some(Parameter::Option(_))
        ));
        assert!(matches!(
            read(Some("force"), &json!("Overwrite"), List::Options),
            Some(Parameter::Option(option)) if option.description == "Overwrite" && option.flags == ["--force"]
        ));
    }
}
