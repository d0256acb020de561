//! A `SECRETS.md` as a whole.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::access::Access;
use super::exposure::Exposure;
use crate::doc::Spanned;

/// An inventory of secrets.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretsMd {
    /// Them.
    #[schemars(length(min = 1))]
    pub secrets: Vec<SecretEntry>,
}

impl SecretsMd {
    /// Returns the names of the variables in which secrets reach programs.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().flat_map(SecretEntry::variables)
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

/// One secret: its name and who gets it, never its value.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SecretEntry {
    /// What programs call it.
    #[schemars(
        length(min = 2, max = 80),
        regex(pattern = "^([a-z][a-z0-9-]*[a-z0-9]/)?[a-z][a-z0-9-]*[a-z0-9]$")
    )]
    pub slug: Spanned<String>,
    /// What people call it.
    #[schemars(length(min = 1, max = 80))]
    pub name: String,
    /// What it is for.
    #[schemars(length(min = 1, max = 2000))]
    pub description: String,
    /// What it looks like; one text unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<SecretKind>,
    /// The vault.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[a-z][a-z0-9-]*://"))]
    pub backend: Option<String>,
    /// Who gets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access: Option<Access>,
    /// What the record says about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
    /// Words to find it by.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$")))]
    pub tags: Vec<Spanned<String>>,
    /// Anybody's own. `metadata.bindings.env` names variables that hold it.
    #[serde(skip_serializing_if = "Map::is_empty", default)]
    pub metadata: Map<String, Value>,
    /// How it reaches programs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exposures: Vec<Exposure>,
}

/// What a secret looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SecretKind {
    /// One text.
    #[default]
    Opaque,
    /// Tokens that expire.
    Oauth,
    /// Two keys.
    Keypair,
    /// Anything.
    Json,
}

/// What the record says about a secret.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Audit {
    /// How long entries are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^(P[0-9]+[YMWD]|[0-9]+(y|m|w|d|h))$"))]
    pub retention: Option<String>,
    /// Whether it says something about a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pii: Option<bool>,
    /// How it is classed.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(length(min = 1)))]
    pub classification: Vec<String>,
}

impl SecretsMd {
    /// Returns the secret of a slug.
    pub fn get(&self, slug: &str) -> Option<&SecretEntry> {
        self.secrets.iter().find(|entry| entry.slug.as_str() == slug)
    }
}
