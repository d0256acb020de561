//! A program as its manifest packages it: what `CLI.md` and `AGENT-CLI.md` say alike of getting it and of its version.

use argrail_spec::agent_cli_md::AgentCliMd;
use argrail_spec::cli_md::{CliMd, Install, Requires, VersionCheck};

/// What getting a program depends on, borrowed from its manifest.
#[derive(Debug, Clone, Copy)]
pub struct Packaged<'a> {
    /// Which kind of manifest it is.
    pub kind: PackagedKind,
    /// The id of the manifest.
    pub id: &'a str,
    /// Its major version.
    pub major: u64,
    /// Its whole version.
    pub version: &'a str,
    /// What the program is called; with a slash, a file of the manifest's folder.
    pub bin: &'a str,
    /// How it is installed, in this order.
    pub install: &'a [Install],
    /// How its version is found and judged.
    pub version_check: &'a VersionCheck,
    /// Which machines it is for.
    pub requires: Option<&'a Requires>,
}

/// Whose program it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackagedKind {
    /// A tool's (AIP-29).
    Tool,
    /// An agent's (AIP-45).
    Agent,
}

impl Packaged<'_> {
    /// Returns `gh@1`, as people read it.
    pub fn identity(&self) -> String {
        format!("{}@{}", self.id, self.major)
    }

    /// Returns what receipts hang on. A tool and an agent of one id have programs of their own.
    pub fn key(&self) -> String {
        match self.kind {
            PackagedKind::Tool => self.identity(),
            // No id has an `@`, so that no tool is ever called so.
            PackagedKind::Agent => format!("{}@agent", self.identity()),
        }
    }

    /// Returns what the program is called, without a folder.
    pub fn short(&self) -> &str {
        self.bin.rsplit('/').next().unwrap_or(self.bin)
    }
}

impl<'a> From<&'a CliMd> for Packaged<'a> {
    fn from(cli: &'a CliMd) -> Self {
        Self {
            kind: PackagedKind::Tool,
            id: &cli.id.value,
            major: cli.version.major(),
            version: cli.version.as_str(),
            bin: &cli.bin.value,
            install: &cli.install,
            version_check: &cli.version_check,
            requires: cli.requires.as_ref(),
        }
    }
}

impl<'a> From<&'a AgentCliMd> for Packaged<'a> {
    fn from(agent: &'a AgentCliMd) -> Self {
        Self {
            kind: PackagedKind::Agent,
            id: &agent.id.value,
            major: agent.version.major(),
            version: agent.version.as_str(),
            bin: &agent.bin.value,
            install: &agent.install,
            version_check: &agent.version_check,
            requires: agent.requires.as_ref(),
        }
    }
}
