//! The way back: from the options of a command line to the arguments that a server's tool is called with.
//!
//! Values get the types of the schema that their options were made from. Nothing is guessed and nothing is added: a
//! default stays with the server, and an option that is not there is not mentioned.

use std::borrow::Cow;

use argrail_acli::{Error, Text};
use serde_json::{Map, Number, Value};

use super::list_word::list_items;
use super::option::JSON_TEXT;
use super::schema::{Form, Shape, items};
use crate::atip::{Command, Given, Invoked, Kind, Opt, WHOLE_ID};
use crate::doc::{Document, Limits};

/// How large JSON text may be.
const LIMITS: Limits = Limits {
    bytes: 1 << 20,
    depth: 64,
    nodes: 100_000,
};

/// Why no arguments can be made of a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ArgumentError {
    /// An option, or a word, that the tool has no place for.
    #[error("there is no place for {given:?}")]
    Unknown {
        /// As it was written.
        given: String,
    },
    /// A value that is not of the type.
    #[error("{flag} expects {expected}, got {given:?}")]
    WrongType {
        /// The option.
        flag: String,
        /// What it takes.
        expected: &'static str,
        /// What came.
        given: String,
    },
    /// JSON text that is none.
    #[error("{flag} expects JSON text: {reason}")]
    NotJson {
        /// The option.
        flag: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An option that stands for one value, twice.
    #[error("{flag} is given more than once")]
    Again {
        /// The option.
        flag: String,
    },
    /// All arguments at once, and others beside them.
    #[error("{flag} stands for all arguments, and {other} is given, too")]
    Both {
        /// The option that stands for all.
        flag: String,
        /// The other one.
        other: String,
    },
}

impl ArgumentError {
    /// Returns the refusal of a call of `command`, with the command that shows what it takes.
    pub fn refusal(&self, command: &str) -> Error {
        let what = match self {
            Self::Unknown { given } => Text::new("there is no place for {}").value(given),
            Self::WrongType {
                flag,
                expected,
                given,
            } => Text::new("{} expects {}, got {}")
                .value(flag)
                .word(expected)
                .value(given),
            Self::NotJson { flag, reason } => Text::new("{} expects JSON text: {}").value(flag).value(reason),
            Self::Again { flag } => Text::new("{} is given more than once").value(flag),
            Self::Both { flag, other } => Text::new("{} stands for all arguments, and {} is given, too")
                .value(flag)
                .value(other),
        };
        Error::invalid(
            what,
            Text::new("See what it takes with 'schema' and {}").value(command),
        )
    }
}

/// Returns what the server calls the tool that is the command `name`.
pub fn tool_name<'c>(name: &'c str, command: &'c Command) -> &'c str {
    let original = command.extra.get("x-mcp-tool").and_then(Value::as_str);
    original.unwrap_or(name)
}

/// Returns the arguments that the command line means, for the tool that is `command`.
///
/// # Errors
/// When a value is not of its type, or there is something that the tool has no place for.
pub fn arguments(command: &Command, invoked: &Invoked) -> Result<Map<String, Value>, ArgumentError> {
    if let Some(word) = invoked.words.first() {
        return Err(ArgumentError::Unknown {
            given: word.text.clone(),
        });
    }
    let mut arguments = Map::new();
    for given in &invoked.options {
        if given.name == WHOLE_ID {
            return whole(given, &invoked.options);
        }
        let option = command.options.iter().find(|option| option.name == given.name);
        let option = option.ok_or_else(|| ArgumentError::Unknown {
            given: given.spelt.clone(),
        })?;
        put(&mut arguments, option, given)?;
    }
    Ok(arguments)
}

/// All arguments as they were written.
fn whole(given: &Given, all: &[Given]) -> Result<Map<String, Value>, ArgumentError> {
    let flag = || given.spelt.clone();
    if let Some(other) = all.iter().find(|other| other.name != given.name) {
        return Err(ArgumentError::Both {
            flag: flag(),
            other: other.spelt.clone(),
        });
    }
    let [text] = given.values.as_slice() else {
        return Err(ArgumentError::Again { flag: flag() });
    };
    if all.len() > 1 {
        return Err(ArgumentError::Again { flag: flag() });
    }
    match json(text, &given.spelt)? {
        Value::Object(object) => Ok(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Err(wrong(&given.spelt, "an object", text))
        }
    }
}

