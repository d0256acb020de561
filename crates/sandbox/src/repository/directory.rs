//! Where a repository keeps what is its own: in `.git`, where a file or a link of that name leads, or beside its `HEAD`.

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use crate::refusal::Refusal;

/// The longest file of a repository that is read.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// What the file `.git` of a linked worktree or a submodule begins with.
const GITDIR_PREFIX: &[u8] = b"gitdir: ";

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GitRepository {
    /// The directory that it is the repository of.
    pub(super) top: PathBuf,
    /// Its own directory.
    pub(super) own: PathBuf,
    /// The directory that it shares with other worktrees; its own, as a rule.
    pub(super) common: PathBuf,
}

impl GitRepository {
    /// Returns the repository of `top`, if it has one.
    ///
    /// # Errors
    /// A file that leads on cannot be read.
    pub(super) fn at(top: &Path) -> Result<Option<Self>, Refusal> {
        let git = top.join(".git");
        let own = match git.metadata() {
            Ok(meta) if meta.is_dir() => git,
            Ok(_) => {
                let text = read(&git)?.unwrap_or_default();
                let leads = text
                    .strip_prefix(GITDIR_PREFIX)
                    .map(|link| without_climbing(&top.join(line(link))));
                // To git, a directory without a `HEAD` is none of its own, and the file alone is to be kept.
                let leads = leads.filter(|own| own.join("HEAD").symlink_metadata().is_ok());
                leads.unwrap_or(git)
            }
            Err(_) if is_bare(top) => top.to_owned(),
            Err(_) => return Ok(None),
        };
        let common = match read(&own.join("commondir"))? {
            Some(text) => without_climbing(&own.join(line(&text))),
            None => own.clone(),
        };
        Ok(Some(Self {
            top: top.to_owned(),
            own,
            common,
        }))
    }
}

/// Whether a directory is a repository without a `.git`.
fn is_bare(directory: &Path) -> bool {
    directory.join("HEAD").symlink_metadata().is_ok()
        && directory.join("objects").is_dir()
        && directory.join("refs").is_dir()
}

/// A path in a file: all of it, but for the end of its line.
fn line(text: &[u8]) -> &Path {
    let last = text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    let end = last.map_or(0, |last| last + 1);
    path(text.get(..end).unwrap_or_default())
}

/// Bytes as a path.
pub(super) fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

/// Takes `..` out of an absolute path, as the kernel goes: links on the way to one are followed. Others stay.
pub(super) fn without_climbing(path: &Path) -> PathBuf {
    let mut clean = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::ParentDir => {
                clean = clean.canonicalize().unwrap_or(clean);
                clean.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    clean
}

/// Reads a file that may be there. Nobody is waited for.
///
/// # Errors
/// It is there, and cannot be read through to its end.
pub(super) fn read(file: &Path) -> Result<Option<Vec<u8>>, Refusal> {
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC)
        .open(file);
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unread(file, &error)),
    };
    if !opened.metadata().is_ok_and(|meta| meta.is_file()) {
        return Err(unreadable(file, "it is no file"));
    }
    let mut text = Vec::new();
    match opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut text) {
        Ok(length) if u64::try_from(length).is_ok_and(|length| length <= MAX_FILE_BYTES) => Ok(Some(text)),
        Ok(_) => Err(unreadable(file, "it is longer than 1 MiB")),
        Err(error) => Err(unread(file, &error)),
    }
}

/// A file that was not read; where the host had nothing left to read it with, that is said, and nothing of the file.
fn unread(file: &Path, error: &std::io::Error) -> Refusal {
    Refusal::exhausted(error).unwrap_or_else(|| unreadable(file, &error.to_string()))
}

/// A file that git reads and we cannot.
pub(super) fn unreadable(file: &Path, why: &str) -> Refusal {
    Refusal::new(
        "fs.write",
        file.to_string_lossy(),
        format!(
            "nobody can tell from where git runs hooks, so nothing that may be written can be protected: {why}"
        ),
        "Make it a short file that can be read, or take it away",
    )
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_repository_is_found_where_git_finds_it() {
        let tree = tempfile::tempdir().unwrap();
        let root = tree.path().canonicalize().unwrap();
        let put = |path: &str, text: &str| {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        };
        put("plain/.git/HEAD", "");
        put("linked/.git", "gitdir: ../plain/.git/worktrees/linked\n");
        put("plain/.git/worktrees/linked/commondir", "../..\n");
        put("plain/.git/worktrees/linked/HEAD", "");
        put("astray/.git", "gitdir: ../plain\n");
        put("bare.git/HEAD", "");
        fs::create_dir_all(root.join("bare.git/objects")).unwrap();
        fs::create_dir_all(root.join("bare.git/refs")).unwrap();
        put("none/HEAD", "");
        put("odd/.git", "something else");
        fs::create_dir(root.join("by-link")).unwrap();
        symlink(root.join("plain/.git"), root.join("by-link/.git")).unwrap();
        let check = |top: &str, expected: Option<(&str, &str)>| {
            let found = GitRepository::at(&root.join(top)).unwrap();
            let found = found.map(|found| (found.own, found.common));
            let expected = expected.map(|(own, common)| (root.join(own), root.join(common)));
            assert_eq!(found, expected, "{top}");
        };
        check("plain", Some(("plain/.git", "plain/.git")));
        check("linked", Some(("plain/.git/worktrees/linked", "plain/.git")));
        check("bare.git", Some(("bare.git", "bare.git")));
        check("by-link", Some(("by-link/.git", "by-link/.git")));
        check("none", None);
        check("odd", Some(("odd/.git", "odd/.git")));
        check("astray", Some(("astray/.git", "astray/.git")));
        put("long/.git", &"x".repeat(2 << 20));
        assert!(GitRepository::at(&root.join("long")).is_err());
    }

    #[test]
    fn climbing_goes_as_the_kernel_goes() {
        let tree = tempfile::tempdir().unwrap();
        let root = tree.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/b")).unwrap();
        symlink(root.join("a/b"), root.join("link")).unwrap();
        let check = |path: &str, expected: &str| {
            assert_eq!(without_climbing(&root.join(path)), root.join(expected), "{path}");
        };
        check("a/b/../c", "a/c");
        check("link/../c", "a/c");
        check("link/c", "link/c");
        check("none/../c", "c");
        assert_eq!(without_climbing(Path::new("/../x")), Path::new("/x"));
    }
}
