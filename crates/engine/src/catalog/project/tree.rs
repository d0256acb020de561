//! All files of a project that matter, each pinned, and one digest of them all.
//!
//! A file counts by its path, its bytes and whether it may be executed; a symlink by its text and, where it stays in
//! the project, by the file it leads to as well. A link to a directory is not followed, and one that leads out of the
//! project pins nothing but its text: whoever offers files leaves both out. A device, socket or FIFO is a refusal.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use argrail_spec::digest::{Digest, Hasher};
use argrail_spec::trust::FilePin;

use super::project_error::ProjectError;
use crate::files::identity::fingerprint_of;
use crate::files::untrusted::{FileError, Links};

/// What the digest of a project begins with, so that it is no other digest.
const DOMAIN: &str = "argrail project 1";

/// How much of a project is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The most files and directories.
    pub entries: u64,
    /// The most bytes in all files.
    pub bytes: u64,
    /// How deep directories may lie in each other.
    pub depth: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            entries: 20_000,
            bytes: 512 << 20,
            depth: 32,
        }
    }
}

/// The files of a project, as they were when they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    /// Each file and link, by its path in the project.
    pub files: BTreeMap<String, FilePin>,
    /// Where links lead that stay in the project and end at a file.
    pub links: BTreeMap<String, String>,
    /// Links that are not followed, with the reason.
    pub unfollowed: BTreeMap<String, &'static str>,
}

impl Tree {
    /// Returns the digest of all of it. Every part is preceded by its length.
    pub fn digest(&self) -> Digest {
        let mut hasher = Hasher::default();
        hasher.field(DOMAIN);
        for (path, pin) in &self.files {
            hasher.field(path);
            hasher.field(pin.to_string());
        }
        hasher.finish()
    }

    /// Returns the pin of the file that a path leads to, through a link if it is one.
    pub fn file(&self, path: &str) -> Option<(&str, Digest)> {
        let target = self.links.get(path).map_or(path, String::as_str);
        let (target, pin) = self.files.get_key_value(target)?;
        match pin {
            FilePin::Plain(digest) | FilePin::Executable(digest) => Some((target, *digest)),
            FilePin::Link(_) => None,
        }
    }

    /// Whether the file that a path leads to may be executed.
    pub fn is_executable(&self, path: &str) -> bool {
        let target = self.links.get(path).map_or(path, String::as_str);
        matches!(self.files.get(target), Some(FilePin::Executable(_)))
    }
}

/// Reads files of a project into a [`Tree`].
pub(in crate::catalog) struct Walk<'a> {
    root: &'a Path,
    bounds: Bounds,
    entries: u64,
    bytes: u64,
    pub(in crate::catalog) tree: Tree,
}

impl<'a> Walk<'a> {
    /// Starts with nothing. `root` has its symlinks resolved.
    pub(in crate::catalog) fn new(root: &'a Path, bounds: Bounds) -> Self {
        Self {
            root,
            bounds,
            entries: 0,
            bytes: 0,
            tree: Tree::default(),
        }
    }

    /// Reads a file or all below a directory; nothing when nothing is there.
    pub(in crate::catalog) fn add(&mut self, path: &Path) -> Result<(), ProjectError> {
        self.visit(path, 0)
    }

