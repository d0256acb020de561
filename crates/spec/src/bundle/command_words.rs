//! The way from an input to a command line: the words by which a caller would have given it.

use serde_json::{Map, Value};

use super::model::BundleTool;
use super::option_name::option_name;

impl BundleTool {
    /// Returns the words of a call with this input, without the name of the bundle: `pr list --state=open`.
    ///
    /// Nothing is checked: whoever reads the words does.
    pub fn command_words(&self, input: &Map<String, Value>) -> Vec<String> {
        let mut words = self.words.clone();
        for (name, value) in input {
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
        words
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
