//! Reading a `SECRETS.md`. A field that would hold a secret refuses the file, and its value is never repeated.

use super::access;
use super::exposure;
use super::manifest::{Audit, SecretEntry, SecretKind, SecretsMd};
use super::rules::{BACKEND, HOLDS_VALUE, NOBODY};
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, Field, Loaded, Refused, TWICE, is_slug, tags};

/// Fields that would hold a secret.
const VALUES: [&str; 7] = [
    "value",
    "plaintext",
    "ciphertext",
    "secret",
    "data",
    "key",
    "token",
];
const KINDS: [(&str, SecretKind); 4] = [
    ("opaque", SecretKind::Opaque),
    ("oauth", SecretKind::Oauth),
    ("keypair", SecretKind::Keypair),
    ("json", SecretKind::Json),
];

/// Reads a `SECRETS.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<SecretsMd>, Refused> {
    crate::manifest::load(text, decode)
}

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<SecretsMd> {
    let mut object = field.open(out)?;
    let items = object
        .need("secrets", out)
        .and_then(|field| field.some_items(out));
    object.shut(out);
    let secrets: Vec<SecretEntry> = items?.iter().filter_map(|item| entry(item, out)).collect();
    for (index, secret) in secrets.iter().enumerate() {
        if secrets.iter().take(index).any(|other| other.slug == secret.slug) {
            let what = format!("secrets: the slug {} stands twice", Quoted(&secret.slug));
            out.push(
                TWICE
                    .error(secret.slug.span, what)
                    .hint("give each secret a slug of its own"),
            );
        }
    }
    Some(SecretsMd { secrets })
}

fn entry(field: &Field<'_>, out: &mut Complaints) -> Option<SecretEntry> {
    let mut object = field.open(out)?;
    refuse_values(&mut object, out);
    let slug = object.need("slug", out).and_then(|field| {
        let hint = "use small letters, digits and '-', with one '/' at most";
        field.shaped(is_slug, "a slug such as \"gh/token\"", hint, out)
    });
    let name = object.need("name", out).and_then(|field| field.line(80, out));
    let description = object
        .need("description", out)
        .and_then(|field| field.prose(1..=2000, out));
    let kind = object.take("kind").and_then(|field| field.choice(&KINDS, out));
    let backend = object.take("backend").and_then(|field| backend(&field, out));
    let access = object
        .take("access")
        .and_then(|field| access::decode(&field, out));
    let audit = object.take("audit").and_then(|field| audit(&field, out));
    let tags = tags(object.take("tags"), out);
    let metadata = object.take("metadata").and_then(|field| field.map(out));
    let exposures = object
        .take("exposures")
        .and_then(|field| field.list(out, exposure::decode));
    object.shut(out);
    let slug = slug?;
    if access
        .as_ref()
        .is_none_or(|access| access.reveal.is_empty() && access.bind.is_empty())
    {
        let what = format!("{}: nobody may have {}", field.path, Quoted(&slug));
        out.push(
            NOBODY
                .note(slug.span, what)
                .hint("add access: {bind: [{tool: …}]}, or grant it with argrail"),
        );
    }
    Some(SecretEntry {
        slug,
        name: name?.value,
        description: description?.value,
        kind,
        backend,
        access,
        audit,
        tags,
        metadata: metadata.unwrap_or_default(),
        exposures: exposures.unwrap_or_default(),
    })
}

/// Complains about a field that would hold a secret; `misplaced` never repeats what stands in it.
fn refuse_values(object: &mut Closed<'_>, out: &mut Complaints) {
    for key in VALUES {
        let Some(field) = object.take(key) else { continue };
        let what = "an inventory holds names of secrets and never a value";
        let hint = "remove it and, if it was one, replace the secret where it comes from";
        out.push(field.refuse(HOLDS_VALUE, what).hint(hint));
    }
}

fn backend(field: &Field<'_>, out: &mut Complaints) -> Option<String> {
    let is_backend = |text: &str| {
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        scheme.is_some_and(|scheme| {
            scheme.starts_with(|c: char| c.is_ascii_lowercase())
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        })
    };
    let backend = field.shaped(
        is_backend,
        "the address of a vault such as \"vault://team\"",
        "begin it with a scheme and ://",
        out,
    )?;
    let what = format!("{}: it tells everybody where the secret is kept", field.path);
    out.push(
        BACKEND
            .note(field.span(), what)
            .hint("leave it out: the slug is enough"),
    );
    Some(backend.value)
}

fn audit(field: &Field<'_>, out: &mut Complaints) -> Option<Audit> {
    let mut object = field.open(out)?;
    let hint = "write P7Y, or 90d";
    let retention = object.take("retention").and_then(|field| {
        field.shaped(
            is_retention,
            "a span of time such as \"P7Y\" or \"90d\"",
            hint,
            out,
        )
    });
    let pii = object.take("pii").and_then(|field| field.truth(out));
    let classes = object
        .take("classification")
        .and_then(|field| field.list(out, |item, out| item.line(256, out)));
    object.shut(out);
    Some(Audit {
        retention: retention.map(|text| text.value),
        pii,
        classification: classes
            .unwrap_or_default()
            .into_iter()
            .map(|class| class.value)
            .collect(),
    })
}

/// `P7Y`, or the short `90d`.
fn is_retention(text: &str) -> bool {
    let (digits, units) = match text.strip_prefix('P') {
        Some(rest) => (rest, ['Y', 'M', 'W', 'D', 'D']),
        None => (text, ['y', 'm', 'w', 'd', 'h']),
    };
    let number = digits.strip_suffix(units);
    number.is_some_and(|number| {
        (1..=9).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retention_has_two_forms() {
        for text in ["P7Y", "P90D", "7y", "12m", "48h"] {
            assert!(is_retention(text), "{text}");
        }
        for text in ["P7H", "P", "7", "y", "P7Y1D", "-7y", "7Y", ""] {
            assert!(!is_retention(text), "{text}");
        }
    }
}
