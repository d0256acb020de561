//! A command: something that can be invoked, or a group of such (ATIP §3.2.2).

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Argument, Authentication, Effects, Extra, Opt};

/// Commands by name, in the order they were written.
pub type Commands = IndexMap<String, Command>;

/// One command.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    /// What it does.
    pub description: String,
    /// Other names for it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub aliases: Vec<String>,
    /// What is below it.
    #[serde(skip_serializing_if = "Commands::is_empty", default)]
    pub commands: Commands,
    /// Words without a flag.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub arguments: Vec<Argument>,
    /// Words with one.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub options: Vec<Opt>,
    /// What it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<Effects>,
    /// Whole command lines that work.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<String>,
    /// Who may use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication: Option<Authentication>,
    /// Whether it is on its way out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<bool>,
    /// Whether lists leave it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<bool>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
