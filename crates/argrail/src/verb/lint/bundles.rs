//! Whole bundles among the files: a `CLI.md` or an `AGENT-CLI.md` is checked with everything that lies in its folder.
//!
//! Nothing is followed that leads out of the folder, and only texts are read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_engine::catalog::bundle::{CLI, FolderError, gather};
use argrail_spec::agent_bundle;
use argrail_spec::bundle::{Files, Neighbour, same_identity};
use argrail_spec::doc::Span;
use argrail_spec::lint::{BundleFile, Outcome, Strictness, lint_agent, lint_bundle};

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

    /// Keeps what was found in the files of a bundle. A file of two bundles is told of once.
    fn keep(&mut self, manifest: &Path, folder: &Path, checked: Vec<BundleFile>) {
        let mut order = Vec::new();
        for file in checked {
            let path = folder.join(&file.path);
            order.push(path.clone());
            match self.outcomes.entry(path) {
                Entry::Vacant(place) => drop(place.insert(file.outcome)),
                Entry::Occupied(mut place) => {
                    let told = &mut place.get_mut().diagnostics;
                    let new = file.outcome.diagnostics.into_iter();
                    let new: Vec<_> = new.filter(|one| !told.contains(one)).collect();
                    told.extend(new);
                }
            }
        }
        self.order.push((manifest.to_owned(), order));
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

/// The folders that are checked as a whole, each kind by its manifest.
const KINDS: [(&str, Check); 2] = [(CLI, cli), (agent_bundle::MANIFEST, agent)];

/// How a folder of a kind is checked: its name, what lies in it, how much is asked.
type Check = fn(Option<&str>, &Files, Strictness) -> (Option<Identity>, Vec<BundleFile>);

/// What a bundle is called, and where its manifest says so.
type Identity = (String, Span);

fn cli(folder: Option<&str>, files: &Files, strictness: Strictness) -> (Option<Identity>, Vec<BundleFile>) {
    let (manifest, checked) = lint_bundle(folder, files, strictness);
    (manifest.map(|one| (one.identity(), one.id.span)), checked)
}

fn agent(folder: Option<&str>, files: &Files, strictness: Strictness) -> (Option<Identity>, Vec<BundleFile>) {
    let (manifest, checked) = lint_agent(folder, files, strictness);
    (manifest.map(|one| (one.identity(), one.id.span)), checked)
}

/// Checks every bundle whose manifest is among `paths`, and the bundles of a kind against each other.
pub(super) fn in_bundles<'a>(
    paths: impl Iterator<Item = &'a Path> + Clone,
    strictness: Strictness,
) -> Result<InBundles, Error> {
    let mut found = InBundles::default();
    for (manifest, check) in KINDS {
        let mut beside: Vec<(PathBuf, Neighbour)> = Vec::new();
        for path in paths
            .clone()
            .filter(|path| path.file_name().is_some_and(|name| name == manifest))
        {
            let folder = path.parent().unwrap_or(Path::new(""));
            let files = gather(if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            });
            let files = files.map_err(|error| unreadable(&error))?.files;
            let (identity, checked) = check(named(folder).as_deref(), &files, strictness);
            found.keep(path, folder, checked);
            beside.extend(identity.map(|(identity, span)| {
                let place = path.to_string_lossy().into_owned();
                let neighbour = Neighbour {
                    place,
                    identity,
                    span,
                };
                (path.to_owned(), neighbour)
            }));
        }
        let neighbours: Vec<Neighbour> = beside.iter().map(|(_, one)| one.clone()).collect();
        for (index, complaint) in same_identity(&neighbours) {
            let path = beside.get(index).map(|(path, _)| path);
            if let Some(outcome) = path.and_then(|path| found.outcomes.get_mut(path)) {
                outcome.diagnostics.push(complaint);
            }
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
