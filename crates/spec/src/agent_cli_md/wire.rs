//! AIP-45, the protocol discriminator, and what each protocol needs.

use schemars::{Schema, SchemaGenerator};

use super::rules::{NO_EFFECT, PROTOCOL};
use crate::declare::{AnyText, Decode, Line, List, WebPage, by, manifest, texts, words};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, VALUE};

words! {
    /// How one talks to the agent.
    pub enum Protocol {
        /// The Agent Client Protocol, on its standard streams.
        Acp = "acp",
        /// The Model Context Protocol: the agent is a tool of a server.
        Mcp = "mcp",
        /// Its own, by an adapter.
        Proprietary = "proprietary",
    }

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

manifest! {
    /// The server whose tool is the agent.
    pub struct McpServer closed, check check_transport {
        /// The program, for `stdio`.
        may command: Option<Spanned<String>> as Line<4096>,
        /// Its arguments.
        may args: Vec<Spanned<String>> as List<AnyText>,
        /// How it is reached.
        need transport: Spanned<McpTransport>,
        /// Where it is, for the others.
        may url: Option<Spanned<String>> as WebPage,
    }
}

texts! {
    /// The name of an npm package, which is no way out of the folder of packages.
    NpmPackage = by(is_package, r"^@?(?!.*(//|/\.|/$))[a-z0-9][a-z0-9./-]*$", 1..=214),
        "the name of an npm package", "write the name of an npm package such as @agentproto/adapter-gemini-cli";
}

impl Protocol {
    /// Returns the field that says more about it.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::Mcp => "mcp",
            Self::Proprietary => "adapter",
        }
    }
}

/// A protocol that is known. Another is an error: guessing how to talk to a program is no way to start one.
pub(super) struct Known;

impl Decode<Known> for Protocol {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        protocol(field, out)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        <Self as Decode>::schema(generator)
    }
}

fn protocol(field: &Field<'_>, out: &mut Complaints) -> Option<Protocol> {
    let known = |word: &str| Protocol::WORDS.iter().any(|(protocol, _)| *protocol == word);
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
    field.choice(Protocol::WORDS, out)
}

fn check_transport(server: &mut McpServer, field: &Field<'_>, out: &mut Complaints) {
    let (needs, idle) = match server.transport.value {
        McpTransport::Stdio => ("command", "url"),
        McpTransport::Http | McpTransport::Sse => ("url", "args"),
    };
    if field.member(needs).is_none() {
        let complaint = field.refuse(VALUE, format!("this transport needs {needs}"));
        out.push(complaint.hint(format!("add '{needs}: …'")));
    }
    if let Some(idle) = field.member(idle) {
        let complaint = idle.warn(NO_EFFECT, "this transport does not use it");
        out.push(complaint.hint("leave it out"));
    }
}

/// `^@?[a-z0-9][a-z0-9\-./]*$`, and no way out of the folder of packages.
fn is_package(text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let name = text.strip_prefix('@').unwrap_or(text);
    name.starts_with(small)
        && name.chars().all(|c| small(c) || "-./".contains(c))
        && name
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.'))
}
