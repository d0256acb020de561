//! Paths as a description or a caller writes them, and the narrowest thing on disk that can be granted for each.

use std::path::{Component, Path, PathBuf};

use argrail_sandbox::policy::PathPattern;

use super::glob::{expand, is_glob};
use crate::policy::tidy;

/// The most entries that a glob of a description is looked for among.
const MATCHED: usize = 4096;

/// Where a path leads to, as the kernel takes it: links are followed before `..` is, also on the way to what is not there.
pub(crate) fn real_path(path: &Path) -> Option<PathBuf> {
    let mut rest = Vec::new();
    let mut at = path;
    loop {
        if let Ok(real) = at.canonicalize() {
            return Some(tidy(&rest.iter().rev().fold(real, |path, name| path.join(name))));
        }
        rest.push(at.components().next_back()?.as_os_str());
        at = at.parent()?;
    }
}

/// Something that can be granted. Its path has no symlink in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spot {
    /// One file, which is there.
    File(PathBuf),
    /// A directory and all below it.
    Tree(PathBuf),
}

impl Spot {
    /// Returns the path.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Tree(path) => path,
        }
    }

    /// Returns the pattern of a policy.
    pub(super) fn pattern(&self) -> PathPattern {
        match self {
            Self::File(path) => PathPattern::exact(path),
            Self::Tree(path) => PathPattern::tree(path),
        }
    }

    /// Whether a path is part of it.
    pub(super) fn holds(&self, path: &Path) -> bool {
        match self {
            Self::File(file) => file == path,
            Self::Tree(tree) => path.starts_with(tree),
        }
    }
}

/// What is to be done to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Read it.
    Read,
    /// Write or create it.
    Write,
    /// Remove it, or replace it by another file: both change the directory it is in.
    Remove,
}

/// Where a text leads from a directory, and whether it names a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    path: PathBuf,
    directory: bool,
}

impl Named {
    /// Reads a path as the caller wrote it: every character stands for itself.
    pub(super) fn chosen(text: &str, directory: &Path) -> Option<Self> {
        if text.is_empty() || text.contains('\0') {
            return None;
        }
        Some(Self {
            path: directory.join(text),
            directory: text.ends_with('/'),
        })
    }

    /// Reads a path as a description writes it: `~/` is the home, and a glob stands for the directory it is in.
    pub(super) fn declared(text: &str, directory: &Path, home: &Path) -> Option<Self> {
        let (base, rest) = match text.strip_prefix('~') {
            Some("") => (home, "./"),
            Some(rest) => (home, rest.strip_prefix('/')?),
            None => (directory, text),
        };
        let plain = match rest.find(['*', '?', '[', '{']) {
            Some(at) => {
                let before = rest.get(..at)?;
                let end = before.rfind('/').map_or(0, |slash| slash + 1);
                match before.get(..end)? {
                    "" => "./",
                    before => before,
                }
            }
            None => rest,
        };
        Self::chosen(plain, base)
    }

    /// Reads a path to be read as a description writes it: a glob stands for what it matches, and for nothing beside that.
    pub(super) fn declared_to_read(text: &str, directory: &Path, home: &Path) -> Vec<Self> {
        if !is_glob(text) {
            return Self::declared(text, directory, home).into_iter().collect();
        }
        let pattern = match text.strip_prefix("~/") {
            Some(rest) => home.join(rest),
            None => directory.join(text),
        };
        let mut budget = MATCHED;
        let found = expand(&pattern, &mut budget).unwrap_or_default();
        let named = |path: PathBuf| Self {
            path,
            directory: text.ends_with('/'),
        };
        found.into_iter().map(named).collect()
    }

    /// Returns the path, absolute, as it is written.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the narrowest thing that can be granted, if there is one.
    pub(super) fn narrowest(&self, act: Act) -> Option<Spot> {
        let real = self.path.canonicalize().ok();
        let kind = real.as_deref().and_then(|real| real.symlink_metadata().ok());
        match (act, real, kind) {
            (Act::Read | Act::Write, Some(real), Some(meta)) if meta.is_dir() => Some(Spot::Tree(real)),
            (Act::Read | Act::Write, Some(real), Some(meta)) if meta.is_file() => Some(Spot::File(real)),
            // Devices, sockets and pipes: the sandbox has its own.
            (Act::Read | Act::Write, Some(_), _) | (Act::Read, None, _) => None,
            (Act::Write, None, _) => self.future(),
            (Act::Remove, _, _) => match self.path.symlink_metadata() {
                Ok(_) => self.parent().map(Spot::Tree),
                Err(_) => self.future(),
            },
        }
    }

