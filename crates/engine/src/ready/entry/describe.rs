//! What an entry says about itself, to be held against the manifest.

use argrail_spec::cli_md::CliMd;
use serde::Deserialize;
use serde_json::Value;

use super::conflict::{Conflict, conflicts};
use super::error::EntryError;
use super::find::Entry;
use super::request::ask;

/// The fields of a definition that a manifest has, too, and the hooks that there are.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Described {
    /// What programs call it.
    pub id: Option<String>,
    /// What people call it.
    pub name: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// The version of the manifest.
    pub version: Option<String>,
    /// The program.
    pub bin: Option<String>,
    /// How it is installed.
    pub install: Option<Value>,
    /// How its version is found.
    pub version_check: Option<Value>,
    /// What it may touch.
    pub sandbox: Option<Value>,
    /// Its subcommands.
    pub commands: Option<Value>,
    /// Words to find it by.
    pub tags: Option<Vec<String>>,
    /// The hooks: `login`, `refresh`, `parseOutput`, `detectExpiry`.
    pub hooks: Vec<String>,
}

impl Described {
    /// Returns where it disagrees with the manifest, which wins.
    pub fn conflicts(&self, manifest: &CliMd) -> Vec<Conflict> {
        conflicts(self, manifest)
    }
}

/// Asks an entry what it says about itself; none if it does not say.
///
/// # Errors
/// When it cannot be asked or does not answer.
pub fn describe(entry: &Entry) -> Result<Option<Described>, EntryError> {
    let Some(value) = ask(entry, "describe", &Value::Object(serde_json::Map::new()))? else {
        return Ok(None);
    };
    let described = serde_json::from_value(value).map_err(|error| EntryError::Unreadable {
        why: error.to_string(),
    })?;
    Ok(Some(described))
}
