//! An agent with everything that its `AGENT-CLI.md` names.

use crate::acp_md::AcpMd;
use crate::agent_cli_md::AgentCliMd;
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;
use crate::secrets_md::SecretsMd;

/// An agent. Unless it comes from [`load`](super::load), it may have errors and is for checking only.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentBundle {
    /// The manifest.
    pub agent: AgentCliMd,
    /// The Markdown after its front matter.
    pub body: String,
    /// The sandbox, wherever it was written.
    pub sandbox: SandboxBlock,
    /// The process boundary, wherever it was written.
    pub runner: Runner,
    /// The profile of the protocol; there when the protocol is `acp`.
    pub profile: Option<AcpMd>,
    /// The inventory of secrets.
    pub secrets: Option<SecretsMd>,
}
