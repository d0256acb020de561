//! Metadata that somebody wrote about a program that has none of its own (ATIP §3.3.1, §3.4.1).
//!
//! The user's own come first, then the system's. One that others can write is refused and said, and so is one that
//! speaks of another tool, or of another file than the one that is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use argrail_spec::atip::{self, Metadata, check_tool_name};
use argrail_spec::digest::Digest;

use super::candidates::Candidate;
use super::skipped::Skipped;
use crate::catalog::meant_file::check_file;
use crate::catalog::system_directories;
use crate::files::untrusted::{self, Keeper, Links, Reading};
use crate::places::Places;

/// The most files of one directory.
const MOST: usize = 20_000;

const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: 4 << 20,
};

/// The shims there are, by the name of the tool. None is read yet.
#[derive(Debug, Default)]
pub(super) struct Shims {
    files: BTreeMap<String, PathBuf>,
}

/// A shim that counts.
#[derive(Debug)]
pub(super) struct Shim {
    pub(super) path: PathBuf,
    pub(super) metadata: Box<Metadata>,
    /// Of the file as it is.
    pub(super) digest: Digest,
}

impl Shims {
    /// Lists the shims of the user and of the system, and says which directories do not count.
    pub(super) fn list(places: &Places, skipped: &mut Vec<Skipped>) -> Self {
        let mut shims = Self::default();
        shims.add(&places.shims());
        let system = system_directories(places);
        for refused in system.refused {
            skipped.push(Skipped::new(refused.path(), refused.to_string()));
        }
        for directory in &system.trusted {
            for folder in [
                directory.join("shims"),
                directory.join("tools"),
                directory.clone(),
            ] {
                shims.add(&folder);
            }
        }
        shims
    }

    /// Lists what the user says about tools. Some of it describes tools whole, and some only changes what is known.
    pub(super) fn overrides(places: &Places) -> Self {
        let mut shims = Self::default();
        shims.add(&places.overrides());
        shims
    }

    fn add(&mut self, directory: &Path) {
        let Ok(entries) = directory.read_dir() else { return };
        for path in entries.flatten().take(MOST).map(|entry| entry.path()) {
            let name = path
                .file_name()
                .and_then(|name| name.to_str()?.strip_suffix(".json"))
                .filter(|name| check_tool_name(name).is_ok());
            if let Some(name) = name {
                self.files.entry(name.to_owned()).or_insert_with(|| path.clone());
            }
        }
    }

    /// Reads the shim for a program; why not, if there is one that does not count.
    pub(super) fn load(&self, candidate: &Candidate) -> Option<Result<Shim, Skipped>> {
        let path = self.files.get(&candidate.name)?;
        let read = match untrusted::read(path, &READING) {
            Ok(Some(read)) => read,
            Ok(None) => return None,
            Err(error) => return Some(Err(Skipped::new(path, error.to_string()))),
        };
        Some(match atip::load(&read.bytes) {
            Ok(loaded) => fits(&loaded.metadata, candidate)
                .map(|()| Shim {
                    path: path.clone(),
                    digest: Digest::of(&read.bytes),
                    metadata: Box::new(loaded.metadata),
                })
                .map_err(|reason| Skipped::new(path, reason)),
            Err(problem) => Err(Skipped::new(path, problem.message)),
        })
    }
}

/// A shim is about one tool, and about one file of it if it says which.
fn fits(metadata: &Metadata, candidate: &Candidate) -> Result<(), String> {
    if metadata.name != candidate.name {
        let says: String = metadata.name.chars().take(80).collect();
        return Err(format!("impostor: says it is {says:?}"));
    }
    check_file(metadata, &candidate.path)
}
