//! What a child seems to have been refused, by what it said on standard error.
//!
//! The kernel tells nobody which file it refused. Programs do, in a few well-known words beside a path; a path that
//! is there and that the policy does not show, or not for writing, was refused.

use std::path::{Path, PathBuf};

use crate::compile::Visible;
use crate::denial::{DenialKind, Denials};

/// How much of the end of standard error is looked at.
const LOOKED_AT: usize = 16 * 1024;

/// How many lines, and words in a line.
const LINES: usize = 64;
const WORDS: usize = 64;

/// The words of programs for what the kernel refused, and whether a path must exist to have been refused.
const REFUSALS: &[(&str, bool)] = &[
    ("ermission denied", false),
    ("peration not permitted", false),
    ("ead-only file system", false),
    ("o such file or directory", true),
    ("EACCES", false),
    ("EPERM", false),
    ("EROFS", false),
    ("ENOENT", true),
];

/// Notes the paths in lines that tell of a refusal.
pub(super) fn infer(stderr: &[u8], directory: &Path, visible: &Visible, denials: &Denials) {
    let tail = stderr
        .get(stderr.len().saturating_sub(LOOKED_AT)..)
        .unwrap_or_default();
    for line in String::from_utf8_lossy(tail).lines().take(LINES) {
        let Some((_, absent)) = REFUSALS.iter().find(|(words, _)| line.contains(words)) else {
            continue;
        };
        for path in paths(line, directory) {
            let refused = match absent {
                true => path.symlink_metadata().is_ok() && !visible.shows(&path),
                false => !visible.may_write(&path),
            };
            if refused {
                denials.inferred(DenialKind::Fs, &path.to_string_lossy());
            }
        }
    }
}

/// The words of a line that are paths, absolute or in the child's directory.
fn paths(line: &str, directory: &Path) -> Vec<PathBuf> {
    let is_quote = |c: char| "'\"`‘’“”()[]<>,;:".contains(c);
    line.split(|c: char| c.is_whitespace() || is_quote(c))
        .take(WORDS)
        .filter(|word| word.contains('/') && word.len() > 1)
        .map(|word| {
            directory
                .join(word.trim_end_matches(['.', '!']))
                .components()
                .collect::<PathBuf>()
        })
        .filter(|path| {
            !path
                .components()
                .any(|part| part == std::path::Component::ParentDir)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_what_programs_say() {
        let found = |line| {
            let paths = paths(line, Path::new("/work"));
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("cat: /etc/shadow: Permission denied"), ["/etc/shadow"]);
        assert_eq!(
            found("mkdir: cannot create directory ‘a/b’: Read-only file system"),
            ["/work/a/b"]
        );
        assert_eq!(
            found("PermissionError: [Errno 13] Permission denied: '/srv/x'"),
            ["/srv/x"]
        );
        assert_eq!(found("open ../../etc/x: permission denied"), [""; 0]);
        assert_eq!(found("nothing here"), [""; 0]);
    }
}
