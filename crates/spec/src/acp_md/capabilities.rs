//! AIP-44 `capabilities`: what either side tells the other at the handshake. What is not there is not supported.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field};

/// Both sides.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AcpCapabilities {
    /// What the client serves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<ClientSide>,
    /// What the agent can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentSide>,
}

/// What the client serves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientSide {
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fs: Option<ClientFiles>,
    /// Terminals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminal: Option<bool>,
}

/// Files that the client serves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ClientFiles {
    /// It reads them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_text_file: Option<bool>,
    /// It writes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_text_file: Option<bool>,
}

/// What the agent can do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgentSide {
    /// Take up an earlier session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_session: Option<bool>,
    /// What a prompt may hold beside text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_capabilities: Option<PromptCapabilities>,
    /// How it reaches servers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mcp_capabilities: Option<McpCapabilities>,
}

/// What a prompt may hold beside text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PromptCapabilities {
    /// Pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<bool>,
    /// Sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio: Option<bool>,
    /// Files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedded_context: Option<bool>,
}

/// How an agent reaches servers, beside standard streams.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpCapabilities {
    /// By HTTP.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<bool>,
    /// By HTTP, the old way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sse: Option<bool>,
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<AcpCapabilities> {
    let mut object = field.open(out)?;
    let capabilities = AcpCapabilities {
        client: object.take("client").and_then(|field| client(&field, out)),
        agent: object.take("agent").and_then(|field| agent(&field, out)),
    };
    object.shut(out);
    Some(capabilities)
}

fn truth(object: &mut Closed<'_>, key: &'static str, out: &mut Complaints) -> Option<bool> {
    object.take(key).and_then(|field| field.truth(out))
}

fn client(field: &Field<'_>, out: &mut Complaints) -> Option<ClientSide> {
    let mut object = field.open(out)?;
    let fs = object.take("fs").and_then(|field| {
        let mut object = field.open(out)?;
        let files = ClientFiles {
            read_text_file: truth(&mut object, "readTextFile", out),
            write_text_file: truth(&mut object, "writeTextFile", out),
        };
        object.shut(out);
        Some(files)
    });
    let terminal = truth(&mut object, "terminal", out);
    object.shut(out);
    Some(ClientSide { fs, terminal })
}

fn agent(field: &Field<'_>, out: &mut Complaints) -> Option<AgentSide> {
    let mut object = field.open(out)?;
    let load_session = truth(&mut object, "loadSession", out);
    let prompt_capabilities = object.take("promptCapabilities").and_then(|field| {
        let mut object = field.open(out)?;
        let prompt = PromptCapabilities {
            image: truth(&mut object, "image", out),
            audio: truth(&mut object, "audio", out),
            embedded_context: truth(&mut object, "embeddedContext", out),
        };
        object.shut(out);
        Some(prompt)
    });
    let mcp_capabilities = object.take("mcpCapabilities").and_then(|field| {
        let mut object = field.open(out)?;
        let mcp = McpCapabilities {
            http: truth(&mut object, "http", out),
            sse: truth(&mut object, "sse", out),
        };
        object.shut(out);
        Some(mcp)
    });
    object.shut(out);
    Some(AgentSide {
        load_session,
        prompt_capabilities,
        mcp_capabilities,
    })
}
