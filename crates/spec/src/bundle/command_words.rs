//! The way from an input to a command line: the words by which a caller would have given it.

use serde_json::{Map, Value};

use super::model::BundleTool;
use crate::mcp_tools::option_name;

impl BundleTool {
    /// Returns the words of a call with this input, without the name of the bundle: `pr list --state=open`.
    ///
    /// Nothing is checked: whoever reads the words does.
    pub fn command_words(&self, input: &Map<String, Value>) -> Vec<String> {
        let positionals = self.positionals();
        let mut words = self.words.clone();
        for (name, value) in input.iter().filter(|(name, _)| !positionals.contains(name)) {
            let option = option_name(name).unwrap_or_else(|| format!("--{name}"));
            match value {
                Value::Null | Value::Bool(false) => {}
                Value::Bool(true) => words.push(option),
                Value::Array(items) => {
                    words.extend(items.iter().map(|item| format!("{option}={}", text(item))));
                }
                Value::Number(_) | Value::String(_) | Value::Object(_) => {
                    words.push(format!("{option}={}", text(value)));
                }
            }
        }
        let given = positionals.iter().filter_map(|name| input.get(name));
        let plain: Vec<String> = given.flat_map(texts).collect();
        if plain.iter().any(|word| word.starts_with('-')) {
            words.push("--".to_owned());
        }
        words.extend(plain);
        words
    }
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::Array(items) => items.iter().map(text).collect(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => vec![text(value)],
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}