fn put(arguments: &mut Map<String, Value>, option: &Opt, given: &Given) -> Result<(), ArgumentError> {
    if option.kind == Kind::Array {
        let shape = option.schema.as_ref().and_then(items);
        let read = |text: Cow<'_, str>| item(shape.as_ref(), &text, &given.spelt);
        let values = given
            .values
            .iter()
            .flat_map(|text| parts(shape.as_ref(), text, &given.spelt));
        let values = values.map(read).collect::<Result<Vec<_>, _>>()?;
        match arguments.get_mut(&option.name) {
            Some(Value::Array(list)) => list.extend(values),
            Some(_) | None => drop(arguments.insert(option.name.clone(), Value::Array(values))),
        }
        return Ok(());
    }
    let value = match given.values.as_slice() {
        [] if option.kind == Kind::Boolean => Value::Bool(!given.negated),
        [text] if option.extra.get(JSON_TEXT) == Some(&Value::Bool(true)) => json(text, &given.spelt)?,
        [text] => one(option.kind, option.values.as_deref(), text, &given.spelt)?,
        [] => return Err(wrong(&given.spelt, "a value", "")),
        [..] => {
            return Err(ArgumentError::Again {
                flag: given.spelt.clone(),
            });
        }
    };
    match arguments.insert(option.name.clone(), value) {
        Some(_) => Err(ArgumentError::Again {
            flag: given.spelt.clone(),
        }),
        None => Ok(()),
    }
}

/// The items of a value of an option that is a list: comma-separated (ACLI §7.2), none in an empty text, or a JSON
/// array. JSON text has commas of its own, and words that stand in the place of an argument are one item each.
fn parts<'t>(shape: Option<&Shape>, text: &'t str, spelt: &str) -> Vec<Cow<'t, str>> {
    let is_json = shape.is_some_and(|shape| shape.form == Form::Json);
    match is_json || !spelt.starts_with('-') {
        true => vec![Cow::Borrowed(text)],
        false => list_items(text),
    }
}

/// One item of a list: a text, unless the schema of the items is known and says otherwise.
fn item(shape: Option<&Shape>, text: &str, flag: &str) -> Result<Value, ArgumentError> {
    match shape {
        None => Ok(text.into()),
        Some(Shape { form: Form::Json, .. }) => json(text, flag),
        Some(shape) => one(shape.kind, shape.values.as_deref(), text, flag),
    }
}

fn one(kind: Kind, values: Option<&[Value]>, text: &str, flag: &str) -> Result<Value, ArgumentError> {
    match kind {
        Kind::Integer => integer(text).ok_or_else(|| wrong(flag, "a whole number", text)),
        Kind::Number => number(text).ok_or_else(|| wrong(flag, "a number", text)),
        Kind::Boolean => truth(text).ok_or_else(|| wrong(flag, "true or false", text)),
        Kind::Enum => {
            let is_meant = |value: &&Value| match value.as_str() {
                Some(word) => word == text,
                None => value.to_string().as_str() == text,
            };
            let meant = values.unwrap_or_default().iter().find(is_meant);
            meant
                .cloned()
                .ok_or_else(|| wrong(flag, "one of its values", text))
        }
        Kind::String | Kind::File | Kind::Directory | Kind::Url | Kind::Array => Ok(text.into()),
    }
}

fn integer(text: &str) -> Option<Value> {
    let signed = text.parse::<i64>().map(Number::from);
    let number = signed.or_else(|_| text.parse::<u64>().map(Number::from));
    number.ok().map(Value::Number)
}

/// As JSON has it where it does; `.5` is a number on a command line, too.
fn number(text: &str) -> Option<Value> {
    if let Some(whole) = integer(text) {
        return Some(whole);
    }
    let number = text.parse::<f64>().ok().and_then(Number::from_f64);
    number.map(Value::Number)
}

fn truth(text: &str) -> Option<Value> {
    match text {
        "true" => Some(true.into()),
        "false" => Some(false.into()),
        _ => None,
    }
}

fn json(text: &str, flag: &str) -> Result<Value, ArgumentError> {
    let document = Document::json(text.as_bytes(), &LIMITS).map_err(|problem| ArgumentError::NotJson {
        flag: flag.to_owned(),
        reason: problem.message,
    })?;
    Ok(document.root.to_json())
}

