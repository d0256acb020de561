//! The settings as types.

use std::net::IpAddr;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::glob::Glob;
use super::notify::Notify;
use super::period::Period;
use super::secret::Secret;
use crate::atip::{Delegation, PermissionPolicy};
use crate::trust::ToolTrust;

/// What a person has set. The default is what holds without a file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Config {
    /// Tools that are there whatever is found, by name. In the file also a list of names and paths.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    #[schemars(schema_with = "super::tools::schema")]
    pub tools: IndexMap<String, ToolEntry>,
    /// Programs that are never looked at.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub skip: Vec<Glob>,
    /// When what is known about a tool has to be asked again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Period>,
    /// Servers whose tools appear beside the others.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub mcp_servers: IndexMap<String, McpServer>,
    /// Directories beside the working directory that path arguments may lead into: absolute, or below `~/`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub roots: Vec<String>,
    /// The only commands that may be called, if set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow: Option<Vec<String>>,
    /// Commands that may not be called.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub deny: Vec<String>,
    /// How often one caller may ask.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(schema_with = "super::decode::rate_limit_schema")]
    pub rate_limit: Option<RateLimit>,
    /// What runs without a question, with one, or never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission_policy: Option<PermissionPolicy>,
    /// What other agents may do, by name.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub delegations: IndexMap<String, Delegation>,
    /// What is different about the network of tools: for local services and tests.
    #[serde(skip_serializing_if = "is_default", default)]
    pub network: Network,
    /// Fields of metadata that are left out wherever it goes, as JSON pointers.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub redact: Vec<String>,
    /// How long things may take.
    #[serde(skip_serializing_if = "is_default", default)]
    pub timeouts: Timeouts,
    /// What one command string may cost; only ever less than the draft's limits.
    #[serde(skip_serializing_if = "is_default", default)]
    pub limits: CallLimits,
    /// How a person is told that a question waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notify: Option<Notify>,
    /// Whether what an MCP client answers to `elicitation/create` counts as the person's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation: Option<bool>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A tool that a person names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct ToolEntry {
    /// Its executable: absolute, or below `~/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// A file that describes it: absolute, or below `~/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<String>,
    /// Whether it is accepted or denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<ToolTrust>,
}

/// A server that speaks MCP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct McpServer {
    /// How it is reached.
    #[serde(flatten)]
    pub transport: Transport,
    /// Whether it is left alone.
    #[serde(skip_serializing_if = "is_default")]
    pub disabled: bool,
}

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Transport {
    /// It is started, and speaks on its standard streams.
    Command {
        /// The program.
        command: String,
        /// Its words.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        args: Vec<String>,
        /// Variables that it gets.
        #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
        env: IndexMap<String, Secret>,
    },
    /// It runs somewhere.
    Url {
        /// Where.
        url: String,
        /// Fields that every request gets.
        #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
        headers: IndexMap<String, Secret>,
    },
}

/// So many requests in so much time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RateLimit {
    /// How many.
    #[schemars(range(min = 1))]
    pub requests: u32,
    /// In which time.
    pub per: Period,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, Default)]
#[serde(deny_unknown_fields)]
pub struct Timeouts {
    /// One call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<Period>,
    /// A question to a person, and its answer until it is used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<Period>,
    /// How long a call over MCP waits for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<Period>,
}

/// What is different about the network of tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Network {
    /// Addresses of names, in the place of what the system says.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub resolve: IndexMap<String, IpAddr>,
    /// Whether names may lead to this machine itself.
    #[serde(skip_serializing_if = "is_default", default)]
    pub allow_loopback: bool,
    /// Hosts that need no question because only the words of a call name them: names, `*.name`, or a place at a shared
    /// service such as `s3://bucket`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hosts: Vec<String>,
}

/// What one command string may cost. What is not set stays at the draft's limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallLimits {
    /// The most characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub command_length: Option<usize>,
    /// The most words.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub argument_count: Option<usize>,
    /// The most characters of one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub argument_length: Option<usize>,
}
