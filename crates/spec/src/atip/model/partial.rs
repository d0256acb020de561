//! What a partial answer says about the rest (later drafts: `tool --agent --commands=a,b --depth=N`).

use schemars::JsonSchema;
use serde::Serialize;

use super::Extra;

/// Which commands were asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// These, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<Vec<String>>,
    /// Down to this depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Why commands were left out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Omitted {
    /// `filtered`, `depth-limited`, `size-limited` or `deprecated`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// `unknown`, `known-safe`, `known-unsafe` or `same-as-included`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub safety_assumption: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
