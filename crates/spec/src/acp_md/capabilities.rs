//! AIP-44 `capabilities`: what either side tells the other at the handshake. What is not there is not supported.

use crate::declare::manifest;

manifest! {
    /// Both sides.
    #[derive(Eq, Default)]
    pub struct AcpCapabilities closed {
        /// What the client serves.
        may client: Option<ClientSide>,
        /// What the agent can do.
        may agent: Option<AgentSide>,
    }

    /// What the client serves.
    #[derive(Eq, Default)]
    pub struct ClientSide closed {
        /// Files.
        may fs: Option<ClientFiles>,
        /// Terminals.
        may terminal: Option<bool>,
    }

    /// Files that the client serves.
    #[derive(Eq, Default)]
    pub struct ClientFiles closed {
        /// It reads them.
        may read_text_file("readTextFile"): Option<bool>,
        /// It writes them.
        may write_text_file("writeTextFile"): Option<bool>,
    }

    /// What the agent can do.
    #[derive(Eq, Default)]
    pub struct AgentSide closed {
        /// Take up an earlier session.
        may load_session("loadSession"): Option<bool>,
        /// What a prompt may hold beside text.
        may prompt_capabilities("promptCapabilities"): Option<PromptCapabilities>,
        /// How it reaches servers.
        may mcp_capabilities("mcpCapabilities"): Option<McpCapabilities>,
    }

    /// What a prompt may hold beside text.
    #[derive(Eq, Default)]
    pub struct PromptCapabilities closed {
        /// Pictures.
        may image: Option<bool>,
        /// Sound.
        may audio: Option<bool>,
        /// Files.
        may embedded_context("embeddedContext"): Option<bool>,
    }

    /// How an agent reaches servers, beside standard streams.
    #[derive(Eq, Default)]
    pub struct McpCapabilities closed {
        /// By HTTP.
        may http: Option<bool>,
        /// By HTTP, the old way.
        may sse: Option<bool>,
    }
}
