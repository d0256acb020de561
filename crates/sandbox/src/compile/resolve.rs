//! Looking a granted path up, without being led astray.
//!
//! Below the home and the workspace no symlink is followed: whoever could write there once could have made one that
//! leads to a key. Elsewhere, links that belong to root are part of the system (`/var/run`) and appear in the
//! sandbox as they are.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::policy::Anchors;

/// How many links may be followed.
const MAX_LINKS: usize = 40;

/// What is at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathKind {
    Directory,
    File,
    /// A socket, a pipe, a device.
    Other,
    Absent,
}

/// A path without links, and what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ResolvedPath {
    pub(super) path: PathBuf,
    pub(super) kind: PathKind,
    /// How many names the file has.
    pub(super) names: u64,
    /// Links that were followed, and where they lead.
    pub(super) links: Vec<(PathBuf, PathBuf)>,
}

/// A path that is not looked up further.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum UnresolvedPath {
    /// A symlink that is not trusted to lead anywhere.
    Link(PathBuf),
    /// The system does not let us look.
    Unreadable(PathBuf),
}

/// Looks up an absolute path.
pub(super) fn look_up(path: &Path, anchors: &Anchors) -> Result<ResolvedPath, UnresolvedPath> {
    let mut links = Vec::new();
    let mut current = PathBuf::from("/");
    let mut rest: Vec<std::ffi::OsString> = names(path);
    rest.reverse();
    while let Some(name) = rest.pop() {
        let next = current.join(&name);
        let meta = match fs::symlink_metadata(&next) {
            Ok(meta) => meta,
            Err(error) if is_absence(&error) => {
                let mut absent = next;
                absent.extend(rest.iter().rev());
                return Ok(resolved(absent, PathKind::Absent, 0, links));
            }
            Err(_) => return Err(UnresolvedPath::Unreadable(next)),
        };
        if meta.is_symlink() {
            let inside = |anchor: &Path| next != anchor && next.starts_with(anchor);
            let trusted = meta.uid() == 0 && !inside(anchors.home()) && !inside(anchors.workspace());
            if !trusted || links.len() >= MAX_LINKS {
                return Err(UnresolvedPath::Link(next));
            }
            let target = fs::read_link(&next).map_err(|_| UnresolvedPath::Unreadable(next.clone()))?;
            let whole = lexical(&current.join(&target));
            links.push((next, target));
            let mut names = names(&whole);
            names.reverse();
            rest.extend(names);
            current = PathBuf::from("/");
            continue;
        }
        current = next;
    }
    let meta = fs::symlink_metadata(&current).map_err(|_| UnresolvedPath::Unreadable(current.clone()))?;
    Ok(resolved(current, kind_of(&meta), meta.nlink(), links))
}

/// Looks up many paths that have their directories in common, each directory once.
pub(super) struct PathLookups<'a> {
    anchors: &'a Anchors,
    directories: HashMap<PathBuf, ResolvedPath>,
}

impl<'a> PathLookups<'a> {
    pub(super) fn new(anchors: &'a Anchors) -> Self {
        Self {
            anchors,
            directories: HashMap::new(),
        }
    }

    /// Looks up an absolute path. The same as [`look_up`].
    pub(super) fn look_up(&mut self, path: &Path) -> Result<ResolvedPath, UnresolvedPath> {
        let (Some(directory), Some(name)) = (path.parent(), path.file_name()) else {
            return look_up(path, self.anchors);
        };
        let directory = match self.directories.get(directory) {
            Some(found) => found.clone(),
            None => {
                let found = self.look_up(directory)?;
                self.directories.insert(directory.to_owned(), found.clone());
                found
            }
        };
        let next = directory.path.join(name);
        if directory.kind != PathKind::Directory {
            return Ok(resolved(next, PathKind::Absent, 0, directory.links));
        }
        match fs::symlink_metadata(&next) {
            Ok(meta) if meta.is_symlink() => look_up(path, self.anchors),
            Ok(meta) => Ok(resolved(next, kind_of(&meta), meta.nlink(), directory.links)),
            Err(error) if is_absence(&error) => Ok(resolved(next, PathKind::Absent, 0, directory.links)),
            Err(_) => Err(UnresolvedPath::Unreadable(next)),
        }
    }
}

fn kind_of(meta: &fs::Metadata) -> PathKind {
    match meta.file_type() {
        kind if kind.is_dir() => PathKind::Directory,
        kind if kind.is_file() => PathKind::File,
        _ => PathKind::Other,
    }
}

fn resolved(path: PathBuf, kind: PathKind, names: u64, links: Vec<(PathBuf, PathBuf)>) -> ResolvedPath {
    ResolvedPath {
        path,
        kind,
        names,
        links,
    }
}

/// Whether an error says that nothing is there, a file in the place of a directory among it.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn names(path: &Path) -> Vec<std::ffi::OsString> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_owned()),
            Component::RootDir | Component::CurDir | Component::ParentDir | Component::Prefix(_) => None,
        })
        .collect()
}

/// Takes `.` and `..` out of an absolute path. Right for links of the system, whose parents are no links.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::Normal(name) => clean.push(name),
            Component::ParentDir => {
                clean.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_below_the_workspace_lead_nowhere() {
        let tree = tempfile::tempdir().unwrap();
        let root = tree.path().canonicalize().unwrap();
        let work = root.join("work");
        fs::create_dir_all(work.join("real")).unwrap();
        fs::write(work.join("real/file"), "x").unwrap();
        symlink("/etc", work.join("link")).unwrap();
        let anchors = Anchors::new(root.join("home"), &work).unwrap();
        let look = |path: &str| {
            let path = work.join(path);
            let found = look_up(&path, &anchors);
            assert_eq!(PathLookups::new(&anchors).look_up(&path), found, "{path:?}");
            found
        };
        assert_eq!(look("real").unwrap().kind, PathKind::Directory);
        assert_eq!(look("real/file").unwrap().kind, PathKind::File);
        assert_eq!(look("none/deep").unwrap().kind, PathKind::Absent);
        assert_eq!(look("real/file/deep").unwrap().kind, PathKind::Absent);
        assert_eq!(look("link/passwd"), Err(UnresolvedPath::Link(work.join("link"))));
        assert_eq!(
            look_up(Path::new("/dev/null"), &anchors).unwrap().kind,
            PathKind::Other
        );
    }
}
