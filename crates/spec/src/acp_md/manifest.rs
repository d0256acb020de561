//! An `ACP.md`, as it is once nothing is wrong with it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::capabilities::AcpCapabilities;
use crate::doc::Spanned;
use crate::manifest::{ManifestVersion, Reference};

/// A profile of the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AcpMd {
    /// What it is called.
    #[schemars(length(min = 1, max = 80))]
    pub name: Spanned<String>,
    /// What programs call it.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{1,63}$"))]
    pub id: Spanned<String>,
    /// What it is for.
    #[schemars(length(min = 1, max = 2000))]
    pub description: Spanned<String>,
    /// The version of this manifest, not of the protocol.
    pub version: Spanned<ManifestVersion>,
    /// Which side it is about.
    pub kind: Spanned<AcpKind>,
    /// How the two sides reach each other: one way, or several.
    #[schemars(with = "OneOrMore", extend("uniqueItems" = true))]
    pub transport: Spanned<Vec<AcpTransport>>,
    /// What the draft adds to the protocol, and anybody's own.
    pub metadata: AcpMetadata,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$")), extend("uniqueItems" = true))]
    pub tags: Vec<Spanned<String>>,
}

/// One way, or several.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it describes what is read, for the schema")]
enum OneOrMore {
    One(AcpTransport),
    More(#[schemars(length(min = 1))] Vec<AcpTransport>),
}

/// The block of the draft, and anybody's own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AcpMetadata {
    /// That of the draft.
    pub aip44: Aip44,
    /// Anybody's own.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// What the draft adds to the protocol.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Aip44 {
    /// The commit of the protocol's repository.
    #[schemars(regex(pattern = "^[a-f0-9]{7,40}$"))]
    pub acp_rev: Spanned<String>,
    /// How much of the protocol there is.
    pub tier: Spanned<Tier>,
    /// What either side can do; overrides what the tier means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<AcpCapabilities>,
    /// The operator that a server shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<Spanned<String>>,
    /// The governance that it is under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governance: Option<Spanned<String>>,
    /// The sandbox of the tier `sandboxed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Reference>,
    /// Where the record goes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditTarget>,
    /// Servers that are handed to the agent.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub mcp_servers: Vec<AcpMcpServer>,
}

/// Which side a profile is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AcpKind {
    /// The one that starts an agent.
    Client,
    /// The one that is an agent.
    Server,
    /// Both.
    Bridge,
}

/// How two sides reach each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AcpTransport {
    /// On standard streams.
    Stdio,
    /// By a web socket.
    Websocket,
}

/// How much of the protocol there is. Each has what those before it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Sessions, prompts, updates.
    Basic,
    /// Sessions that are loaded, tool calls that are told.
    GovernanceAware,
    /// Servers, and a sandbox.
    Sandboxed,
}

/// Where the record goes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AuditTarget {
    /// A file or a service.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub target: Option<Spanned<String>>,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<AuditKind>,
}

/// Whose record it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuditKind {
    /// The governance's.
    Governance,
    /// Somebody else's.
    External,
    /// Nobody's.
    Off,
}

/// A server that is handed to the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcpMcpServer {
    /// What it is called.
    #[schemars(length(min = 1))]
    pub name: Spanned<String>,
    /// How it is reached.
    pub transport: crate::agent_cli_md::McpTransport,
    /// Where it is described.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub target: Option<Spanned<String>>,
}
