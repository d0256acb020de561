//! The files of one bundle: names of all, contents of those that are texts.
//!
//! Nothing is followed that leads out of the folder: a symlink is neither a file nor a directory here.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use argrail_spec::bundle::Files;
use argrail_spec::digest::Digest;

use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};

/// The most files of one bundle.
const MOST: usize = 2_000;
/// How deep its folders are looked into.
const DEEPEST: usize = 16;
/// Names that end so are texts.
const TEXTS: [&str; 3] = [".md", ".yaml", ".yml"];
/// The longest text.
const LONGEST: u64 = 1 << 20;
/// The longest that all texts of a bundle may be together.
const TOGETHER: u64 = 16 << 20;

/// Why the files of a bundle could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// One of them.
    #[error(transparent)]
    File(#[from] FileError),
    /// There are too many.
    #[error("{}: a bundle has at most {limit} {what}", path.display())]
    TooMuch {
        /// The folder.
        path: PathBuf,
        /// Files or bytes.
        what: &'static str,
        /// How many there may be.
        limit: u64,
    },
}

/// What lies in the folder of a bundle.
#[derive(Debug, Default)]
pub struct Folder {
    /// For whoever reads the bundle.
    pub files: Files,
    /// The digests of the texts, by name; nothing for what was not read.
    pub digests: BTreeMap<String, Option<Digest>>,
}

/// Reads the files of a bundle.
///
/// # Errors
/// When the folder or a text in it cannot be read, or there is too much.
pub fn gather(folder: &Path) -> Result<Folder, FolderError> {
    let mut found = Folder::default();
    let mut left = TOGETHER;
    look_into(folder, "", 0, &mut left, &mut found)?;
    Ok(found)
}

fn look_into(
    folder: &Path,
    prefix: &str,
    depth: usize,
    left: &mut u64,
    found: &mut Folder,
) -> Result<(), FolderError> {
    let fail = |error| FolderError::File(FileError::io(folder, error));
    let too_much = |what, limit| FolderError::TooMuch {
        path: folder.to_owned(),
        what,
        limit,
    };
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let kind = entry.file_type().map_err(fail)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = format!("{prefix}{name}");
        if kind.is_dir() && depth < DEEPEST && name != ".git" && name != "node_modules" {
            look_into(&entry.path(), &format!("{path}/"), depth + 1, left, found)?;
        } else if kind.is_file() {
            if found.digests.len() >= MOST {
                return Err(too_much("files", MOST as u64));
            }
            let mut digest = None;
            if is_text(&name) {
                let bytes = text(&entry.path())?;
                *left = left
                    .checked_sub(bytes.len() as u64)
                    .ok_or_else(|| too_much("bytes of text", TOGETHER))?;
                digest = Some(Digest::of(&bytes));
                found.files.text(path.as_str(), bytes);
            } else {
                found.files.other(path.as_str());
            }
            found.digests.insert(path, digest);
        }
    }
    Ok(())
}

/// Whether a file of this name is read.
pub(super) fn is_text(name: &str) -> bool {
    TEXTS.iter().any(|end| name.ends_with(end))
}

fn text(path: &Path) -> Result<Vec<u8>, FileError> {
    let reading = Reading {
        keeper: Keeper::Anybody,
        links: Links::Refuse,
        limit: LONGEST,
    };
    // Gone since it was listed: then it says nothing.
    Ok(untrusted::read(path, &reading)?
        .map(|found| found.bytes)
        .unwrap_or_default())
}
