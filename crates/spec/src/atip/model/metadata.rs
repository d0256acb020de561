//! The root object (ATIP §3.2.1).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Atip, Authentication, Binary, Commands, Effects, Filter, Omitted, Opt, Pattern, Trust};

/// Fields that no draft defines, `x-*` among them: kept as they came.
pub type Extra = Map<String, Value>;

/// What one tool says it is, or what somebody says about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The schema that the file names.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The version of the protocol.
    pub atip: Atip,
    /// The name of the command, as the executable is called.
    pub name: String,
    /// The version of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    pub version: Option<String>,
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the tool is for, in one line.
    pub description: String,
    /// Where its documentation is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub homepage: Option<String>,
    /// An SPDX licence identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
    /// Who says so, and how it can be checked. A tool's own word never raises its trust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// The executable that a shim describes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<Binary>,
    /// Whether commands were left out on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
    /// Which commands were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<Filter>,
    /// How many commands the tool has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_commands: Option<u64>,
    /// How many of them are here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included_commands: Option<u64>,
    /// Why the others are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<Omitted>,
    /// Who may use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication: Option<Authentication>,
    /// What it changes, where no command says otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effects: Option<Effects>,
    /// Options of every command.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub global_options: Vec<Opt>,
    /// The subcommands. The one called `""` is the tool itself.
    #[serde(skip_serializing_if = "Commands::is_empty", default)]
    pub commands: Commands,
    /// How the tool is used, step by step.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub patterns: Vec<Pattern>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
