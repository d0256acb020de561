//! The files of a bundle, as whoever has them hands them over.

use std::collections::BTreeMap;

/// Names from the root of the bundle, with `/` between folders, and the texts of those that are manifests.
#[derive(Debug, Clone, Default)]
pub struct Files(BTreeMap<String, Option<Vec<u8>>>);

impl Files {
    /// Adds a manifest.
    pub fn text(&mut self, path: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.0.insert(path.into(), Some(text.into()));
    }

    /// Adds a file whose contents do not matter, such as a program.
    pub fn other(&mut self, path: impl Into<String>) {
        self.0.entry(path.into()).or_insert(None);
    }

    /// Whether a file is there.
    pub fn has(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// Returns the text of a manifest.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.0.get(path)?.as_deref()
    }

    /// Returns every name.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

/// Returns the folder of a file, empty for the root.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
