//! AIP-45, Capabilities: what a host may expect before it starts the agent.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;

/// What the agent can do, by its manifest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// Sends its text as it comes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub streaming: Option<Spanned<bool>>,
    /// Tells of the tools that it uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Spanned<bool>>,
    /// May hand work to other agents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_agents: Option<Spanned<bool>>,
    /// May read and write files of the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_io: Option<Spanned<bool>>,
    /// Takes more than text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multimodal: Option<Spanned<bool>>,
    /// Can take up an earlier session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumable: Option<Spanned<bool>>,
    /// May ask in the middle of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bidirectional: Option<Spanned<bool>>,
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

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Capabilities> {
    let mut object = field.open(out)?;
    let mut claim = |key| {
        let field = object.take(key)?;
        let truth = field.truth(out)?;
        Some(Spanned::new(truth, field.span()))
    };
    let capabilities = Capabilities {
        streaming: claim("streaming"),
        tool_calls: claim("tool_calls"),
        sub_agents: claim("sub_agents"),
        file_io: claim("file_io"),
        multimodal: claim("multimodal"),
        resumable: claim("resumable"),
        bidirectional: claim("bidirectional"),
    };
    object.shut(out);
    Some(capabilities)
}
