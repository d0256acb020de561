//! A `TOOL.md` as a whole.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::contract::{
    Approval, CostClass, DriverConstraints, Mutation, Needs, Retry, ToolExample, ToolRunner,
};
use crate::cli_md::Output;
use crate::doc::{Span, Spanned};
use crate::manifest::ManifestVersion;
use crate::sandbox_block::Narrowing;

/// The contract of one callable.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolMd {
    /// What people call it.
    #[schemars(length(min = 1, max = 80))]
    pub name: Spanned<String>,
    /// What programs call it.
    #[schemars(length(min = 2, max = 80), regex(pattern = r"^[a-z0-9][a-z0-9.\-]*[a-z0-9]$"))]
    pub id: Spanned<String>,
    /// What it is for.
    #[schemars(length(min = 1, max = 2000))]
    pub description: Spanned<String>,
    /// The version of this manifest.
    pub version: Spanned<ManifestVersion>,
    /// JSON Schema of what goes in.
    #[schemars(extend("type" = "object"))]
    pub inputs: Spanned<Value>,
    /// JSON Schema of what comes out.
    #[schemars(extend("type" = "object"))]
    pub outputs: Spanned<Value>,
    /// Whether a second call changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// What it changes.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mutates: Vec<Spanned<Mutation>>,
    /// What it needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires: Option<Needs>,
    /// Who is asked, as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Approval>,
    /// From 0, reading, to 3, which cannot be undone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 3))]
    pub risk_level: Option<u8>,
    /// What a call costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_class: Option<CostClass>,
    /// How long a call may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub timeout_ms: Option<Spanned<u64>>,
    /// When a failed call is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry: Option<Retry>,
    /// The driver to prefer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9.\-]{1,79}$"))]
    pub default_implementation: Option<String>,
    /// Which drivers will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub driver_constraints: Option<DriverConstraints>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$")), extend("uniqueItems" = true))]
    pub tags: Vec<Spanned<String>>,
    /// Calls and what comes of them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<ToolExample>,
    /// AIP-29's own form of the template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<ToolRunner>,
    /// What the tool may not touch though its bundle may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Narrowing>,
    /// Where that stands.
    #[serde(skip)]
    pub sandbox_span: Option<Span>,
    /// How this subcommand prints, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
    /// Anybody's own. `metadata.cli.{argv,bin_args}` are ours.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
    /// `metadata.cli.argv` with places.
    #[serde(skip)]
    pub cli_argv: Option<Vec<Spanned<String>>>,
    /// `metadata.cli.bin_args`, which replace those of the bundle.
    #[serde(skip)]
    pub cli_bin_args: Option<Vec<Spanned<String>>>,
}

impl ToolMd {
    /// The time that a call may take when nothing is said.
    pub const TIMEOUT_MS: u64 = 30_000;

    /// Returns the words of the argv template, raw: `metadata.cli.argv`, else `runner.argv`. Without one, the words are
    /// made of the subcommand and the inputs.
    pub fn argv(&self) -> Option<&[Spanned<String>]> {
        let seed = self.runner.as_ref().and_then(|runner| runner.argv.as_deref());
        self.cli_argv.as_deref().or(seed)
    }

    /// Returns who is asked: a tool that changes something and says `auto`, or nothing, is read as on-mutate.
    pub fn effective_approval(&self) -> Approval {
        match &self.approval {
            None | Some(Approval::Auto) if !self.mutates.is_empty() => Approval::OnMutate,
            None => Approval::Auto,
            Some(approval) => approval.clone(),
        }
    }

    /// Returns how long a call may take.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms
            .as_ref()
            .map_or(Self::TIMEOUT_MS, |timeout| timeout.value)
    }

    /// Returns the names of its inputs, if its schema lists them.
    pub fn input_names(&self) -> Option<Vec<&str>> {
        let properties = self.inputs.get("properties")?.as_object()?;
        Some(properties.keys().map(String::as_str).collect())
    }

    /// Whether there are no other inputs than those of its schema: nobody gets around it with words of the program's own.
    pub fn is_closed(&self) -> bool {
        let is_false = |key: &str| self.inputs.get(key) == Some(&Value::Bool(false));
        is_false("additionalProperties") || is_false("unevaluatedProperties")
    }

    /// Returns the identity of the contract: `gh.pr-create@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id.value, self.version.major())
    }

    /// Returns where the sandbox block of a widening stands: the entry, the block, or else the id of the tool.
    pub fn place_of(&self, widening: &crate::sandbox_block::Widening) -> Span {
        let narrowing = self.sandbox.as_ref();
        narrowing
            .and_then(|narrowing| narrowing.place(widening))
            .or(self.sandbox_span)
            .unwrap_or(self.id.span)
    }
}
