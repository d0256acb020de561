//! What a child seems to have been refused, by what it said on standard error.
//!
//! The kernel tells nobody which file it refused. Programs do, in a few well-known words beside a path; a path that
//! is there and that the policy does not show, or not for writing, was refused. Some ask whether a file can be started
//! before they try, and then never try: a program that is there and not listed was refused too.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::compile::{PATH, Visible};
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

/// What the child was given.
pub(super) struct Given<'g> {
    pub(super) directory: &'g Path,
    pub(super) visible: &'g Visible,
    /// Files and directories from which programs may be started; nothing when all may be.
    pub(super) spawnable: Option<&'g [PathBuf]>,
}

/// Notes the paths in lines that tell of a refusal.
pub(super) fn infer(stderr: &[u8], given: &Given<'_>, denials: &Denials) {
    let Given {
        directory,
        visible,
        spawnable,
    } = given;
    let tail = stderr
        .get(stderr.len().saturating_sub(LOOKED_AT)..)
        .unwrap_or_default();
    for line in String::from_utf8_lossy(tail).lines().take(LINES) {
        let Some((_, absent)) = REFUSALS.iter().find(|(words, _)| line.contains(words)) else {
            continue;
        };
        if let Some(program) = spawnable.and_then(|spawnable| refused_program(line, directory, spawnable))
            && program.canonicalize().is_ok_and(|real| visible.shows(&real))
        {
            denials.inferred(DenialKind::Exec, &program.to_string_lossy());
            continue;
        }
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

/// The program that a line says was not started, for one that is there and not listed: `make: touch: Permission
/// denied`, `bash: /usr/bin/touch: Permission denied`.
fn refused_program(line: &str, directory: &Path, spawnable: &[PathBuf]) -> Option<PathBuf> {
    let (before, _) = line.rsplit_once(": Permission denied")?;
    let (_, word) = before.rsplit_once(": ")?;
    let word = word.trim_matches(|c: char| "'\"`‘’“”".contains(c));
    if word.is_empty() || word.contains(char::is_whitespace) {
        return None;
    }
    let found = if word.contains('/') {
        Some(directory.join(word)).filter(|file| is_program(file))
    } else {
        let places = PATH.split(':').map(|place| Path::new(place).join(word));
        places.into_iter().find(|file| is_program(file))
    };
    found.filter(|file| {
        let real = file.canonicalize();
        real.is_ok_and(|real| !spawnable.iter().any(|allowed| real.starts_with(allowed)))
    })
}

fn is_program(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
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
            let paths = paths(line, Path::new("/place"));
            paths
                .iter()
                .map(|path| path.display().to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(found("cat: /etc/shadow: Permission denied"), ["/etc/shadow"]);
        assert_eq!(
            found("mkdir: cannot create directory ‘a/b’: Read-only file system"),
            ["/place/a/b"]
        );
        assert_eq!(
            found("PermissionError: [Errno 13] Permission denied: '/srv/x'"),
            ["/srv/x"]
        );
        assert_eq!(found("open ../../etc/x: permission denied"), [""; 0]);
        assert_eq!(found("nothing here"), [""; 0]);
    }

    #[test]
    fn programs_that_were_not_started_are_found() {
        let shell = Path::new("/bin/sh").canonicalize().unwrap();
        let check = |line: &str, expected: Option<&str>| {
            let found = refused_program(line, Path::new("/usr"), std::slice::from_ref(&shell));
            let found = found.and_then(|path| path.file_name()?.to_str().map(str::to_owned));
            assert_eq!(found.as_deref(), expected, "{line}");
        };
        check("make: touch: Permission denied", Some("touch"));
        check("bash: line 1: /bin/touch: Permission denied", Some("touch"));
        check("find: ‘touch’: Permission denied", Some("touch"));
        check("env: bin/touch: Permission denied", Some("touch"));
        check("make: sh: Permission denied", None); // listed
        check("cat: /etc/passwd: Permission denied", None); // no program
        check("make: no-such-program: Permission denied", None);
        check("cp: cannot open touch: Permission denied", None); // a sentence about a file
        check("touch: Permission denied", None);
    }
}
