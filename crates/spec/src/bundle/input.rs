//! The way back: what a command line of a bundle means as the input of its tool.
//!
//! Values get the types of the schema. Nothing is guessed and nothing is added: a default stays with the template.

use serde_json::Value;

use super::metadata::{JSON_FLAG, inputs};
use super::model::BundleTool;
use crate::atip::{Command, Extra, Given, Invoked};
use crate::doc::fields::Complaints;
use crate::mcp_tools::{ArgumentError, arguments};

/// What our own flag for JSON is called where it stands for the program's words.
const OWN_JSON: &str = "x-json";

/// Returns the input that a command line means.
///
/// # Errors
/// When a value is not of its type, or there is a word that the tool has no place for.
pub fn input(tool: &BundleTool, invoked: &Invoked) -> Result<Value, ArgumentError> {
    let options = inputs(tool, &mut Extra::new(), &mut Complaints::default()).unwrap_or_default();
    let command = Command {
        options,
        ..Command::default()
    };
    let mut given = Vec::new();
    for word in &invoked.words {
        let Some(name) = &word.name else {
            return Err(ArgumentError::Unknown {
                given: word.text.clone(),
            });
        };
        given.push(Given {
            name: name.clone(),
            spelt: name.clone(),
            values: vec![word.text.clone()],
            ..Given::default()
        });
    }
    let is_input = |option: &&Given| option.name != JSON_FLAG && option.name != OWN_JSON;
    given.extend(invoked.options.iter().filter(is_input).cloned());
    let line = Invoked {
        options: given,
        ..Invoked::default()
    };
    arguments(&command, &line).map(Value::Object)
}

/// Returns the words by which a caller asked for JSON as the program itself takes it.
pub fn json_given(invoked: &Invoked) -> Option<Vec<String>> {
    let option = invoked.options.iter().find(|option| option.name == JSON_FLAG)?;
    let words = std::iter::once(&option.spelt).chain(&option.values);
    Some(words.cloned().collect())
}
