//! What a profile means for what an `AGENT-CLI.md` claims.
//!
//! The draft wants the claims to be a subset and publishes no mapping between the two vocabularies. Three claims have a
//! counterpart: `resumable` needs `loadSession`, `multimodal` needs pictures or sound, `tool_calls` needs a tier that
//! tells of them. The others have none, so nothing is held against them.

use super::manifest::{AcpMd, AcpTransport, Tier};
use crate::agent_cli_md::Capability;

impl AcpMd {
    /// Returns what the profile lacks for a claim, in words, or none if it has it.
    pub fn lacks(&self, claim: Capability) -> Option<&'static str> {
        match claim {
            Capability::Resumable => (!self.loads_sessions()).then_some("loadSession"),
            Capability::Multimodal => (!self.takes_more_than_text()).then_some("image or audio"),
            Capability::ToolCalls => {
                (self.tier() < Tier::GovernanceAware).then_some("the tier governance-aware")
            }
            Capability::Streaming
            | Capability::SubAgents
            | Capability::FileIo
            | Capability::Bidirectional => None,
        }
    }

    /// Returns how much of the protocol there is.
    pub fn tier(&self) -> Tier {
        self.metadata.aip44.tier.value
    }

    /// Whether the two sides talk on standard streams.
    pub fn is_on_stdio(&self) -> bool {
        self.transport.contains(&AcpTransport::Stdio)
    }

    /// Whether earlier sessions can be taken up: by what is written, else by the tier.
    pub fn loads_sessions(&self) -> bool {
        match &self.metadata.aip44.capabilities {
            Some(capabilities) => {
                let agent = capabilities.agent.as_ref();
                agent.and_then(|agent| agent.load_session) == Some(true)
            }
            None => self.tier() >= Tier::GovernanceAware,
        }
    }

    /// Whether prompts may hold pictures or sound. No tier means that.
    fn takes_more_than_text(&self) -> bool {
        let capabilities = self.metadata.aip44.capabilities.as_ref();
        let agent = capabilities.and_then(|capabilities| capabilities.agent.as_ref());
        let prompt = agent.and_then(|agent| agent.prompt_capabilities.as_ref());
        prompt.is_some_and(|prompt| prompt.image == Some(true) || prompt.audio == Some(true))
    }
}
