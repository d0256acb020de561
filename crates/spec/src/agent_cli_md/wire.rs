//! AIP-45, the protocol discriminator, and what each protocol needs.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::{NO_EFFECT, PROTOCOL};
use crate::declare::words;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, Holes, Traffic, VALUE, texts_or_none, url};

const PROTOCOLS: [(&str, Protocol); 3] = [
    ("acp", Protocol::Acp),
    ("mcp", Protocol::Mcp),
    ("proprietary", Protocol::Proprietary),
];
/// The longest name of an npm package.
const LONGEST_PACKAGE: usize = 214;

/// How one talks to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The Agent Client Protocol, on its standard streams.
    Acp,
    /// The Model Context Protocol: the agent is a tool of a server.
    Mcp,
    /// Its own, by an adapter.
    Proprietary,
}

impl Protocol {
    /// Returns its word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::Mcp => "mcp",
            Self::Proprietary => "proprietary",
        }
    }

    /// Returns the field that says more about it.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::Mcp => "mcp",
            Self::Proprietary => "adapter",
        }
    }
}

/// The server whose tool is the agent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct McpServer {
    /// The program, for `stdio`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub command: Option<Spanned<String>>,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub args: Vec<Spanned<String>>,
    /// How it is reached.
    pub transport: Spanned<McpTransport>,
    /// Where it is, for the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<Spanned<String>>,
}

words! {
    /// How a server is reached.
    pub enum McpTransport {
        /// On its standard streams.
        Stdio = "stdio",
        /// By HTTP.
        Http = "http",
        /// By HTTP, the old way.
        Sse = "sse",
    }
}

/// Reads the protocol. One that nobody knows is an error: guessing how to talk to a program is no way to start one.
pub(super) fn protocol(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<Protocol>> {
    let known = |word: &str| PROTOCOLS.iter().any(|(protocol, _)| *protocol == word);
    if let Some(word) = field.node.as_str().filter(|word| !known(word)) {
        let what = format!(
            "expected one of acp, mcp, proprietary, got {}",
            crate::doc::fields::came(field.node)
        );
        let hint = match (word, argrail_acli::nearest(word, ["acp", "mcp", "proprietary"])) {
            ("print", _) => {
                "a program that prints once is no protocol of the draft: write proprietary, and name its adapter"
                    .to_owned()
            }
            (_, Some(near)) => format!("did you mean {}?", crate::doc::fields::Quoted(near)),
            (_, None) => "write acp if the agent speaks it".to_owned(),
        };
        out.push(field.refuse(PROTOCOL, what).hint(hint));
        return None;
    }
    let protocol = field.choice(&PROTOCOLS, out)?;
    Some(Spanned::new(protocol, field.span()))
}

/// Reads how a server is reached; profiles have the same words.
pub(crate) fn transport(field: &Field<'_>, out: &mut Complaints) -> Option<McpTransport> {
    field.choice(McpTransport::WORDS, out)
}

/// Reads the server.
pub(super) fn mcp(field: &Field<'_>, out: &mut Complaints) -> Option<McpServer> {
    let mut object = field.open(out)?;
    let command = object.take("command").and_then(|field| field.line(4096, out));
    let args_field = object.take("args");
    let args = texts_or_none(args_field.clone(), out).unwrap_or_default();
    let transport = object.need("transport", out).and_then(|field| {
        let transport = transport(&field, out)?;
        Some(Spanned::new(transport, field.span()))
    });
    let url_field = object.take("url");
    let url = url_field
        .as_ref()
        .and_then(|field| url(field, Holes::None, Traffic::Checked, out));
    let has_command = object.has("command");
    object.shut(out);
    let transport = transport?;
    let (lacks, idle) = match transport.value {
        McpTransport::Stdio => ((!has_command).then_some("command"), url_field),
        McpTransport::Http | McpTransport::Sse => (url_field.is_none().then_some("url"), args_field),
    };
    if let Some(lacks) = lacks {
        out.push(
            field
                .refuse(VALUE, format!("this transport needs {lacks}"))
                .hint(format!("add '{lacks}: …'")),
        );
    }
    if let Some(idle) = idle {
        out.push(
            idle.warn(NO_EFFECT, "this transport does not use it")
                .hint("leave it out"),
        );
    }
    Some(McpServer {
        command,
        args,
        transport,
        url,
    })
}

/// Reads the name of an npm package.
pub(super) fn adapter(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<String>> {
    let hint = "write the name of an npm package such as @agentproto/adapter-gemini-cli";
    field.shaped(is_package, "the name of an npm package", hint, out)
}

/// `^@?[a-z0-9][a-z0-9\-./]*$`, and no way out of the folder of packages.
fn is_package(text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let name = text.strip_prefix('@').unwrap_or(text);
    text.len() <= LONGEST_PACKAGE
        && name.starts_with(small)
        && name.chars().all(|c| small(c) || "-./".contains(c))
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'))
}
