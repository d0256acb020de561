//! What the policy lets the child read and write, as mounts.

use std::fs;
use std::path::{Path, PathBuf};

use super::base::PRIVATE_DIRECTORIES;
use super::resolve::{PathKind, ResolvedPath, UnresolvedPath, look_up};
use super::view::{ChildView, MountAccess, ViewMount};
use super::walk::walk;
use crate::launch::NodeKind;
use crate::policy::{Anchors, PathPattern, PatternShape};
use crate::refusal::{Fix, Refusal};

/// Puts grants into a view.
pub(super) struct GrantMounter<'g> {
    pub(super) view: &'g mut ChildView,
    pub(super) anchors: &'g Anchors,
    /// Whether files of a mount with this access may be run or loaded.
    pub(super) exec: fn(MountAccess) -> bool,
    pub(super) exec_any: bool,
    /// What a person should know: how much a glob matched, what is not there.
    pub(super) notes: Vec<String>,
    /// Directories that a grant to write made, so that they can be removed again if they stay empty.
    pub(super) made: &'g mut Vec<PathBuf>,
}

/// One pattern and where it stands in the policy.
struct GrantEntry<'a> {
    field: String,
    pattern: &'a PathPattern,
    access: MountAccess,
}

impl GrantEntry<'_> {
    fn refuse(&self, reason: impl Into<String>, fix: impl Into<Fix>) -> Refusal {
        Refusal::new(&self.field, self.pattern.text(), reason, fix)
    }
}

