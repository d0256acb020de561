//! What most manifests begin with: what they are called, what they are for, which version they are.

use super::closed::Closed;
use super::version::ManifestVersion;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;

/// The first fields of a manifest.
#[derive(Default)]
pub(crate) struct Head {
    pub(crate) name: Spanned<String>,
    pub(crate) id: Spanned<String>,
    pub(crate) description: Spanned<String>,
    pub(crate) version: Spanned<ManifestVersion>,
}

/// The shape of an id: the test, what it is in words, and what to write.
pub(crate) type IdShape = (fn(&str) -> bool, &'static str, &'static str);

/// Reads the first fields; all of them must be there.
pub(crate) fn head(
    object: &mut Closed<'_>,
    (is_id, expected, hint): IdShape,
    out: &mut Complaints,
) -> Option<Head> {
    let name = object.need("name", out).and_then(|field| field.line(80, out));
    let id = object
        .need("id", out)
        .and_then(|field| field.shaped(is_id, expected, hint, out));
    let description = object
        .need("description", out)
        .and_then(|field| field.prose(1..=2000, out));
    let version = object.need("version", out).and_then(|field| field.version(out));
    Some(Head {
        name: name?,
        id: id?,
        description: description?,
        version: version?,
    })
}
