//! An `AGENT-CLI.md` as a whole.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::capabilities::{Capabilities, Capability};
use super::continuation::Continuation;
use super::example::AgentExample;
use super::mode::AgentMode;
use super::models::Models;
use super::option::AgentOption;
use super::session::SessionPolicy;
use super::wire::{McpServer, Protocol};
use crate::cli_md::{Auth, Install, Requires, SetupStep, VersionCheck, commands_run};
use crate::doc::Spanned;
use crate::manifest::{CommandLine, Composable, ManifestVersion, Reference};
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;

/// The manifest of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentCliMd {
    /// What its folder is called.
    #[schemars(length(min = 1, max = 80))]
    pub name: Spanned<String>,
    /// What programs call it.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{1,63}$"))]
    pub id: Spanned<String>,
    /// What it is for.
    #[schemars(length(min = 1, max = 2000))]
    pub description: Spanned<String>,
    /// The version of this manifest, not of the program.
    pub version: Spanned<ManifestVersion>,
    /// The program: a name on the search path, or with a slash a file of the folder.
    #[schemars(regex(pattern = r"^[A-Za-z0-9._\-/]+$"))]
    pub bin: Spanned<String>,
    /// Arguments in front of all others.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bin_args: Vec<Spanned<String>>,
    /// How it is installed, in this order.
    #[schemars(length(min = 1))]
    pub install: Vec<Install>,
    /// How its version is found and judged.
    pub version_check: VersionCheck,
    /// What is done once after installing.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub setup: Vec<SetupStep>,
    /// How one signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<Auth>,
    /// What it may touch.
    pub sandbox: Composable<SandboxBlock>,
    /// The process boundary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<Composable<Runner>>,
    /// How one talks to it.
    pub protocol: Spanned<Protocol>,
    /// The profile of the protocol, an `ACP.md`. There when the protocol is `acp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acp: Option<Reference>,
    /// The server whose tool it is. There when the protocol is `mcp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp: Option<McpServer>,
    /// The npm package that talks to it. There when the protocol is `proprietary`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = r"^@?[a-z0-9][a-z0-9\-./]*$"))]
    pub adapter: Option<Spanned<String>>,
    /// How long sessions live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionPolicy>,
    /// Which models it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub models: Option<Models>,
    /// What a host may expect of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<Capabilities>,
    /// Ways to run of which one at most is taken.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub modes: Vec<AgentMode>,
    /// Knobs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub options: Vec<AgentOption>,
    /// How earlier turns reach it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
    /// Which machines it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires: Option<Requires>,
    /// What people ask it for.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub examples: Vec<AgentExample>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$")), extend("uniqueItems" = true))]
    pub tags: Vec<Spanned<String>>,
    /// Variables that it does not get, whatever passes them. Not of the draft; real adapters have it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub env_unset: Vec<Spanned<String>>,
    /// How long a turn may be silent. Not of the draft; real adapters have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1000))]
    pub turn_idle_timeout_ms: Option<u64>,
    /// Anybody's own.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
}

impl AgentCliMd {
    /// Returns the identity of the agent, on which audit and registrations hang: `goose@1`.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id.value, self.version.major())
    }

    /// Returns every command that the manifest would have run, beside the agent itself: to check, to set up, to sign in.
    pub fn commands_run(&self) -> impl Iterator<Item = &CommandLine> {
        commands_run(&self.version_check, &self.setup, self.auth.as_ref())
    }

    /// Whether the manifest claims a capability.
    pub fn claims(&self, capability: Capability) -> bool {
        self.capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.claims(capability))
    }

    /// Returns how long a turn may be silent, if the manifest says so.
    pub fn turn_idle_timeout_ms(&self) -> Option<u64> {
        let of_session = self
            .session
            .as_ref()
            .and_then(|session| session.turn_idle_timeout_ms);
        self.turn_idle_timeout_ms.or(of_session)
    }

    /// Returns the tool of the server that runs the agent, for `mcp`: `metadata.argrail.run_tool`.
    pub fn run_tool(&self) -> Option<&str> {
        self.metadata.get("argrail")?.get("run_tool")?.as_str()
    }
}
