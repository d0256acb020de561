//! AIP-45, Capabilities: what a host may expect before it starts the agent.

use crate::declare::manifest;
use crate::doc::Spanned;

manifest! {
    /// What the agent can do, by its manifest.
    #[derive(Eq, Default)]
    pub struct Capabilities closed {
        /// Sends its text as it comes.
        may streaming: Option<Spanned<bool>>,
        /// Tells of the tools that it uses.
        may tool_calls: Option<Spanned<bool>>,
        /// May hand work to other agents.
        may sub_agents: Option<Spanned<bool>>,
        /// May read and write files of the workspace.
        may file_io: Option<Spanned<bool>>,
        /// Takes more than text.
        may multimodal: Option<Spanned<bool>>,
        /// Can take up an earlier session.
        may resumable: Option<Spanned<bool>>,
        /// May ask in the middle of a turn.
        may bidirectional: Option<Spanned<bool>>,
    }
}

/// One of the capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    /// Sends its text as it comes.
    Streaming,
    /// Tells of the tools that it uses.
    ToolCalls,
    /// May hand work to other agents.
    SubAgents,
    /// May read and write files of the workspace.
    FileIo,
    /// Takes more than text.
    Multimodal,
    /// Can take up an earlier session.
    Resumable,
    /// May ask in the middle of a turn.
    Bidirectional,
}

impl Capabilities {
    /// Whether the manifest claims one. What it does not mention, it does not claim.
    pub fn claims(&self, capability: Capability) -> bool {
        self.get(capability).is_some_and(|claim| claim.value)
    }

    /// Returns what the manifest says about one, and where.
    pub fn get(&self, capability: Capability) -> Option<Spanned<bool>> {
        let field = match capability {
            Capability::Streaming => &self.streaming,
            Capability::ToolCalls => &self.tool_calls,
            Capability::SubAgents => &self.sub_agents,
            Capability::FileIo => &self.file_io,
            Capability::Multimodal => &self.multimodal,
            Capability::Resumable => &self.resumable,
            Capability::Bidirectional => &self.bidirectional,
        };
        field.clone()
    }
}
