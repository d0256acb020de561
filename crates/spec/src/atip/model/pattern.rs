//! How tools are used, step by step (ATIP §3.2.8, §3.6).

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Extra, Kind};

/// A way of working, as commands with holes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Pattern {
    /// Its name; a later layer replaces the pattern of the same name.
    pub name: String,
    /// What it is good for.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// The commands.
    pub steps: Vec<Step>,
    /// What goes into the holes.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub variables: IndexMap<String, Variable>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<String>,
    /// Whether its author means it to be run as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub executable: Option<bool>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One command of a pattern.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// The command, with `{name}` where a variable goes.
    pub command: String,
    /// What it does.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What goes into a hole.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Variable {
    /// What kind of value it is.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// What it stands for.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// What holds when it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<serde_json::Value>,
    /// The values it may have.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<serde_json::Value>>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
