//! Whole CLI bundles among the files: a `CLI.md` is checked with everything that lies in its folder.
//!
//! Nothing is followed that leads out of the folder, and only texts are read.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_engine::catalog::bundle::{CLI, FolderError, gather};
use argrail_spec::bundle::same_identity;
use argrail_spec::cli_md::CliMd;
use argrail_spec::lint::{Outcome, Strictness, lint_bundle};

use super::files::told;

/// What was found in the files of bundles.
#[derive(Default)]
pub(super) struct InBundles {
    outcomes: HashMap<PathBuf, Outcome>,
    order: Vec<(PathBuf, Vec<PathBuf>)>,
}

impl InBundles {
    /// Takes what was found in a file.
    pub(super) fn take(&mut self, path: &Path) -> Option<Outcome> {
        self.outcomes.remove(path)
    }

    /// Returns the files of the bundle whose manifest this is and of which nothing was told yet.
    pub(super) fn rest(&self, manifest: &Path) -> Vec<PathBuf> {
        let bundle = self.order.iter().find(|(path, _)| path == manifest);
        let untold = |path: &&PathBuf| self.outcomes.contains_key(*path);
        bundle
            .into_iter()
            .flat_map(|(_, files)| files)
            .filter(untold)
            .cloned()
            .collect()
    }
}

/// Checks every bundle whose manifest is among `paths`, and the bundles against each other.
pub(super) fn in_bundles<'a>(
    paths: impl Iterator<Item = &'a Path>,
    strictness: Strictness,
) -> Result<InBundles, Error> {
    let mut found = InBundles::default();
    let mut manifests: Vec<(PathBuf, CliMd)> = Vec::new();
    for path in paths.filter(|path| path.file_name().is_some_and(|name| name == CLI)) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = gather(if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        });
        let files = files.map_err(|error| unreadable(&error))?.files;
        let name = named(folder);
        let (manifest, checked) = lint_bundle(name.as_deref(), &files, strictness);
        let mut order = Vec::new();
        for file in checked {
            let path = folder.join(&file.path);
            order.push(path.clone());
            found.outcomes.insert(path, file.outcome);
        }
        found.order.push((path.to_owned(), order));
        manifests.extend(manifest.map(|manifest| (path.to_owned(), manifest)));
    }
    let names: Vec<(String, &CliMd)> = manifests
        .iter()
        .map(|(path, manifest)| (path.to_string_lossy().into_owned(), manifest))
        .collect();
    let side_by_side: Vec<(&str, &CliMd)> = names.iter().map(|(name, one)| (name.as_str(), *one)).collect();
    for (index, complaint) in same_identity(&side_by_side) {
        let path = manifests.get(index).map(|(path, _)| path);
        if let Some(outcome) = path.and_then(|path| found.outcomes.get_mut(path)) {
            outcome.diagnostics.push(complaint);
        }
    }
    Ok(found)
}

/// Returns what the folder is called; one that is written as `.` has a name, too.
fn named(folder: &Path) -> Option<String> {
    let folder = fs::canonicalize(if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    })
    .ok()?;
    folder.file_name().map(|name| name.to_string_lossy().into_owned())
}

fn unreadable(error: &FolderError) -> Error {
    match error {
        FolderError::File(error) => told(error),
        FolderError::TooMuch { .. } => Error::invalid(
            Text::new("{}").value(error.to_string()),
            "Keep only what belongs to the bundle in its folder",
        ),
    }
}
