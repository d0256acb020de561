//! Finding what a glob names, within bounds and through no symlink.

use std::fs;
use std::path::{Path, PathBuf};

use crate::policy::PathPattern;

/// How many entries are looked at for one pattern.
const MAX_VISITED_ENTRIES: usize = 50_000;

/// How many matches one pattern may have.
const MAX_MATCHES: usize = 256;

/// What a glob names right now.
#[derive(Debug, Default)]
pub(super) struct GlobMatches {
    pub(super) directories: Vec<PathBuf>,
    pub(super) files: Vec<PathBuf>,
}

/// Too much to look at, or to mount.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TooMany {
    Entries,
    Matches,
}

impl TooMany {
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Entries => format!("more than {MAX_VISITED_ENTRIES} files would have to be looked at"),
            Self::Matches => format!("more than {MAX_MATCHES} files match"),
        }
    }
}

/// Finds what `pattern` matches at and below `root`. Below a directory that matches as a whole nothing is looked at.
pub(super) fn walk(pattern: &PathPattern, root: &Path, whole: bool) -> Result<GlobMatches, TooMany> {
    let mut matches = GlobMatches::default();
    let mut visited = 0;
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        if whole && pattern.matches(&directory) {
            matches.directories.push(directory);
            check_match_count(&matches)?;
            continue;
        }
        // What we may not list, the child may not either.
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            visited += 1;
            if visited > MAX_VISITED_ENTRIES {
                return Err(TooMany::Entries);
            }
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if !whole && pattern.matches(&path) {
                    matches.directories.push(path.clone());
                }
                if (whole && pattern.matches(&path)) || pattern.could_match_below(&path) {
                    waiting.push(path);
                }
            } else if kind.is_file() && pattern.matches(&path) {
                matches.files.push(path);
            }
            check_match_count(&matches)?;
        }
    }
    Ok(matches)
}

fn check_match_count(matches: &GlobMatches) -> Result<(), TooMany> {
    if matches.files.len() + matches.directories.len() > MAX_MATCHES {
        return Err(TooMany::Matches);
    }
    Ok(())
}
