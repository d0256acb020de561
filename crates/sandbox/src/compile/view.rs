//! What the child sees: mounts by their path, and what is made where no mount reaches.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::launch::{BindMount, BindSource, FileContent, FileOwner, NodeKind, RootNode};

/// What may be done to a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MountAccess {
    Read,
    Write,
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MountContent {
    /// The host's own file or directory of that path.
    Host,
    /// Nothing: a directory that cannot be entered.
    NoDirectory,
    /// Nothing: a file that cannot be read.
    NoFile,
    /// A text of the host's own, in the place of a file.
    Text,
}

/// One mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ViewMount {
    pub(super) what: MountContent,
    pub(super) access: MountAccess,
    pub(super) exec: bool,
    pub(super) directory: bool,
    pub(super) device: bool,
    /// Whether it is part of what every program needs, and no grant.
    pub(super) base: bool,
    /// The owner on disk that is shown as the child.
    pub(super) owner: Option<u32>,
}

impl ViewMount {
    /// Returns the owner of what is mounted, so that the child owns it instead, by its place in `owners`. What every
    /// program needs is public as it is.
    pub(super) fn owner_index(&self, path: &Path, uid: u32, owners: &mut Vec<FileOwner>) -> Option<u32> {
        if self.base || self.device || self.what != MountContent::Host {
            return None;
        }
        let meta = path.symlink_metadata().ok()?;
        let owner = FileOwner {
            uid: meta.uid(),
            gid: meta.gid(),
        };
        if owner.uid == uid {
            return None;
        }
        let index = owners
            .iter()
            .position(|known| *known == owner)
            .unwrap_or_else(|| {
                owners.push(owner);
                owners.len() - 1
            });
        u32::try_from(index).ok()
    }

    /// The host's own file or directory, to be read.
    pub(super) fn read(directory: bool) -> Self {
        Self {
            what: MountContent::Host,
            access: MountAccess::Read,
            exec: false,
            directory,
            device: false,
            base: false,
            owner: None,
        }
    }
}

/// The child's file system.
#[derive(Debug, Default)]
pub(super) struct ChildView {
    /// Absolute paths. A path sorts after all that it lies in, so mounts come in the right order.
    mounts: BTreeMap<PathBuf, ViewMount>,
    nodes: BTreeMap<PathBuf, NodeKind>,
    /// What stands at mounts that are texts.
    texts: BTreeMap<PathBuf, Vec<u8>>,
}

impl ChildView {
    /// Puts a mount at a path. One that is there already is replaced.
    pub(super) fn mount(&mut self, path: &Path, mount: ViewMount) {
        self.mounts.insert(path.to_owned(), mount);
    }

    /// Puts a text in the place of a file that is shown and cannot be written.
    pub(super) fn text(&mut self, path: &Path, text: &[u8]) {
        let is_held = |(_, mount): (&Path, &ViewMount)| {
            mount.what == MountContent::Host && mount.access == MountAccess::Read
        };
        if self.holder(path).is_some_and(is_held) {
            self.put_text(path, text);
        }
    }

    /// Puts a text in the place of a file, also where the child may write. Returns whether it is one that is shown.
    pub(super) fn fix(&mut self, path: &Path, text: &[u8]) -> bool {
        let shown = self
            .holder(path)
            .is_some_and(|(_, mount)| mount.what == MountContent::Host);
        if shown {
            self.put_text(path, text);
        }
        shown
    }

    fn put_text(&mut self, path: &Path, text: &[u8]) {
        let mount = ViewMount {
            what: MountContent::Text,
            ..ViewMount::read(false)
        };
        self.mount(path, mount);
        self.texts.insert(path.to_owned(), text.to_owned());
    }

    /// Makes something at a path.
    pub(super) fn node(&mut self, path: &Path, kind: NodeKind) {
        self.nodes.insert(path.to_owned(), kind);
    }

    /// Takes away every mount at or below a path that `which` chooses.
    pub(super) fn remove_below(&mut self, path: &Path, which: impl Fn(&ViewMount) -> bool) {
        self.mounts
            .retain(|at, mount| !(at.starts_with(path) && which(mount)));
    }

    /// Returns the mount at exactly this path.
    pub(super) fn at(&self, path: &Path) -> Option<&ViewMount> {
        self.mounts.get(path)
    }

    /// Returns the mount that a path belongs to: at it, or the nearest above.
    pub(super) fn holder(&self, path: &Path) -> Option<(&Path, &ViewMount)> {
        path.ancestors()
            .find_map(|above| self.mounts.get_key_value(above))
            .map(|(at, mount)| (at.as_path(), mount))
    }

    /// Returns all mounts, parents first.
    pub(super) fn mounts(&self) -> impl Iterator<Item = (&Path, &ViewMount)> {
        self.mounts.iter().map(|(path, mount)| (path.as_path(), mount))
    }

    /// Returns all mounts to be changed, parents first.
    pub(super) fn mounts_mut(&mut self) -> impl Iterator<Item = (&Path, &mut ViewMount)> {
        self.mounts
            .iter_mut()
            .map(|(path, mount)| (path.as_path(), mount))
    }

    /// Whether the child would find something of the host's at this path.
    pub(super) fn shows(&self, path: &Path) -> bool {
        self.holder(path)
            .is_some_and(|(_, mount)| matches!(mount.what, MountContent::Host | MountContent::Text))
    }

