//! A runner block, as it is once nothing is wrong with it.

use std::time::Duration;

use argrail_sandbox::policy;
use schemars::JsonSchema;
use serde::Serialize;

use crate::sandbox_block::Limits;

/// The block.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Runner {
    /// Where the process runs; a process of its own unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<Engine>,
    /// The template of a container.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub image: Option<String>,
    /// What must be there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Needs>,
    /// How much it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// Where a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// In a process of its own.
    Subprocess,
    /// In a container. Not here.
    Sandbox,
    /// Inside of the host. Becomes a process of its own.
    InProcess,
}

/// What must be there before it runs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// The language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// Packages of the system, by their Debian names.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(length(min = 1)))]
    pub native: Vec<String>,
    /// Packages of npm.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(length(min = 1)))]
    pub npm: Vec<String>,
    /// Packages of Python.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(length(min = 1)))]
    pub pip: Vec<String>,
}

/// The language of a runner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// JavaScript.
    Node,
    /// Python.
    Python,
    /// More than one.
    Multi,
}

impl Runner {
    /// Returns the limits as the sandbox has them.
    pub fn policy_limits(&self) -> policy::Limits {
        self.limits.map(limits).unwrap_or_default()
    }
}

fn limits(limits: Limits) -> policy::Limits {
    policy::Limits {
        wall: limits.timeout_ms.map(Duration::from_millis),
        memory: limits.memory_mb.map(|mb| mb.saturating_mul(1024 * 1024)),
        cpu: limits.cpu_ms.map(Duration::from_millis),
        ..policy::Limits::default()
    }
}
