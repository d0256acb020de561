//! Where a repository's settings stand: beside its objects, which a link or a file called `.git` may put elsewhere.
//!
//! Only what a call can see is looked at: git reads nothing else either. What is there and cannot be read through to its
//! end is a refusal, since git might make more of it.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use argrail_sandbox::Refusal;
use rustix::fs::OFlags;

/// The longest file that is read.
const LONGEST: u64 = 1 << 20;

/// What the file `.git` of a linked worktree or a submodule begins with.
const LINK: &[u8] = b"gitdir: ";

/// Reads the settings of the repository that `top` is the top of: the files that they really stand in, and what they say.
///
/// # Errors
/// A file of them that a call can see is too long, or cannot be read.
pub(crate) fn settings(
    top: &Path,
    is_shown: impl Fn(&Path) -> bool,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Refusal> {
    let Some(git) = directory(top, &is_shown)? else {
        return Ok(Vec::new());
    };
    let common = common(&git, &is_shown)?;
    let files = [common.join("config"), git.join("config.worktree")];
    files
        .iter()
        .filter_map(|file| read(file, &is_shown).transpose())
        .collect()
}

fn common(git: &Path, is_shown: &impl Fn(&Path) -> bool) -> Result<PathBuf, Refusal> {
    Ok(match read(&git.join("commondir"), is_shown)? {
        Some((_, text)) => git.join(path(&text)),
        None => git.to_owned(),
    })
}

/// The directory of the repository, if there is one.
fn directory(top: &Path, is_shown: &impl Fn(&Path) -> bool) -> Result<Option<PathBuf>, Refusal> {
    let git = top.join(".git");
    let Ok(meta) = git.metadata() else {
        return Ok(None);
    };
    if meta.is_dir() {
        return Ok(Some(git));
    }
    let Some((_, text)) = read(&git, is_shown)? else {
        return Ok(None);
    };
    Ok(text.strip_prefix(LINK).map(|link| top.join(path(link))))
}

/// A path in a file: all of it, but for the end of its line.
fn path(text: &[u8]) -> &Path {
    let line = text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    let end = line.map_or(0, |last| last + 1);
    Path::new(OsStr::from_bytes(text.get(..end).unwrap_or_default()))
}

/// Reads a file that may be there, wherever it really is. Nothing comes of one that a call cannot see.
fn read(file: &Path, is_shown: &impl Fn(&Path) -> bool) -> Result<Option<(PathBuf, Vec<u8>)>, Refusal> {
    let real = match file.canonicalize() {
        Ok(real) => real,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(file, "it cannot be looked up", &error)),
    };
    if !is_shown(&real) {
        return Ok(None);
    }
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut open = OpenOptions::new();
    let opened = open
        .read(true)
        .custom_flags(flags.bits().cast_signed())
        .open(&real);
    let opened = opened.map_err(|error| unreadable(&real, "it cannot be read", &error))?;
    if !opened.metadata().is_ok_and(|meta| meta.is_file()) {
        return Err(refusal(&real, "it is no file"));
    }
    let mut text = Vec::new();
    match opened.take(LONGEST + 1).read_to_end(&mut text) {
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= LONGEST) => Ok(Some((real, text))),
        Ok(_) => Err(refusal(
            &real,
            "it is longer than 1 MiB, and git may start programs that it names",
        )),
        Err(error) => Err(unreadable(&real, "it cannot be read", &error)),
    }
}

/// Reads settings that have a place of their own, wherever that leads. Nothing comes of what cannot be read to its end.
pub(super) fn alone(file: &Path) -> Option<Vec<u8>> {
    read(file, &|_: &Path| true).ok().flatten().map(|(_, text)| text)
}

/// A file that the system does not give: its own fault, unless the host has run out of something.
fn unreadable(file: &Path, reason: &str, error: &std::io::Error) -> Refusal {
    Refusal::exhausted(error).unwrap_or_else(|| refusal(file, reason))
}