    /// The directory that its name stands in.
    fn parent(&self) -> Option<PathBuf> {
        self.path.file_name()?;
        self.path.parent()?.canonicalize().ok()
    }

    /// What must be granted to make something that is not there: itself if it is a directory, which the sandbox
    /// makes, else the nearest directory above it that is there.
    fn future(&self) -> Option<Spot> {
        let (above, real) = self
            .path
            .ancestors()
            .find_map(|above| Some((above, above.canonicalize().ok()?)))?;
        let rest = self.path.strip_prefix(above).ok()?;
        let plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
        // A dangling link would be followed to where it leads.
        let dangling = self
            .path
            .ancestors()
            .take_while(|path| *path != above)
            .any(Path::is_symlink);
        if !plain || dangling || !real.is_dir() {
            return None;
        }
        Some(Spot::Tree(if self.directory { real.join(rest) } else { real }))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn a_path_leads_where_the_kernel_goes() {
        let home = Home::new();
        let work = home.work().canonicalize().unwrap();
        fs::create_dir_all(work.join("deep/down")).unwrap();
        symlink(work.join("deep/down"), work.join("link")).unwrap();
        let check = |path: &str, want: &str| {
            assert_eq!(real_path(&work.join(path)), Some(work.join(want)), "{path}");
        };
        check("link", "deep/down");
        check("link/new", "deep/down/new");
        check("link/../new", "deep/new");
        check("link/a/b", "deep/down/a/b");
        check("none/../b", "b");
    }

    #[test]
    fn the_narrowest_thing_is_found() {
        let home = Home::new();
        let root = home.root().canonicalize().unwrap();
        let work = root.join("desk");
        fs::create_dir_all(work.join("sub")).unwrap();
        fs::write(work.join("file"), "").unwrap();
        fs::write(work.join("a*b"), "").unwrap();
        symlink("file", work.join("link")).unwrap();
        symlink(root.join("outside"), work.join("dangling")).unwrap();
        let show = |named: Option<Named>, act: Act| match named.and_then(|named| named.narrowest(act)) {
            Some(Spot::File(path)) => format!("file {}", path.strip_prefix(&root).unwrap().display()),
            Some(Spot::Tree(path)) => format!("tree {}", path.strip_prefix(&root).unwrap().display()),
            None => "nothing".to_owned(),
        };
        let check = |text: &str, act: Act, expected: &str| {
            assert_eq!(show(Named::chosen(text, &work), act), expected, "{text} {act:?}");
        };
        check("file", Act::Read, "file desk/file");
        check("file", Act::Write, "file desk/file");
        check("file", Act::Remove, "tree desk");
        check("sub", Act::Write, "tree desk/sub");
        check("sub", Act::Remove, "tree desk");
        check("sub/../file", Act::Write, "file desk/file");
        check("link", Act::Write, "file desk/file");
        check("link", Act::Remove, "tree desk");
        check("new", Act::Write, "tree desk");
        check("new", Act::Read, "nothing");
        check("sub/new/deep", Act::Write, "tree desk/sub");
        check("sub/new/", Act::Write, "tree desk/sub/new");
        check("new/../../x", Act::Write, "nothing");
        check("dangling", Act::Write, "nothing");
        check("file/below", Act::Write, "nothing");
        check("a*b", Act::Write, "file desk/a*b");
        check("~/file", Act::Write, "tree desk"); // a directory that is called so
        check("/dev/null", Act::Write, "nothing");
        check("", Act::Write, "nothing");
        let declared = |text: &str, expected: &str| {
            let named = Named::declared(text, &work, &root);
            assert_eq!(show(named, Act::Write), expected, "{text}");
        };
        declared("~/desk/file", "file desk/file");
        declared("~/desk/", "tree desk");
        declared("~", "tree ");
        declared("~other/x", "nothing");
        declared("sub/**", "tree desk/sub");
        declared("sub/*.txt", "tree desk/sub");
        declared("*.txt", "tree desk");
        declared("a*b", "tree desk");
        let read = |text: &str| {
            let found = Named::declared_to_read(text, &work, &root).into_iter();
            found
                .map(|named| show(Some(named), Act::Read))
                .collect::<Vec<_>>()
        };
        assert_eq!(read("fil*"), ["file desk/file"]);
        assert_eq!(read("~/desk/s*/"), ["tree desk/sub"]);
        assert_eq!(read("*.txt"), [""; 0]);
        assert_eq!(read("file"), ["file desk/file"]);
    }
}
