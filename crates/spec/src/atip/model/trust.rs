//! Who says so, and which executable is meant (later drafts).

use schemars::JsonSchema;
use serde::Serialize;

use super::Extra;

/// Who says so. A tool's own word never raises its trust; a checksum is held against the file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Trust {
    /// `native`, `vendor`, `org`, `community`, `user` or `inferred`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether somebody has checked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// How it can be checked: `checksum` and others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrity: Option<Extra>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The executable that a shim describes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Binary {
    /// Its digest: `sha256:…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// Its name, where the root has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its version, where the root has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it was built for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub platform: Option<String>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}
