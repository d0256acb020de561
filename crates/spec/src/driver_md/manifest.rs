//! A `DRIVER.md` as a whole. It is open: later drafts add to it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::auth::DriverAuth;
use super::health_check::HealthCheck;
use super::implements::Implements;
use crate::cli_md::{Install, Requires, VersionCheck};
use crate::doc::Spanned;
use crate::manifest::{Composable, ManifestVersion};
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;
use crate::tool_md::DriverKind;

/// How tools are run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DriverMd {
    /// What people call it.
    #[schemars(length(min = 1, max = 80))]
    pub name: Spanned<String>,
    /// What programs call it.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9.\-]{1,79}$"))]
    pub id: Spanned<String>,
    /// What it is for.
    #[schemars(length(min = 1, max = 2000))]
    pub description: Spanned<String>,
    /// The version of this manifest.
    pub version: Spanned<ManifestVersion>,
    /// What runs the tools.
    pub kind: Spanned<DriverKind>,
    /// Which tools.
    #[schemars(length(min = 1))]
    pub implements: Vec<Implements>,
    /// How it is installed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub install: Vec<Install>,
    /// How its version is found and judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_check: Option<VersionCheck>,
    /// How one signs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<DriverAuth>,
    /// The process boundary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner: Option<Composable<Runner>>,
    /// What it may touch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Composable<SandboxBlock>>,
    /// Hosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<DriverNetwork>,
    /// Where it may be used; everywhere unless told otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub region: Vec<String>,
    /// Words that policies match.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub policy_tags: Vec<String>,
    /// How it is known to work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health_check: Option<HealthCheck>,
    /// Which machines it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requires: Option<Requires>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub tags: Vec<Spanned<String>>,
    /// Anybody's own.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
}

/// Hosts that a driver reaches, and URLs at which it is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriverNetwork {
    /// Host names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egress: Option<Vec<Spanned<String>>>,
    /// Callback URLs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingress: Option<Vec<Spanned<String>>>,
}
