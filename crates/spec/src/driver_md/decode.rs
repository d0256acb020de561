//! Reading a `DRIVER.md`.

use super::auth;
use super::health_check;
use super::implements::{self, Implements};
use super::manifest::{DriverMd, DriverNetwork};
use super::rules::{KIND, NOT_RUN};
use crate::cli_md;
use crate::declare::Decode;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Field, Head, IdShape, Loaded, Refused, head, is_dotted_id, tags};
use crate::sandbox_block;
use crate::tool_md::DriverKind;

/// Reads a `DRIVER.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<DriverMd>, Refused> {
    crate::manifest::load(text, decode)
}

/// The id of a driver.
const ID: IdShape = (
    is_dotted_id,
    "an id such as \"gh.cli\"",
    "use 2 to 80 small letters, digits, '-' and '.'",
);

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<DriverMd> {
    let mut object = field.open(out)?;
    let head = head(&mut object, ID, out);
    let kind = object.need("kind", out).and_then(|field| kind(&field, out));
    let implements = object
        .need("implements", out)
        .and_then(|field| field.some_items(out));
    let implements: Option<Vec<Implements>> = implements.map(|items| {
        items
            .iter()
            .filter_map(|item| implements::decode(item, out))
            .collect()
    });
    // Whatever is missing, the rest is read, so that everything is told at once.
    let whole = head.is_some() && kind.is_some() && implements.is_some();
    let Head {
        name,
        id,
        description,
        version,
    } = head.unwrap_or_default();
    let driver = DriverMd {
        name,
        id,
        description,
        version,
        kind: kind.unwrap_or_else(|| DriverKind::Cli.into()),
        implements: implements.unwrap_or_default(),
        install: object
            .take("install")
            .and_then(|field| cli_md::decode_install(&field, out))
            .unwrap_or_default(),
        version_check: object
            .take("version_check")
            .and_then(|field| cli_md::decode_version_check(&field, out)),
        auth: object.take("auth").and_then(|field| auth::decode(&field, out)),
        runner: object
            .take("runner")
            .and_then(|field| Decode::decode(&field, out)),
        sandbox: object
            .take("sandbox")
            .and_then(|field| field.composable(out, sandbox_block::decode)),
        network: object.take("network").and_then(|field| network(&field, out)),
        region: words(object.take("region"), out),
        policy_tags: words(object.take("policy_tags"), out),
        health_check: object
            .take("health_check")
            .and_then(|field| health_check::decode(&field, out)),
        requires: object
            .take("requires")
            .and_then(|field| cli_md::decode_requires(&field, out)),
        tags: tags(object.take("tags"), out),
        metadata: object
            .take("metadata")
            .and_then(|field| field.map(out))
            .unwrap_or_default(),
    };
    whole.then_some(driver)
}

fn kind(field: &Field<'_>, out: &mut Complaints) -> Option<Spanned<DriverKind>> {
    let kind = field.choice(&DriverKind::WORDS, out)?;
    if kind != DriverKind::Cli {
        let what = "argrail runs programs: of drivers, kind \"cli\" only";
        out.push(
            field
                .warn(KIND, what)
                .hint("add the server or the tool in another way: argrail add"),
        );
    }
    Some(Spanned::new(kind, field.span()))
}

fn network(field: &Field<'_>, out: &mut Complaints) -> Option<DriverNetwork> {
    let network = sandbox_block::decode_network(field, out)?;
    Some(DriverNetwork {
        egress: network.egress,
        ingress: network.ingress,
    })
}

fn words(field: Option<Field<'_>>, out: &mut Complaints) -> Vec<String> {
    let Some(field) = field else { return Vec::new() };
    let words = field
        .list(out, |item, out| item.line(128, out))
        .unwrap_or_default();
    if !words.is_empty() {
        let what = format!("{}: it is kept and matched by nothing here", field.path);
        out.push(
            NOT_RUN
                .note(field.span(), what)
                .hint("leave it to hosts that know it"),
        );
    }
    words.into_iter().map(|word| word.value).collect()
}
