//! The objects as types.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::super::model::Extra;

/// Which part of what the delegating agent may do, another may (ATIP §4.3).
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Delegation {
    /// The only tools, if set. An empty list allows none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<Vec<String>>,
    /// Commands that are denied, with everything below them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub denied_commands: Vec<DeniedCommand>,
    /// What the effects of a command must be known to be.
    #[serde(skip_serializing_if = "Vec::is_empty", default, serialize_with = "as_map")]
    #[schemars(with = "IndexMap<String, Value>")]
    pub effect_restrictions: Vec<Restriction>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One entry of `deniedCommands`: `git push --force`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct DeniedCommand {
    /// As it was written.
    pub text: String,
    /// Its words.
    #[serde(skip)]
    #[schemars(skip)]
    pub(super) words: Vec<String>,
}

/// One entry of `effectRestrictions`: `"destructive": false`.
#[derive(Debug, Clone, PartialEq)]
pub struct Restriction {
    /// The effect, with dots: `filesystem.write`.
    pub effect: String,
    /// What it may be.
    pub value: Value,
}

fn as_map<S: serde::Serializer>(restrictions: &[Restriction], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(restrictions.iter().map(|one| (&one.effect, &one.value)))
}

/// What runs without a question, with one, or never (ATIP §5.2). Keys are effects with dots.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct PermissionPolicy {
    /// Commands whose effects match every key, and that change nothing else, run without a question.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub auto_approve: IndexMap<String, Value>,
    /// Commands whose effects match any key are asked about.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub require_confirmation: IndexMap<String, Value>,
    /// Commands whose effects match any key never run.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub deny: IndexMap<String, Value>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
