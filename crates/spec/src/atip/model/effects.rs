//! What a command changes, as somebody claims (ATIP §3.2.6). Absent is unknown, never "no".

use schemars::JsonSchema;
use serde::Serialize;

use super::Extra;

/// The claims about one command, or about a whole tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Effects {
    /// What it does to files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filesystem: Option<Filesystem>,
    /// Whether it talks to the network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<bool>,
    /// Whether it starts programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subprocess: Option<bool>,
    /// Whether doing it twice is as good as once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Whether it can be undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversible: Option<bool>,
    /// Whether it destroys data for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Kinds of thing that it creates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub creates: Option<Vec<String>>,
    /// Kinds of thing that it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modifies: Option<Vec<String>>,
    /// Kinds of thing that it deletes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deletes: Option<Vec<String>>,
    /// What it costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// How long it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<Duration>,
    /// What it asks for while it runs. For the host, never for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactive: Option<Interactive>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What it does to files.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Filesystem {
    /// Whether it reads them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<bool>,
    /// Whether it writes or creates them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write: Option<bool>,
    /// Whether it deletes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete: Option<bool>,
    /// Which ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What it costs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// `none` (later drafts: `free`), `low`, `medium` or `high`. Any other word counts as high.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<String>,
    /// Whether money may be owed afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub billable: Option<bool>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How long it takes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Duration {
    /// Usually: `1-5s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub typical: Option<String>,
    /// When to give up: `60s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// What it asks for while it runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Interactive {
    /// `none`, `optional`, `required` or `password`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdin: Option<String>,
    /// Whether it asks questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompts: Option<bool>,
    /// Whether it wants a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tty: Option<bool>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
