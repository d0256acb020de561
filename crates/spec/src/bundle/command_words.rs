//! The way from an input to a command line: the words by which a caller would have given it.
//!
//! The words are read back as the same input by [`input`](super::input), whatever the values hold.

use serde_json::{Map, Value};

use super::metadata::{divided, inputs};
use super::model::{Bundle, BundleTool};
use crate::atip::{Extra, Kind, Opt};
use crate::doc::fields::Complaints;
use crate::mcp_tools::{JSON_TEXT, list_word, option_name};

/// The longest integer that a floating-point number holds exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Bundle {
    /// Returns the words of a call of a tool with this input, without the name of the bundle: `pr list --state=open`.
    ///
    /// Nothing is checked: whoever reads the words does.
    pub fn command_words(&self, tool: &BundleTool, input: &Map<String, Value>) -> Vec<String> {
        let inputs = inputs(tool, &mut Extra::new(), &mut Complaints::default()).unwrap_or_default();
        let (arguments, options) = divided(tool, inputs);
        let is_argument = |name: &str| arguments.iter().any(|argument| argument.name == name);
        let mut words = tool.words.clone();
        for (name, value) in input.iter().filter(|(name, _)| !is_argument(name)) {
            let option = options.iter().find(|option| option.name == *name);
            words.extend(option_words(name, option, value));
        }
        let mut plain: Vec<String> = Vec::new();
        for argument in &arguments {
            let value = input.get(&argument.name).unwrap_or(&Value::Null);
            let is_json = is_json_text(&argument.extra);
            plain.extend(argument_words(argument.kind, is_json, value));
        }
        let is_subcommand = plain.first().is_some_and(|first| {
            let goes_on = |other: &BundleTool| {
                let rest = other.words.strip_prefix(tool.words.as_slice());
                rest.is_some_and(|rest| rest.first() == Some(first))
            };
            self.tools.iter().any(goes_on)
        });
        if is_subcommand || plain.iter().any(|word| word.starts_with('-')) {
            words.push("--".to_owned());
        }
        words.extend(plain);
        words
    }
}

/// The words of an input that is an option, as its type reads them.
fn option_words(name: &str, option: Option<&Opt>, value: &Value) -> Vec<String> {
    let written = option.and_then(|option| option.flags.first().cloned());
    let flag = written
        .or_else(|| option_name(name))
        .unwrap_or_else(|| format!("--{name}"));
    let kind = option.map(|option| option.kind);
    let is_switch = kind.is_none_or(|kind| kind == Kind::Boolean);
    let with = |value: &str| vec![format!("{flag}={value}")];
    match value {
        Value::Null => Vec::new(),
        value if option.is_some_and(|option| is_json_text(&option.extra)) => with(&value.to_string()),
        Value::Bool(true) if is_switch => vec![flag],
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| text(kind, item)).collect();
            match list_word(&items) {
                Some(whole) => with(&whole),
                None => items.iter().flat_map(|item| with(item)).collect(),
            }
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => with(&text(kind, value)),
    }
}

fn argument_words(kind: Kind, is_json: bool, value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        value if is_json => vec![value.to_string()],
        Value::Array(items) => items.iter().map(|item| text(Some(kind), item)).collect(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            vec![text(Some(kind), value)]
        }
    }
}

fn is_json_text(extra: &Extra) -> bool {
    extra.get(JSON_TEXT) == Some(&Value::Bool(true))
}

/// One value as a word. A whole number stays one, also where JSON writes `5.0`.
fn text(kind: Option<Kind>, value: &Value) -> String {
    let is_text = matches!(
        kind,
        Some(Kind::String | Kind::File | Kind::Directory | Kind::Url)
    );
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() && !is_text => {
            let whole = number
                .as_f64()
                .filter(|number| number.fract() == 0.0 && number.abs() < EXACT);
            whole.map_or_else(|| number.to_string(), |whole| format!("{whole:.0}"))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}