    /// Returns the directories in a private one that stand for directories of the host: what is made in them, so that
    /// something else has its place below, looks like the host's and would be lost. The outermost of each.
    pub(super) fn stand_ins(&self, scratch: &Path) -> Vec<PathBuf> {
        if self.holder(scratch).is_some() {
            return Vec::new();
        }
        let made = self
            .nodes
            .iter()
            .map(|(path, kind)| (path, *kind == NodeKind::Directory));
        let mounted = self.mounts.keys().map(|path| (path, false));
        let outermost = made.chain(mounted).filter_map(|(path, is_directory)| {
            let mut below = path.strip_prefix(scratch).ok()?.components();
            let first = scratch.join(below.next()?);
            (is_directory || below.next().is_some()).then_some(first)
        });
        let outermost: BTreeSet<PathBuf> = outermost.collect();
        outermost
            .into_iter()
            .filter(|path| self.at(path).is_none())
            .collect()
    }

    /// Returns what is made and what is mounted, parents first. Places for mounts that no other mount brings are
    /// among what is made.
    pub(super) fn finish(mut self) -> (Vec<RootNode>, Vec<BindMount>) {
        let places: Vec<(PathBuf, bool)> = self
            .mounts
            .iter()
            .filter(|(path, _)| !self.is_inside_another(path))
            .map(|(path, mount)| (path.clone(), mount.directory))
            .collect();
        for (path, directory) in places {
            let kind = if directory {
                NodeKind::Directory
            } else {
                NodeKind::File(FileContent::default())
            };
            self.nodes.entry(path).or_insert(kind);
        }
        let parents: Vec<PathBuf> = self
            .nodes
            .keys()
            .flat_map(|path| path.ancestors().skip(1))
            .map(Path::to_owned)
            .collect();
        for parent in parents {
            self.nodes.entry(parent).or_insert(NodeKind::Directory);
        }
        let nodes = self
            .nodes
            .into_iter()
            .filter_map(|(path, kind)| {
                Some(RootNode {
                    path: relative(&path)?,
                    kind,
                })
            })
            .collect();
        let texts = &mut self.texts;
        let binds = self
            .mounts
            .into_iter()
            .filter_map(|(path, mount)| bind(&path, &mount, texts.remove(&path)))
            .collect();
        (nodes, binds)
    }

    fn is_inside_another(&self, path: &Path) -> bool {
        path.parent().and_then(|parent| self.holder(parent)).is_some()
    }
}

fn bind(path: &Path, mount: &ViewMount, text: Option<Vec<u8>>) -> Option<BindMount> {
    let source = match mount.what {
        MountContent::Host => BindSource::Host(CString::new(path.as_os_str().as_bytes()).ok()?),
        MountContent::NoDirectory => BindSource::NoDirectory,
        MountContent::NoFile => BindSource::NoFile,
        MountContent::Text => BindSource::Text(FileContent(text?)),
    };
    Some(BindMount {
        source,
        target: relative(path)?,
        read_only: mount.access == MountAccess::Read,
        exec: mount.exec,
        device: mount.device,
        owner: mount.owner,
    })
}

/// The path from the root, without the slash; nothing for the root itself, which is always there.
pub(super) fn relative(path: &Path) -> Option<CString> {
    let relative = path.strip_prefix("/").ok()?;
    if relative.as_os_str().is_empty() {
        return None;
    }
    CString::new(relative.as_os_str().as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory() -> ViewMount {
        ViewMount::read(true)
    }

    #[test]
    fn places_are_made_where_no_mount_brings_them() {
        let mut view = ChildView::default();
        view.mount(Path::new("/data/u/place"), directory());
        view.mount(Path::new("/data/u/place/deep/inside"), directory());
        view.mount(
            Path::new("/etc/file"),
            ViewMount {
                directory: false,
                ..directory()
            },
        );
        let (nodes, binds) = view.finish();
        let made: Vec<_> = nodes.iter().map(|node| node.path.to_str().unwrap()).collect();
        assert_eq!(made, ["data", "data/u", "data/u/place", "etc", "etc/file"]);
        assert_eq!(nodes[4].kind, NodeKind::File(FileContent::default()));
        let mounted: Vec<_> = binds.iter().map(|bind| bind.target.to_str().unwrap()).collect();
        assert_eq!(mounted, ["data/u/place", "data/u/place/deep/inside", "etc/file"]);
    }

    #[test]
    fn what_stands_for_a_directory_of_the_host_is_known() {
        let check = |mounts: &[&str], nodes: &[&str], expected: &[&str]| {
            let mut view = ChildView::default();
            mounts
                .iter()
                .for_each(|path| view.mount(Path::new(path), directory()));
            for path in nodes {
                view.node(Path::new(path), NodeKind::Directory);
            }
            let expected: Vec<_> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(
                view.stand_ins(Path::new("/tmp")),
                expected,
                "{mounts:?} {nodes:?}"
            );
        };
        check(&[], &["/tmp"], &[]);
        check(&["/tmp/place"], &["/tmp"], &[]); // the host's own
        check(&["/tmp/a/b/c", "/tmp/a/d"], &[], &["/tmp/a"]);
        check(&["/tmp/a/b", "/srv/x"], &["/tmp/home"], &["/tmp/a", "/tmp/home"]);
        check(&["/tmp/a", "/tmp/a/b"], &[], &[]); // the second lies in the first
        check(&["/tmp", "/tmp/a/b"], &["/tmp/c"], &[]); // nothing of it is private
    }
}
