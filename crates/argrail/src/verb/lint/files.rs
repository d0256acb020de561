//! Which files are checked: those that were named, and every `*.json` and Markdown manifest below a directory.
//!
//! Below a directory nothing is followed that leads out of it, and nothing is opened that could make us wait. A file
//! that is of no kind we know is none of our business there; one that was named is.

use std::fs;
use std::path::{Path, PathBuf};

use argrail_acli::{Error, Text};
use argrail_engine::files::untrusted::{self, Contents, FileError, Keeper, Links, Reading};
use argrail_spec::lint::FileKind;
use argrail_spec::registry::Registry;
use argrail_spec::tools_json::ManifestError;

use crate::metadata_file::TOOLS_JSON;

/// The most files that are checked at once.
const MOST: usize = 10_000;
/// How deep directories are looked into.
const DEEPEST: usize = 32;
/// Directories that hold nothing of ours and much of others'.
const SKIPPED: [&str; 3] = [".git", "node_modules", "target"];

/// Read whole, as a stranger's; the largest kind of file sets the limit.
const READING: Reading = Reading {
    keeper: Keeper::Anybody,
    links: Links::Follow,
    limit: Registry::MAX_BYTES as u64,
};

/// Whether somebody named a file or it was come across.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// It was named.
    Named,
    /// It lies below a directory that was named.
    Below,
}

/// Returns the files, those below a directory in the order of their names.
pub(super) fn files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Found)>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            below(path, 0, &mut files)?;
        } else {
            files.push((path.clone(), Found::Named));
        }
    }
    Ok(files)
}

fn below(directory: &Path, depth: usize, files: &mut Vec<(PathBuf, Found)>) -> Result<(), Error> {
    let refuse = |error| told(&FileError::io(directory, error));
    let entries = fs::read_dir(directory).map_err(refuse)?;
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(refuse)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // Of the entry itself: a symlink is neither a file nor a directory here.
        let kind = entry.file_type().map_err(refuse)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if kind.is_dir() && depth < DEEPEST && !SKIPPED.contains(&name.as_ref()) {
            below(&entry.path(), depth + 1, files)?;
        } else if kind.is_file() && (name.ends_with(".json") || FileKind::of_manifest(&name).is_some()) {
            if files.len() >= MOST {
                let what = Text::new("there are more than {} files").number(MOST);
                return Err(Error::invalid(
                    what,
                    "Name the directories that hold files of yours",
                ));
            }
            files.push((entry.path(), Found::Below));
        }
    }
    Ok(())
}

/// Reads one file.
pub(super) fn read(path: &Path) -> Result<Contents, Error> {
    match untrusted::read(path, &READING) {
        Ok(Some(contents)) => Ok(contents),
        Ok(None) => {
            let what = match is_tools_json(path) {
                true => Text::new("read manifest: there is no file {}"),
                false => Text::new("there is no file {}"),
            };
            let hint = "Name a file or a directory that exists; argrail lint --help shows how";
            Err(Error::invalid(what.value(path.to_string_lossy()), hint))
        }
        Err(error) if is_tools_json(path) => {
            let why = error.to_string();
            Err(Error::execution(&ManifestError::Read { why }).hint(error.hint()))
        }
        Err(error) => Err(told(&error)),
    }
}

/// Whether a file is called as a manifest of tools, whose description fixes how it is told of.
fn is_tools_json(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == TOOLS_JSON)
}

/// Says why a file was not read or written.
pub(super) fn told(error: &FileError) -> Error {
    Error::execution(error).hint(error.hint())
}
