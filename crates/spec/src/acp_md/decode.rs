//! Reading an `ACP.md`.

use super::capabilities;
use super::manifest::{
    AcpKind, AcpMcpServer, AcpMd, AcpMetadata, AcpTransport, Aip44, AuditKind, AuditTarget, Tier,
};
use super::rules::{NEEDS, NO_EFFECT, TRANSPORT};
use crate::agent_cli_md::mcp_transport;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, Head, IdShape, Loaded, Refused, TWICE, head, is_bundle_id, tags};

const KINDS: [(&str, AcpKind); 3] = [
    ("client", AcpKind::Client),
    ("server", AcpKind::Server),
    ("bridge", AcpKind::Bridge),
];
const TRANSPORTS: [(&str, AcpTransport); 2] = [
    ("stdio", AcpTransport::Stdio),
    ("websocket", AcpTransport::Websocket),
];
const TIERS: [(&str, Tier); 3] = [
    ("basic", Tier::Basic),
    ("governance-aware", Tier::GovernanceAware),
    ("sandboxed", Tier::Sandboxed),
];
const AUDITS: [(&str, AuditKind); 3] = [
    ("governance", AuditKind::Governance),
    ("external", AuditKind::External),
    ("off", AuditKind::Off),
];

/// Reads an `ACP.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<AcpMd>, Refused> {
    crate::manifest::load(text, decode)
}

/// The id of a profile.
const ID: IdShape = (
    is_bundle_id,
    "an id such as \"goose-acp\"",
    "use 2 to 64 small letters, digits and '-'",
);

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<AcpMd> {
    let mut object = field.open(out)?;
    let head = head(&mut object, ID, out);
    let kind = object.need("kind", out).and_then(|field| {
        let kind = field.choice(&KINDS, out)?;
        Some(Spanned::new(kind, field.span()))
    });
    let transport = object
        .need("transport", out)
        .and_then(|field| transport(&field, out));
    let metadata = object
        .need("metadata", out)
        .and_then(|field| metadata(&field, out));
    let tags = tags(object.take("tags"), out);
    object.leave(out);
    let Head {
        name,
        id,
        description,
        version,
    } = head?;
    let profile = AcpMd {
        name,
        id,
        description,
        version,
        kind: kind?,
        transport: transport?,
        metadata: metadata?,
        tags,
    };
    if profile.kind.value == AcpKind::Server && profile.metadata.aip44.operator.is_none() {
        let what = "kind: a server needs metadata.aip44.operator";
        let hint = "name the OPERATOR.md that it shows, or write kind: client";
        out.push(NEEDS.error(profile.kind.span, what).hint(hint));
    }
    Some(profile)
}

fn transport(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<Vec<AcpTransport>>> {
    let ways = if field.node.as_array().is_some() {
        let mut ways = Vec::new();
        for item in field.some_items(out)? {
            let Some(way) = item.choice(&TRANSPORTS, out) else {
                continue;
            };
            if ways.contains(&way) {
                out.push(
                    item.refuse(TWICE, "the word stands twice")
                        .hint("remove one of the two"),
                );
            } else {
                ways.push(way);
            }
        }
        ways
    } else {
        vec![field.choice(&TRANSPORTS, out)?]
    };
    if !ways.is_empty() && !ways.contains(&AcpTransport::Stdio) {
        let what = "stdio is required";
        out.push(field.warn(TRANSPORT, what).hint("write [stdio, websocket]"));
    }
    Some(Spanned::new(ways, field.span()))
}

fn metadata(field: &Field<'_>, out: &mut Complaints) -> Option<AcpMetadata> {
    let mut object = field.open(out)?;
    let aip44 = object.need("aip44", out).and_then(|field| aip44(&field, out));
    object.leave(out);
    let mut more = field.map(out)?;
    more.remove("aip44");
    Some(AcpMetadata { aip44: aip44?, more })
}

fn aip44(field: &Field<'_>, out: &mut Complaints) -> Option<Aip44> {
    let mut object = field.open(out)?;
    let acp_rev = object.need("acp_rev", out).and_then(|field| {
        let hint = "write 7 to 40 digits of the commit, in quotes";
        field.shaped(is_revision, "a commit such as \"7f3c2a1\"", hint, out)
    });
    let tier = object.need("tier", out).and_then(|field| {
        let tier = field.choice(&TIERS, out)?;
        Some(Spanned::new(tier, field.span()))
    });
    let capabilities = object
        .take("capabilities")
        .and_then(|field| capabilities::decode(&field, out));
    let operator = object.take("operator").and_then(|field| field.line(1024, out));
    let governance = idle(object.take("governance"), "argrail's own rules apply", out)
        .and_then(|field| field.line(1024, out));
    let sandbox = object.take("sandbox").and_then(|field| field.reference(out));
    let audit = idle(object.take("audit"), "everything is in argrail's own record", out)
        .and_then(|field| audit(&field, out));
    let servers = idle(
        object.take("mcp_servers"),
        "servers of a profile are not mounted",
        out,
    );
    let mcp_servers = servers.and_then(|field| field.list(out, server));
    let has_sandbox = object.has("sandbox");
    object.leave(out);
    if let Some(tier) = tier
        .as_ref()
        .filter(|tier| tier.value == Tier::Sandboxed && !has_sandbox)
    {
        let what = "metadata.aip44.tier: sandboxed needs metadata.aip44.sandbox";
        out.push(NEEDS.error(tier.span, what).hint("name a SANDBOX.md"));
    }
    Some(Aip44 {
        acp_rev: acp_rev?,
        tier: tier?,
        capabilities,
        operator,
        governance,
        sandbox,
        audit,
        mcp_servers: mcp_servers.unwrap_or_default(),
    })
}

/// Tells of a part that has no effect here.
fn idle<'a>(field: Option<Field<'a>>, why: &str, out: &mut Complaints) -> Option<Field<'a>> {
    let field = field?;
    let what = format!("{}: {why}", field.path);
    out.push(
        NO_EFFECT
            .note(field.span(), what)
            .hint("leave it to hosts that know it"),
    );
    Some(field)
}

fn audit(field: &Field<'_>, out: &mut Complaints) -> Option<AuditTarget> {
    let mut object = field.open(out)?;
    let target = object.take("ref").and_then(|field| field.line(1024, out));
    let kind = object.take("kind").and_then(|field| field.choice(&AUDITS, out));
    object.shut(out);
    Some(AuditTarget { target, kind })
}

fn server(field: &Field<'_>, out: &mut Complaints) -> Option<AcpMcpServer> {
    let mut object = field.open(out)?;
    let name = object.need("name", out).and_then(|field| field.line(256, out));
    let transport = object
        .need("transport", out)
        .and_then(|field| mcp_transport(&field, out));
    let target = object.take("ref").and_then(|field| field.line(1024, out));
    object.shut(out);
    Some(AcpMcpServer {
        name: name?,
        transport: transport?,
        target,
    })
}

fn is_revision(text: &str) -> bool {
    (7..=40).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b'a'..=b'f' | b'0'..=b'9'))
}