    fn visit(&mut self, path: &Path, depth: u64) -> Result<(), ProjectError> {
        let found = match path.symlink_metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(FileError::io(path, error).into()),
        };
        let name = self.name(path)?;
        if self.tree.files.contains_key(&name) {
            return Ok(());
        }
        self.entries += 1;
        self.bound(path, "files", self.entries, self.bounds.entries)?;
        let kind = found.file_type();
        if kind.is_dir() {
            self.bound(path, "directories in each other", depth, self.bounds.depth)?;
            self.directory(path, depth)
        } else if kind.is_symlink() {
            self.link(path, name)
        } else if kind.is_file() {
            self.file(path, name)
        } else {
            Err(ProjectError::Special {
                path: path.to_owned(),
            })
        }
    }

    fn directory(&mut self, path: &Path, depth: u64) -> Result<(), ProjectError> {
        let fail = |error| ProjectError::File(FileError::io(path, error));
        for entry in fs::read_dir(path).map_err(fail)? {
            self.visit(&entry.map_err(fail)?.path(), depth + 1)?;
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, name: String) -> Result<(), ProjectError> {
        let left = self.bounds.bytes.saturating_sub(self.bytes);
        let read = match fingerprint_of(path, Links::Refuse, left) {
            Ok(read) => read,
            Err(FileError::TooLong { .. }) => {
                return self.bound(path, "bytes", u64::MAX, self.bounds.bytes);
            }
            Err(error) => return Err(error.into()),
        };
        // Gone since it was looked at: then it is not there.
        let Some(read) = read else { return Ok(()) };
        let found = path
            .symlink_metadata()
            .map_err(|error| FileError::io(path, error))?;
        self.bytes = self.bytes.saturating_add(read.identity.size);
        let pin = if found.permissions().mode() & 0o111 == 0 {
            FilePin::Plain(read.digest)
        } else {
            FilePin::Executable(read.digest)
        };
        self.tree.files.insert(name, pin);
        Ok(())
    }

    fn link(&mut self, path: &Path, name: String) -> Result<(), ProjectError> {
        let text = fs::read_link(path).map_err(|error| FileError::io(path, error))?;
        let text = text
            .into_os_string()
            .into_string()
            .map_err(|_| ProjectError::NotText {
                path: path.to_owned(),
            })?;
        self.tree.files.insert(name.clone(), FilePin::Link(text));
        let Ok(target) = path.canonicalize() else {
            self.tree.unfollowed.insert(name, "the link leads nowhere");
            return Ok(());
        };
        if !target.starts_with(self.root) {
            self.tree
                .unfollowed
                .insert(name, "the link leads out of the project");
            return Ok(());
        }
        if target.is_dir() {
            self.tree.unfollowed.insert(name, "the link leads to a directory");
            return Ok(());
        }
        self.visit(&target, 0)?;
        let target = self.name(&target)?;
        self.tree.links.insert(name, target);
        Ok(())
    }

    fn name(&self, path: &Path) -> Result<String, ProjectError> {
        let relative = path.strip_prefix(self.root).unwrap_or(path);
        relative
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| ProjectError::NotText {
                path: path.to_owned(),
            })
    }

    fn bound(&self, path: &Path, what: &'static str, found: u64, limit: u64) -> Result<(), ProjectError> {
        if found <= limit {
            return Ok(());
        }
        let path: PathBuf = path.parent().unwrap_or(path).to_owned();
        Err(ProjectError::TooMuch { path, what, limit })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn read(home: &Home, bounds: Bounds) -> Result<Tree, ProjectError> {
        let root = home.work();
        let mut walk = Walk::new(&root, bounds);
        walk.add(&root.join(".cli"))?;
        walk.add(&root.join("missing"))?;
        Ok(walk.tree)
    }

    fn tree(home: &Home) -> Tree {
        read(home, Bounds::default()).unwrap()
    }

    fn ground() -> Home {
        Home::new()
            .file(".cli/a/CLI.md", "a")
            .file(".cli/b/deep/x", "x")
            .file("other/y", "y")
            .file("beside", "never looked at")
    }

    #[test]
    fn every_byte_name_link_and_executable_bit_counts() {
        let check = |change: &dyn Fn(&Path), counts: bool| {
            let home = ground();
            symlink("../other/y", home.work().join(".cli/link")).unwrap();
            let before = tree(&home).digest();
            change(&home.work());
            assert_eq!(tree(&home).digest() != before, counts);
        };
        check(&|_| {}, false);
        check(&|at| fs::write(at.join("beside"), "z").unwrap(), false);
        check(&|at| fs::write(at.join(".cli/a/CLI.md"), "z").unwrap(), true);
        check(&|at| fs::write(at.join(".cli/new"), "").unwrap(), true);
        check(&|at| fs::remove_file(at.join(".cli/b/deep/x")).unwrap(), true);
        check(
            &|at| fs::rename(at.join(".cli/b/deep/x"), at.join(".cli/b/x")).unwrap(),
            true,
        );
        check(
            &|at| fs::set_permissions(at.join(".cli/a/CLI.md"), fs::Permissions::from_mode(0o755)).unwrap(),
            true,
        );
        check(&|at| fs::write(at.join("other/y"), "z").unwrap(), true); // behind the link
        check(
            &|at| {
                fs::remove_file(at.join(".cli/link")).unwrap();
                symlink("../other/../other/y", at.join(".cli/link")).unwrap();
            },
            true,
        );
        check(
            &|at| {
                fs::remove_file(at.join(".cli/link")).unwrap();
                fs::write(at.join(".cli/link"), "y").unwrap();
            },
            true,
        );
    }

    #[test]
    fn links_are_followed_to_files_of_the_project_and_nowhere_else() {
        let home = ground();
        let at = |name: &str| home.work().join(name);
        symlink("../other/y", at(".cli/in")).unwrap();
        symlink("../other", at(".cli/folder")).unwrap();
        symlink("/etc/passwd", at(".cli/out")).unwrap();
        symlink("nowhere", at(".cli/dangling")).unwrap();
        symlink("loop", at(".cli/loop")).unwrap();
        let tree = tree(&home);
        assert_eq!(tree.file(".cli/in"), Some(("other/y", Digest::of("y"))));
        for (name, want) in [
            (".cli/folder", "directory"),
            (".cli/out", "out of the project"),
            (".cli/dangling", "nowhere"),
            (".cli/loop", "nowhere"),
        ] {
            assert!(tree.unfollowed[name].contains(want), "{name}");
            assert_eq!(tree.file(name), None);
            assert!(matches!(tree.files[name], FilePin::Link(_)));
        }
    }

    #[test]
    fn what_cannot_be_pinned_is_refused() {
        let refused = |change: &dyn Fn(&Path), bounds: Bounds, want: &str| {
            let home = ground();
            change(&home.work().join(".cli"));
            let error = read(&home, bounds).unwrap_err();
            assert!(error.to_string().contains(want), "{error}");
            assert!(!error.hint().to_string().is_empty());
        };
        let all = Bounds::default();
        refused(
            &|at| mknodat(CWD, at.join("fifo"), FileType::Fifo, Mode::RUSR, 0).unwrap(),
            all,
            "device, socket or FIFO",
        );
        refused(
            &|at| fs::write(at.join(std::ffi::OsStr::from_bytes(b"\xff")), "").unwrap(),
            all,
            "not UTF-8",
        );
        refused(
            &|at| symlink(std::ffi::OsStr::from_bytes(b"\xff"), at.join("x")).unwrap(),
            all,
            "not UTF-8",
        );
        refused(&|_| {}, Bounds { entries: 3, ..all }, "more than 3 files");
        refused(&|_| {}, Bounds { bytes: 1, ..all }, "more than 1 bytes");
        refused(&|_| {}, Bounds { depth: 1, ..all }, "more than 1 directories");
    }
}