impl GrantMounter<'_> {
    /// Grants everything of one list.
    pub(super) fn all(
        &mut self,
        name: &str,
        patterns: &[PathPattern],
        access: MountAccess,
    ) -> Result<(), Refusal> {
        for (index, pattern) in patterns.iter().enumerate() {
            self.one(&GrantEntry {
                field: format!("{name}[{index}]"),
                pattern,
                access,
            })?;
        }
        Ok(())
    }

    fn one(&mut self, asked: &GrantEntry<'_>) -> Result<(), Refusal> {
        match asked.pattern.shape() {
            PatternShape::Exact(path) => {
                let found = self.find(asked, &path)?;
                match found.kind {
                    PathKind::File => self.mount(asked, &found),
                    PathKind::Directory => Err(asked.refuse(
                        "a directory alone is not everything in it, and cannot be granted without that",
                        format!(
                            "Write {:?} for the directory and all below it",
                            format!("{}/**", asked.pattern.text())
                        ),
                    )),
                    PathKind::Absent => self.absent_file(asked),
                    PathKind::Other => Err(not_plain(asked)),
                }
            }
            PatternShape::Tree(path) if path == Path::new("/") => self.whole_machine(asked),
            PatternShape::Tree(path) => {
                let found = self.find(asked, &path)?;
                match found.kind {
                    PathKind::File | PathKind::Directory => self.mount(asked, &found),
                    PathKind::Absent => self.absent_tree(asked, &found),
                    PathKind::Other => Err(not_plain(asked)),
                }
            }
            PatternShape::Glob { root, tree } => self.glob(asked, &root, tree),
        }
    }

    fn find(&self, asked: &GrantEntry<'_>, path: &Path) -> Result<ResolvedPath, Refusal> {
        if PRIVATE_DIRECTORIES.iter().any(|own| path.starts_with(own)) {
            return Err(asked.refuse(
                "the sandbox has a /proc and a /dev of its own",
                "Leave it out: what a program needs of them is there",
            ));
        }
        let found = look_up(path, self.anchors).map_err(|stray| match stray {
            UnresolvedPath::Link(link) => asked.refuse(
                format!("{link:?} is a symlink, and whoever made it chose where it leads"),
                "Name the real path instead",
            ),
            UnresolvedPath::Unreadable(path) => asked.refuse(
                format!("{path:?} cannot be looked at by the user that runs this"),
                "Check the permissions of its directories",
            ),
        })?;
        Ok(found)
    }

    fn mount(&mut self, asked: &GrantEntry<'_>, found: &ResolvedPath) -> Result<(), Refusal> {
        for (link, target) in &found.links {
            if let Ok(target) = std::ffi::CString::new(target.as_os_str().as_encoded_bytes())
                && !self.view.shows(link)
            {
                self.view.node(link, NodeKind::Symlink(target));
            }
        }
        if asked.access == MountAccess::Write {
            // A right to write includes what a narrower right to read would take back.
            self.view.remove_below(&found.path, |mount| {
                !mount.base && mount.access == MountAccess::Read
            });
        } else if self
            .view
            .holder(&found.path)
            .is_some_and(|(_, mount)| mount.access == MountAccess::Write)
        {
            return Ok(());
        }
        let mount = ViewMount {
            access: asked.access,
            exec: self.exec_any || (self.exec)(asked.access),
            ..ViewMount::read(found.kind == PathKind::Directory)
        };
        self.view.mount(&found.path, mount);
        Ok(())
    }

    fn absent_file(&mut self, asked: &GrantEntry<'_>) -> Result<(), Refusal> {
        match asked.access {
            MountAccess::Read => {
                self.notes.push(format!(
                    "{}: {:?} is not there",
                    asked.field,
                    asked.pattern.text()
                ));
                Ok(())
            }
            MountAccess::Write => Err(asked.refuse(
                "a single file can be granted only if it exists",
                "Create it first, or grant its directory with /**",
            )),
        }
    }

    /// A directory to write to that is not there yet is made, as the program would.
    fn absent_tree(&mut self, asked: &GrantEntry<'_>, found: &ResolvedPath) -> Result<(), Refusal> {
        if asked.access == MountAccess::Read {
            return self.absent_file(asked);
        }
        let missing: Vec<&Path> = found.path.ancestors().take_while(|path| !path.exists()).collect();
        for path in missing.into_iter().rev() {
            make_private(path).map_err(|error| {
                asked.refuse(
                    format!("the directory does not exist and cannot be made: {error}"),
                    "Create it first",
                )
            })?;
            self.made.push(path.to_owned());
        }
        let found = self.find(asked, &found.path)?;
        self.mount(asked, &found)
    }

    /// Everything: each thing in the root but what the sandbox has of its own.
    fn whole_machine(&mut self, asked: &GrantEntry<'_>) -> Result<(), Refusal> {
        let entries =
            fs::read_dir("/").map_err(|error| asked.refuse(error.to_string(), "Name directories"))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let own = PRIVATE_DIRECTORIES
                .iter()
                .chain(&["/tmp"])
                .any(|own| path == Path::new(own));
            if own
                || self
                    .view
                    .at(&path)
                    .is_some_and(|mount| mount.base && asked.access == MountAccess::Read)
            {
                continue;
            }
            if let Ok(found) = look_up(&path, self.anchors)
                && matches!(found.kind, PathKind::File | PathKind::Directory)
            {
                self.mount(asked, &found)?;
            }
        }
        Ok(())
    }

    fn glob(&mut self, asked: &GrantEntry<'_>, root: &Path, tree: bool) -> Result<(), Refusal> {
        if asked.access == MountAccess::Write && !tree {
            return Err(asked.refuse(
                "files that do not exist yet would match too, and cannot be granted by name",
                "Grant the directory with /**, or name existing files one by one",
            ));
        }
        let found = self.find(asked, root)?;
        if found.kind == PathKind::Absent {
            return self.absent_file(asked);
        }
        let matches = walk(asked.pattern, &found.path, tree)
            .map_err(|many| asked.refuse(many.reason(), "Write a narrower pattern"))?;
        let count = matches.directories.len() + matches.files.len();
        self.notes.push(format!(
            "{}: {:?} matches {count} now",
            asked.field,
            asked.pattern.text()
        ));
        for path in &matches.directories {
            if tree {
                let found = self.find(asked, path)?;
                self.mount(asked, &found)?;
            } else if !self.view.shows(path) {
                self.view.node(path, NodeKind::Directory);
            }
        }
        for path in &matches.files {
            let found = self.find(asked, path)?;
            self.mount(asked, &found)?;
        }
        Ok(())
    }
}

fn not_plain(asked: &GrantEntry<'_>) -> Refusal {
    asked.refuse(
        "it is a socket, a pipe or a device",
        "Grant files and directories only; the network has its own rules",
    )
}

fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().mode(0o700).create(path)
}
