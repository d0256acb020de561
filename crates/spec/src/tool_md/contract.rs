//! The parts of a tool's contract.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, Reference};
use crate::sandbox_block::Limits;

/// Something that a tool changes: `external:github.com`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutation {
    /// What kind of thing.
    pub class: String,
    /// Which.
    pub scope: String,
}

impl fmt::Display for Mutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.class, self.scope)
    }
}

impl Serialize for Mutation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Mutation {
    fn schema_name() -> Cow<'static, str> {
        "Mutation".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": r"^[a-z]+:[^\s]+$"})
    }
}

/// Who is asked before the tool runs, from fewest to most.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Approval {
    /// Nobody.
    Auto,
    /// A person, if anything is changed.
    OnMutate,
    /// A person.
    Always,
    /// Whoever a policy names.
    Policy(String),
}

impl Serialize for Approval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::OnMutate => serializer.serialize_str("on-mutate"),
            Self::Always => serializer.serialize_str("always"),
            Self::Policy(policy) => serializer.collect_str(&format_args!("policy:{policy}")),
        }
    }
}

impl JsonSchema for Approval {
    fn schema_name() -> Cow<'static, str> {
        "Approval".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^(auto|always|on-mutate|policy:[A-Za-z0-9_./-]+)$"})
    }
}

/// What a call costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CostClass {
    /// Nothing worth mentioning.
    Trivial,
    /// Something that is counted.
    Metered,
    /// Much.
    Expensive,
}

/// Reads what a call costs.
pub(crate) fn cost_class(field: &Field<'_>, out: &mut Complaints) -> Option<CostClass> {
    let words = [
        ("trivial", CostClass::Trivial),
        ("metered", CostClass::Metered),
        ("expensive", CostClass::Expensive),
    ];
    field.choice(&words, out)
}

/// When and how often a failed call is tried again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retry {
    /// How often, the first time included.
    #[schemars(range(min = 1, max = 20))]
    pub max_attempts: u64,
    /// How the pauses grow.
    pub backoff: Backoff,
    /// The first pause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_ms: Option<u64>,
}

/// How pauses between attempts grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Backoff {
    /// Not at all.
    Fixed,
    /// They double.
    Exponential,
}

/// Reads how pauses grow.
pub(crate) fn backoff(field: &Field<'_>, out: &mut Complaints) -> Option<Backoff> {
    field.choice(
        &[("fixed", Backoff::Fixed), ("exponential", Backoff::Exponential)],
        out,
    )
}

/// What a tool needs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ToolNeeds")]
pub struct Needs {
    /// Hosts.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub network: Vec<Spanned<String>>,
    /// Secrets.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub secrets: Vec<Spanned<String>>,
    /// Other tools.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tools: Vec<Spanned<String>>,
}

/// A way to run a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DriverKind {
    /// A program.
    Cli,
    /// A service.
    Http,
    /// A server of MCP.
    Mcp,
    /// A library.
    Sdk,
    /// The host itself.
    Builtin,
}

impl DriverKind {
    /// Every kind with its name.
    pub(crate) const WORDS: [(&'static str, Self); 5] = [
        ("cli", Self::Cli),
        ("http", Self::Http),
        ("mcp", Self::Mcp),
        ("sdk", Self::Sdk),
        ("builtin", Self::Builtin),
    ];
}

/// Which ways will do.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverConstraints {
    /// These never.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub forbid: Vec<DriverKind>,
    /// These only; none is any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub require_kind: Vec<DriverKind>,
}

/// A call and what comes of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolExample {
    /// What it shows.
    pub name: String,
    /// What goes in.
    pub input: Spanned<Value>,
    /// What comes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Spanned<Value>>,
    /// What else is worth knowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// AIP-29's own form: which bundle runs the tool, and with which words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolRunner {
    /// The `CLI.md` of the bundle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cli: Option<Reference>,
    /// The words after the program, with placeholders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argv: Option<Vec<Spanned<String>>>,
    /// How much a call may use, within what the bundle allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}
