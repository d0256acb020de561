//! The value of an option: of the manifest as its default, or as somebody writes it.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionValue {
    /// Yes or no.
    Truth(bool),
    /// A whole number.
    Integer(i64),
    /// Text, or one of some words.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}
