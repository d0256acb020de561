//! A `SECRETS.md`: its fields, and the rules about them. A field that would hold a secret refuses the file, and its value
//! is never repeated.

use serde_json::{Map, Value};

use super::access::Access;
use super::exposure::Exposure;
use super::rules::{BACKEND, HOLDS_VALUE, NOBODY};
use crate::declare::{Decode, Line, List, Own, Prose, Set, Slug, Tag, by, manifest, peek, texts, words};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, Field, Loaded, Refused, TWICE};

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

manifest! {
    /// An inventory of secrets.
    pub struct SecretsMd closed, check check_slugs {
        /// Them.
        need secrets: Vec<SecretEntry> as List<Own, 1>,
    }

    /// One secret: its name and who gets it, never its value.
    pub struct SecretEntry closed, before check_entry {
        /// What programs call it.
        need slug: Spanned<String> as Slug,
        /// What people call it.
        need name: String as Line<80>,
        /// What it is for.
        need description: String as Prose<1, 2000>,
        /// What it looks like; one text unless told otherwise.
        may kind: Option<SecretKind>,
        /// The vault.
        may backend: Option<String> as Vault => check_backend,
        /// Who gets it.
        may access: Option<Access>,
        /// What the record says about it.
        may audit: Option<Audit>,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
        /// Anybody's own. `metadata.bindings.env` names variables that hold it.
        may metadata: Map<String, Value>,
        /// How it reaches programs.
        may exposures: Vec<Exposure> as List,
    }

    /// What the record says about a secret.
    #[derive(Eq, Default)]
    pub struct Audit closed {
        /// How long entries are kept.
        may retention: Option<String> as Retention,
        /// Whether it says something about a person.
        may pii: Option<bool>,
        /// How it is classed.
        may classification: Vec<String> as List<Line<256>>,
    }
}

words! {
    /// What a secret looks like.
    #[derive(Default)]
    pub enum SecretKind {
        /// One text.
        #[default]
        Opaque = "opaque",
        /// Tokens that expire.
        Oauth = "oauth",
        /// Two keys.
        Keypair = "keypair",
        /// Anything.
        Json = "json",
    }
}

texts! {
    /// The address of a vault.
    Vault = by(is_vault, r"^[a-z][a-z0-9-]*://[^\u0000]*$", 0..=usize::MAX),
        "the address of a vault such as \"vault://team\"", "begin it with a scheme and ://";
    /// How long something is kept: `P7Y`, or the short `90d`.
    Retention = by(is_retention, "^(P[0-9]{1,9}[YMWD]|[0-9]{1,9}[ymwdh])$", 2..=11),
        "a span of time such as \"P7Y\" or \"90d\"", "write P7Y, or 90d";
}

/// Reads a `SECRETS.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<SecretsMd>, Refused> {
    crate::manifest::load(text, SecretsMd::decode)
}

fn check_slugs(manifest: &mut SecretsMd, _: &Field<'_>, out: &mut Complaints) {
    let secrets = &manifest.secrets;
    for (index, secret) in secrets.iter().enumerate() {
        if secrets.iter().take(index).any(|other| other.slug == secret.slug) {
            let what = format!("secrets: the slug {} stands twice", Quoted(&secret.slug));
            let hint = "give each secret a slug of its own";
            out.push(TWICE.error(secret.slug.span, what).hint(hint));
        }
    }
}

/// Complains about a field that would hold a secret, and tells of a secret that nobody gets.
fn check_entry(object: &mut Closed<'_>, out: &mut Complaints) {
    for key in VALUES {
        let Some(field) = object.take(key) else { continue };
        let what = "an inventory holds names of secrets and never a value";
        let hint = "remove it and, if it was one, replace the secret where it comes from";
        out.push(field.refuse(HOLDS_VALUE, what).hint(hint));
    }
    let access = peek::<Access, Own>(object, "access");
    let nobody = access.is_none_or(|access| access.reveal.is_empty() && access.bind.is_empty());
    if let Some(slug) = peek::<Spanned<String>, Slug>(object, "slug").filter(|_| nobody) {
        let what = format!("{}: nobody may have {}", object.field().path, Quoted(&slug));
        let hint = "add access: {bind: [{tool: …}]}, or grant it with argrail";
        out.push(NOBODY.note(slug.span, what).hint(hint));
    }
}

fn check_backend(_: &Option<String>, field: &Field<'_>, out: &mut Complaints) {
    let what = format!("{}: it tells everybody where the secret is kept", field.path);
    let hint = "leave it out: the slug is enough";
    out.push(BACKEND.note(field.span(), what).hint(hint));
}

fn is_vault(text: &str) -> bool {
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        scheme.starts_with(|c: char| c.is_ascii_lowercase()) && scheme.chars().all(small)
    })
}

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

impl SecretsMd {
    /// Returns the names of the variables in which secrets reach programs.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().flat_map(SecretEntry::variables)
    }

    /// Returns the secret of a slug.
    pub fn get(&self, slug: &str) -> Option<&SecretEntry> {
        self.secrets.iter().find(|entry| entry.slug.as_str() == slug)
    }
}

impl SecretEntry {
    /// Returns the names of the variables in which it reaches programs.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        let exposed = self.exposures.iter().filter_map(|exposure| match exposure {
            Exposure::Env(variable) => Some(variable.name.as_str()),
            Exposure::File(_) | Exposure::Substitute(_) | Exposure::Other(_) => None,
        });
        let bound = self
            .metadata
            .get("bindings")
            .and_then(|bindings| bindings.get("env"));
        let bound = match bound {
            Some(Value::Array(names)) => names.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        exposed.chain(bound.iter().filter_map(Value::as_str))
    }
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
