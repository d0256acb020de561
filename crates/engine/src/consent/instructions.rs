//! Files that agents obey, among what a call may write: a person who is asked should know that they are no mere texts.

use std::path::Path;

use argrail_sandbox::policy::{Instructions, instructions};
use argrail_spec::atip::{Effects, claim};

use super::named_files::{Found, NamedFile, NamedFiles};
use crate::policy::{Basis, Facts};

/// The most that are told of one call.
const MOST: usize = 8;

/// Returns the files of instructions that the words or the description of a call name for writing, each once.
pub(super) fn written_instructions(facts: &Facts, files: &NamedFiles) -> Vec<String> {
    if !may_write(facts) {
        return Vec::new();
    }
    let named = files
        .iter()
        .filter(|file| is_written(file) && concerns(&file.path));
    let named = named.map(|file| file.path.to_string_lossy().into_owned());
    let mut all: Vec<String> = named.chain(declared(facts)).collect();
    all.sort();
    all.dedup();
    // `AGENTS.md` as a description has it, and where that is.
    let is_other = |text: &String| {
        !all.iter()
            .any(|other| other != text && Path::new(other).ends_with(text))
    };
    all.iter()
        .filter(|text| is_other(text))
        .take(MOST)
        .cloned()
        .collect()
}

/// Whether a call changes files, or nobody knows that it does not.
fn may_write(facts: &Facts) -> bool {
    let effects = &facts.invoked.effects;
    let says = |key| claim(effects, key) == Some(true);
    facts.basis == Basis::Undescribed
        || *effects == Effects::default()
        || says("filesystem.write")
        || says("filesystem.delete")
        || facts.inner.iter().any(may_write)
}

/// Whether a file is not one that the call only reads, of which it has a copy.
fn is_written(file: &NamedFile) -> bool {
    match &file.found {
        Found::File { kept, .. } => kept.is_none(),
        Found::Absent | Found::Directory(_) | Found::Unread(_) => true,
        Found::Special => false,
    }
}

/// Whether a path is such a file, or a link to one.
fn concerns(path: &Path) -> bool {
    let is = |path: &Path| instructions(path) == Some(Instructions::Is);
    is(path) || path.is_symlink() && path.canonicalize().is_ok_and(|real| is(&real))
}

/// Paths that descriptions say are written.
fn declared(facts: &Facts) -> Vec<String> {
    let effects = &facts.invoked.effects;
    let writes = |key| claim(effects, key) == Some(true);
    let mut all = Vec::new();
    if writes("filesystem.write") || writes("filesystem.delete") {
        let paths = effects
            .filesystem
            .iter()
            .flat_map(|files| files.paths.iter().flatten());
        all.extend(paths.filter(|path| concerns(Path::new(path))).cloned());
    }
    all.extend(facts.inner.iter().flat_map(declared));
    all
}