fn refusal(file: &Path, reason: &str) -> Refusal {
    let fix = "make it a short file that can be read, or take it away";
    Refusal::new("git settings", file.to_string_lossy(), reason, fix)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    /// Prepares a directory, and says what is read of it: files with their texts, or the refusal.
    fn check(prepare: impl FnOnce(&Path), expected: &str) {
        let home = Home::new();
        let root = home.root().canonicalize().unwrap().join("shown");
        let top = root.join("desk");
        fs::create_dir_all(&top).unwrap();
        prepare(&top);
        let found = settings(&top, |path| path.starts_with(&root));
        let name = |path: &Path| path.strip_prefix(&root).unwrap().display().to_string();
        let said = match found {
            Ok(files) => {
                let files = files.iter();
                let files =
                    files.map(|(path, text)| format!("{} {}", name(path), String::from_utf8_lossy(text)));
                files.collect::<Vec<_>>().join(", ")
            }
            Err(refusal) => format!("{}: {}", name(Path::new(&refusal.pattern)), refusal.reason),
        };
        assert!(
            said.starts_with(expected) && said.is_empty() == expected.is_empty(),
            "{said}"
        );
    }

    fn put(file: PathBuf, text: impl AsRef<[u8]>) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[test]
    fn settings_are_found_where_git_finds_them() {
        check(|_| {}, "");
        check(|top| put(top.join(".git/config"), "a"), "desk/.git/config a");
        check(
            |top| {
                put(top.join(".git/config"), "a");
                put(top.join(".git/config.worktree"), "b");
            },
            "desk/.git/config a, desk/.git/config.worktree b",
        );
        // A submodule, and a repository whose own directory is elsewhere.
        check(
            |top| {
                put(top.join(".git"), "gitdir: ../store\n");
                put(top.join("../store/config"), "c");
            },
            "store/config c",
        );
        // A linked worktree.
        check(
            |top| {
                let git = top.join("../main/.git");
                put(git.join("config"), "m");
                put(git.join("worktrees/desk/commondir"), "../..\n");
                put(git.join("worktrees/desk/config.worktree"), "w");
                let link = format!("gitdir: {}\r\n", git.join("worktrees/desk").display());
                put(top.join(".git"), link);
            },
            "main/.git/config m, main/.git/worktrees/desk/config.worktree w",
        );
        // Also of a directory that only calls itself the whole.
        check(
            |top| {
                put(top.join(".git/config"), "a");
                put(top.join(".git/commondir"), "../evil");
                put(top.join("evil/config"), "e");
            },
            "desk/evil/config e",
        );
        check(
            |top| {
                put(top.join("../store/config"), "c");
                symlink("../store", top.join(".git")).unwrap();
            },
            "store/config c",
        );
        check(
            |top| {
                put(top.join("real"), "r");
                fs::create_dir(top.join(".git")).unwrap();
                symlink("../real", top.join(".git/config")).unwrap();
            },
            "desk/real r",
        );
    }

    #[test]
    fn what_a_call_cannot_see_is_of_no_interest() {
        check(
            |top| {
                put(top.join("../../hidden/config"), "h");
                put(top.join(".git"), "gitdir: ../../hidden\n");
            },
            "",
        );
        check(
            |top| {
                put(top.join("../../hidden"), "h");
                fs::create_dir(top.join(".git")).unwrap();
                symlink("../../../hidden", top.join(".git/config")).unwrap();
            },
            "",
        );
        check(|top| put(top.join(".git"), "no link at all"), "");
        check(|top| put(top.join(".git"), "gitdir: nowhere"), "");
        check(|top| put(top.join(".git"), ""), "");
    }

    #[test]
    fn what_cannot_be_read_to_its_end_is_refused() {
        let long = vec![b'\n'; (1 << 20) + 1];
        check(
            |top| put(top.join(".git/config"), &long),
            "desk/.git/config: it is longer",
        );
        check(
            |top| put(top.join(".git/config"), long.get(1..).unwrap()),
            "desk/.git/config",
        );
        check(|top| put(top.join(".git"), &long), "desk/.git: it is longer");
        check(
            |top| fs::create_dir_all(top.join(".git/config")).unwrap(),
            "desk/.git/config: it is no file",
        );
        check(
            |top| {
                fs::create_dir(top.join(".git")).unwrap();
                symlink("config", top.join(".git/config")).unwrap();
            },
            "desk/.git/config: it cannot be looked up",
        );
    }
}
