//! AIP-44 `ACP.md`: the profile of the Agent Client Protocol that an agent is bound to.
//!
//! The object is open, as the draft has it: what nobody here knows is kept by others. What an `AGENT-CLI.md` claims is
//! held against it ([`AcpMd::lacks`]).

mod capabilities;
mod claims;
mod manifest;
mod rules;

pub use capabilities::{
    AcpCapabilities, AgentSide, ClientFiles, ClientSide, McpCapabilities, PromptCapabilities,
};
pub use manifest::{
    AcpKind, AcpMcpServer, AcpMd, AcpMetadata, AcpTransport, Aip44, AuditKind, AuditTarget, Tier, load,
};

pub(crate) use rules::RULES;
