//! An `ACP.md`: its fields, and the rules about them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use super::capabilities::AcpCapabilities;
use super::rules::{NEEDS, NO_EFFECT, TRANSPORT};
use crate::agent_cli_md::McpTransport;
use crate::declare::{
    BUNDLE_ID, Decode, Line, List, Own, Prose, Set, Tag, manifest, name, own, peek, texts, words,
};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Closed, Field, Loaded, ManifestVersion, Reference, Refused};

manifest! {
    /// A profile of the protocol.
    pub struct AcpMd open, check check_server {
        /// What it is called.
        need name: Spanned<String> as Line<80>,
        /// What programs call it.
        need id: Spanned<String> as AcpId,
        /// What it is for.
        need description: Spanned<String> as Prose<1, 2000>,
        /// The version of this manifest, not of the protocol.
        need version: Spanned<ManifestVersion>,
        /// Which side it is about.
        need kind: Spanned<AcpKind>,
        /// How the two sides reach each other: one way, or several.
        need transport: Spanned<Vec<AcpTransport>> as OneOrMore => check_transport,
        /// What the draft adds to the protocol, and anybody's own.
        need metadata: AcpMetadata,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
    }

    /// What the draft adds to the protocol.
    pub struct Aip44 open, before check_parts {
        /// The commit of the protocol's repository.
        need acp_rev: Spanned<String> as Commit,
        /// How much of the protocol there is.
        need tier: Spanned<Tier>,
        /// What either side can do; overrides what the tier means.
        may capabilities: Option<AcpCapabilities>,
        /// The operator that a server shows.
        may operator: Option<Spanned<String>> as Line<1024>,
        /// The governance that it is under.
        may governance: Option<Spanned<String>> as Line<1024>,
        /// The sandbox of the tier `sandboxed`.
        may sandbox: Option<Reference>,
        /// Where the record goes.
        may audit: Option<AuditTarget>,
        /// Servers that are handed to the agent.
        may mcp_servers: Vec<AcpMcpServer> as List,
    }

    /// Where the record goes.
    #[derive(Eq, Default)]
    pub struct AuditTarget closed {
        /// A file or a service.
        may target("ref"): Option<Spanned<String>> as Line<1024>,
        /// Whose it is.
        may kind: Option<AuditKind>,
    }

    /// A server that is handed to the agent.
    #[derive(Eq)]
    pub struct AcpMcpServer closed {
        /// What it is called.
        need name: Spanned<String> as Line<256>,
        /// How it is reached.
        need transport: McpTransport,
        /// Where it is described.
        may target("ref"): Option<Spanned<String>> as Line<1024>,
    }
}

words! {
    /// Which side a profile is about.
    pub enum AcpKind {
        /// The one that starts an agent.
        Client = "client",
        /// The one that is an agent.
        Server = "server",
        /// Both.
        Bridge = "bridge",
    }

    /// How two sides reach each other.
    pub enum AcpTransport {
        /// On standard streams.
        Stdio = "stdio",
        /// By a web socket.
        Websocket = "websocket",
    }

    /// How much of the protocol there is. Each has what those before it have.
    #[derive(PartialOrd, Ord)]
    pub enum Tier {
        /// Sessions, prompts, updates.
        Basic = "basic",
        /// Sessions that are loaded, tool calls that are told.
        GovernanceAware = "governance-aware",
        /// Servers, and a sandbox.
        Sandboxed = "sandboxed",
    }

    /// Whose record it is.
    pub enum AuditKind {
        /// The governance's.
        Governance = "governance",
        /// Somebody else's.
        External = "external",
        /// Nobody's.
        Off = "off",
    }
}

texts! {
    /// The id of a profile.
    AcpId = BUNDLE_ID, "an id such as \"goose-acp\"", "use 2 to 64 small letters, digits and '-'";
    /// A commit.
    Commit = name("a-f0-9", "a-f0-9", "a-f0-9", 7..=40),
        "a commit such as \"7f3c2a1\"", "write 7 to 40 digits of the commit, in quotes";
}

/// The block of the draft, and anybody's own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AcpMetadata {
    /// That of the draft.
    pub aip44: Aip44,
    /// Anybody's own.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// Reads an `ACP.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<AcpMd>, Refused> {
    crate::manifest::load(text, AcpMd::decode)
}

own! {
    AcpMetadata: |field, out| {
        let mut object = field.open(out)?;
        let aip44 = object.need("aip44", out).and_then(|field| Aip44::decode(&field, out));
        object.leave(out);
        let mut more = field.map(out)?;
        more.remove("aip44");
        Some(AcpMetadata { aip44: aip44?, more })
    };
}

/// A word, or a list of them.
struct OneOrMore;

impl Decode<OneOrMore> for Vec<AcpTransport> {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        match field.node.as_array() {
            Some(_) => <Self as Decode<Set<Own, 1>>>::decode(field, out),
            None => Some(vec![AcpTransport::decode(field, out)?]),
        }
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let one = AcpTransport::schema(generator);
        let more = <Self as Decode<Set<Own, 1>>>::schema(generator);
        json_schema!({"anyOf": [one, more]})
    }
}

fn check_transport(ways: &Spanned<Vec<AcpTransport>>, field: &Field<'_>, out: &mut Complaints) {
    if !ways.is_empty() && !ways.contains(&AcpTransport::Stdio) {
        let what = "stdio is required";
        out.push(field.warn(TRANSPORT, what).hint("write [stdio, websocket]"));
    }
}

fn check_server(profile: &mut AcpMd, _: &Field<'_>, out: &mut Complaints) {
    if profile.kind.value == AcpKind::Server && profile.metadata.aip44.operator.is_none() {
        let what = "kind: a server needs metadata.aip44.operator";
        let hint = "name the OPERATOR.md that it shows, or write kind: client";
        out.push(NEEDS.error(profile.kind.span, what).hint(hint));
    }
}

/// Tells of parts that have no effect here, and of a tier without what it needs.
fn check_parts(object: &mut Closed<'_>, out: &mut Complaints) {
    let idle = [
        ("governance", "argrail's own rules apply"),
        ("audit", "everything is in argrail's own record"),
        ("mcp_servers", "servers of a profile are not mounted"),
    ];
    for (key, why) in idle {
        if let Some(field) = object.field().member(key) {
            let what = format!("{}: {why}", field.path);
            let hint = "leave it to hosts that know it";
            out.push(NO_EFFECT.note(field.span(), what).hint(hint));
        }
    }
    let tier = peek::<Spanned<Tier>, Own>(object, "tier");
    if let Some(tier) = tier.filter(|tier| tier.value == Tier::Sandboxed && !object.has("sandbox")) {
        let what = "metadata.aip44.tier: sandboxed needs metadata.aip44.sandbox";
        out.push(NEEDS.error(tier.span, what).hint("name a SANDBOX.md"));
    }
}