fn wrong(flag: &str, expected: &'static str, given: &str) -> ArgumentError {
    ArgumentError::WrongType {
        flag: flag.to_owned(),
        expected,
        given: given.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::atip::Word;
    use crate::mcp_tools::metadata;

    /// The command of a tool with these properties.
    fn tool(properties: &Value) -> Command {
        let schema = json!({"type": "object", "properties": properties});
        let tools = json!([{"name": "t", "inputSchema": schema}]);
        let loaded = metadata("server", &Value::Null, &tools).unwrap();
        loaded.metadata.commands["t"].clone()
    }

    /// A command line: options with their values, `--no-x` with a negation.
    fn line(command: &Command, given: &[(&str, &[&str])]) -> Invoked {
        let options = given.iter().map(|(flag, values)| {
            let (flag, negated) = match flag.strip_prefix("--no-") {
                Some(rest) => (format!("--{rest}"), true),
                None => ((*flag).to_owned(), false),
            };
            let option = command.options.iter().find(|option| option.flags.contains(&flag));
            Given {
                name: option.map_or_else(|| flag.clone(), |option| option.name.clone()),
                spelt: flag,
                values: values.iter().map(|value| (*value).to_owned()).collect(),
                negated,
                ..Given::default()
            }
        });
        Invoked {
            options: options.collect(),
            ..Invoked::default()
        }
    }

    fn check(properties: Value, given: &[(&str, &[&str])], want: Result<Value, &str>) {
        let command = tool(&properties);
        let made = arguments(&command, &line(&command, given)).map(Value::Object);
        match (made, want) {
            (Ok(made), Ok(want)) => assert_eq!(made, want, "{given:?}"),
            (Err(error), Err(want)) => {
                let refusal = error.refusal("server t").to_string();
                assert!(
                    refusal.contains(want) && !error.to_string().is_empty(),
                    "{refusal}"
                );
            }
            (made, want) => panic!("{given:?}: {made:?}, not {want:?}"),
        }
    }

    #[test]
    fn values_get_the_types_of_the_schema() {
        let typed = |kind: &str| json!({"a": {"type": kind}});
        check(typed("string"), &[("--a", &["7"])], Ok(json!({"a": "7"})));
        check(typed("string"), &[("--a", &[""])], Ok(json!({"a": ""})));
        check(typed("integer"), &[("--a", &["-7"])], Ok(json!({"a": -7})));
        check(
            typed("integer"),
            &[("--a", &["18446744073709551615"])],
            Ok(json!({"a": u64::MAX})),
        );
        check(typed("number"), &[("--a", &["7"])], Ok(json!({"a": 7})));
        check(typed("number"), &[("--a", &[".5"])], Ok(json!({"a": 0.5})));
        check(typed("number"), &[("--a", &["1e3"])], Ok(json!({"a": 1000.0})));
        check(typed("boolean"), &[("--a", &[])], Ok(json!({"a": true})));
        check(typed("boolean"), &[("--no-a", &[])], Ok(json!({"a": false})));
        check(typed("boolean"), &[("--a", &["false"])], Ok(json!({"a": false})));
        check(
            json!({"a": {"type": ["integer", "null"]}}),
            &[("--a", &["1"])],
            Ok(json!({"a": 1})),
        );
        check(
            json!({"a": {"enum": ["x", 2, true]}}),
            &[("--a", &["2"])],
            Ok(json!({"a": 2})),
        );
        check(
            json!({"a": {"enum": ["2", 2]}}),
            &[("--a", &["2"])],
            Ok(json!({"a": "2"})),
        );
        check(
            typed("object"),
            &[("--a", &["{\"b\":[1,null]}"])],
            Ok(json!({"a": {"b": [1, null]}})),
        );
        check(
            json!({"a": {}}),
            &[("--a", &["\"text\""])],
            Ok(json!({"a": "text"})),
        );
        check(typed("string"), &[], Ok(json!({})));
    }

    #[test]
    fn repeated_options_are_lists() {
        let list = |items: Value| json!({"a": {"type": "array", "items": items}});
        let both: &[(&str, &[&str])] = &[("--a", &["1"]), ("--a", &["2"])];
        check(
            list(json!({"type": "string"})),
            both,
            Ok(json!({"a": ["1", "2"]})),
        );
        check(list(json!({"type": "integer"})), both, Ok(json!({"a": [1, 2]})));
        check(list(json!({"enum": [1, 2]})), both, Ok(json!({"a": [1, 2]})));
        check(
            list(json!({"type": "string"})),
            &[("--a", &["x,y"]), ("--a", &["z"])],
            Ok(json!({"a": ["x", "y", "z"]})),
        );
        check(
            list(json!({"type": "integer"})),
            &[("--a", &["1,2"])],
            Ok(json!({"a": [1, 2]})),
        );
        check(
            list(json!({"type": "string"})),
            &[("--a", &[""])],
            Ok(json!({"a": []})),
        );
        check(
            list(json!({"type": "object"})),
            &[("--a", &["[{}]"])],
            Ok(json!({"a": [{}]})),
        );
        let referring = json!({"a": {"anyOf": [{"type": "array", "items": {"$ref": "#/properties/n"}},
            {"type": "null"}]}, "n": {"type": "number"}});
        check(referring, &[("--a", &["1.5"])], Ok(json!({"a": [1.5]})));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let typed = |kind: &str| json!({"a": {"type": kind}});
        check(
            typed("integer"),
            &[("--a", &["1.5"])],
            Err("expects a whole number, got '1.5'"),
        );
        check(typed("number"), &[("--a", &["inf"])], Err("expects a number"));
        check(
            typed("boolean"),
            &[("--a", &["yes"])],
            Err("expects true or false"),
        );
        check(
            json!({"a": {"enum": ["x"]}}),
            &[("--a", &["y"])],
            Err("one of its values"),
        );
        check(
            typed("object"),
            &[("--a", &["{"])],
            Err("'--a' expects JSON text"),
        );
        check(typed("object"), &[("--a", &["{\"b\":1,\"b\":2}"])], Err("twice"));
        check(
            typed("object"),
            &[("--a", &["[".repeat(1_000).as_str()])],
            Err("deep"),
        );
        check(
            typed("string"),
            &[("--a", &["1"]), ("--a", &["2"])],
            Err("more than once"),
        );
        check(typed("string"), &[("--b", &["1"])], Err("no place for '--b'"));
        check(typed("string"), &[("--a", &[])], Err("expects a value"));
        let command = tool(&json!({}));
        let words = Invoked {
            words: vec![Word {
                text: "stray".into(),
                ..Word::default()
            }],
            ..Invoked::default()
        };
        assert!(arguments(&command, &words).is_err());
    }

    #[test]
    fn all_arguments_at_once_are_taken_as_they_are() {
        let command = tool(&json!({"a": {"type": "integer"}}));
        let check = |given: &[(&str, &[&str])], want: Result<Value, &str>| {
            let mut line = line(&command, given);
            for given in line.options.iter_mut().filter(|given| given.spelt == "--json") {
                WHOLE_ID.clone_into(&mut given.name);
            }
            match (arguments(&command, &line).map(Value::Object), want) {
                (Ok(made), Ok(want)) => assert_eq!(made, want),
                (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
                (made, want) => panic!("{made:?}, not {want:?}"),
            }
        };
        let object = r#"{"a": "no integer", "other": null}"#;
        check(
            &[("--json", &[object])],
            Ok(serde_json::from_str(object).unwrap()),
        );
        check(&[("--json", &["[]"])], Err("expects an object"));
        check(&[("--json", &["{"])], Err("JSON text"));
        check(&[("--json", &["{}"]), ("--json", &["{}"])], Err("more than once"));
        check(&[("--a", &["1"]), ("--json", &["{}"])], Err("stands for all"));
        check(&[("--json", &["{}"]), ("--a", &["1"])], Err("stands for all"));
    }

    #[test]
    fn a_tool_is_called_by_the_name_that_its_server_gives_it() {
        let tools = json!([{"name": "get time"}, {"name": "plain"}]);
        let loaded = metadata("server", &Value::Null, &tools).unwrap();
        let names: Vec<&str> = loaded
            .metadata
            .commands
            .iter()
            .map(|(name, command)| tool_name(name, command))
            .collect();
        assert_eq!(names, ["get time", "plain"]);
    }

    proptest! {
        #[test]
        fn any_text_of_a_text_parameter_arrives_as_it_is(text in any::<String>(), item in "[^,]{1,12}", other in "[^,]{1,12}") {
            let command = tool(&json!({"a": {"type": "string"}, "l": {"type": "array", "items": {"type": "string"}}}));
            let line = line(&command, &[("--a", &[&text]), ("--l", &[&other]), ("--l", &[&item])]);
            let made = arguments(&command, &line).unwrap();
            prop_assert_eq!(Value::Object(made), json!({"a": text, "l": [other, item]}));
        }

        #[test]
        fn any_text_is_taken_or_refused(text in any::<String>(), kind in prop::sample::select(vec!["integer", "number", "boolean", "object"])) {
            let command = tool(&json!({"a": {"type": kind}}));
            let _ = arguments(&command, &line(&command, &[("--a", &[&text])]));
        }
    }
}
