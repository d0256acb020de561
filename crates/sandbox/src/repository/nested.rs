//! Repositories below a directory, looked for as far as that costs little.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

/// How many directories are looked into, how deep, and how many entries in all. Two hundred take about a millisecond;
/// a checkout of submodules or of projects side by side has its repositories within that.
const MAX_DIRECTORIES: usize = 256;
const MAX_DEPTH: usize = 4;
const MAX_ENTRIES: usize = 16_384;

/// Directories that hold what tools made, in great number.
pub(crate) const PASSED_BY: &[&str] = &[
    ".git",
    ".tox",
    ".venv",
    "__pycache__",
    "node_modules",
    "target",
    "venv",
];

/// Returns the directories below `top` that seem to be tops of repositories, the nearest first.
pub(super) fn tops_below(top: &Path) -> Vec<PathBuf> {
    let mut tops = Vec::new();
    let mut waiting = VecDeque::from([(top.to_owned(), 0)]);
    let (mut looked_into, mut seen) = (0_usize, 0_usize);
    while let Some((directory, depth)) = waiting.pop_front() {
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        looked_into += 1;
        let mut is_top = false;
        // A repository without a `.git` has these three beside each other.
        let mut bare = 0;
        for entry in entries.flatten().take(MAX_ENTRIES.saturating_sub(seen)) {
            seen += 1;
            let name = entry.file_name();
            is_top |= name.eq_ignore_ascii_case(".git");
            bare += usize::from(["HEAD", "objects", "refs"].iter().any(|part| name == *part));
            let passed_by = PASSED_BY.iter().any(|passed_by| name == *passed_by);
            if depth < MAX_DEPTH && !passed_by && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                waiting.push_back((entry.path(), depth + 1));
            }
        }
        if depth > 0 && (is_top || bare == 3) {
            tops.push(directory);
        }
        if looked_into >= MAX_DIRECTORIES || seen >= MAX_ENTRIES {
            break;
        }
    }
    tops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_below_are_found_within_bounds() {
        let tree = tempfile::tempdir().unwrap();
        let root = tree.path();
        let make = |path: &str| fs::create_dir_all(root.join(path)).unwrap();
        make(".git");
        make("a/b/.git");
        make("c/node_modules/d/.git");
        make("1/2/3/4/5/.git");
        for part in ["objects", "refs"] {
            make(&format!("bare.git/{part}"));
        }
        fs::write(root.join("bare.git/HEAD"), "").unwrap();
        make("sub");
        fs::write(root.join("sub/.git"), "gitdir: x").unwrap();
        let mut found = tops_below(root);
        found.sort();
        assert_eq!(found, ["a/b", "bare.git", "sub"].map(|name| root.join(name)));
        for number in 0..2 * MAX_DIRECTORIES {
            make(&format!("many/{number}/.git"));
        }
        assert!(tops_below(root).len() <= MAX_DIRECTORIES);
    }
}
