//! Where an entry and its manifest disagree: the manifest wins, and it is told (AIP-29, Conformance rules 2).

use std::fmt;

use argrail_spec::cli_md::CliMd;
use serde::Serialize;
use serde_json::Value;

use super::describe::Described;

/// A field in which an entry says something else than the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The field, under the manifest's name.
    pub field: &'static str,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: the entry says something else than CLI.md, which is believed",
            self.field
        )
    }
}

/// Compares what both say. What an entry does not say is no conflict.
pub(super) fn conflicts(entry: &Described, manifest: &CliMd) -> Vec<Conflict> {
    let texts = [
        ("id", &entry.id, manifest.id.as_str()),
        ("name", &entry.name, manifest.name.as_str()),
        ("description", &entry.description, manifest.description.as_str()),
        ("bin", &entry.bin, manifest.bin.as_str()),
    ];
    let mut fields: Vec<&'static str> = texts
        .into_iter()
        .filter(|(_, said, ours)| said.as_deref().is_some_and(|said| said != *ours))
        .map(|(field, ..)| field)
        .collect();
    let version = manifest.version.value.to_string();
    let tags: Vec<&str> = manifest.tags.iter().map(|tag| tag.as_str()).collect();
    let mut note = |differs: bool, field| {
        if differs {
            fields.push(field);
        }
    };
    note(
        entry.version.as_ref().is_some_and(|said| *said != version),
        "version",
    );
    note(differs(entry.install.as_ref(), &manifest.install), "install");
    note(
        differs(entry.version_check.as_ref(), &manifest.version_check),
        "version_check",
    );
    note(differs(entry.sandbox.as_ref(), &manifest.sandbox), "sandbox");
    note(differs(entry.commands.as_ref(), &manifest.commands), "commands");
    note(entry.tags.as_ref().is_some_and(|said| *said != tags), "tags");
    fields.into_iter().map(|field| Conflict { field }).collect()
}

fn differs(said: Option<&Value>, ours: &impl Serialize) -> bool {
    said.is_some_and(|said| serde_json::to_value(ours).ok().as_ref() != Some(said))
}
