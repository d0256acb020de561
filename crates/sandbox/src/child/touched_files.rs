//! Which files a child wants to change or read, where it may not.
//!
//! What is told is what would have happened on the host if nothing had held the child: a file that is there and would
//! have been changed, one that would have been made in a directory that is there, a private one that would have been
//! read. Everything else is a program's ordinary looking around. The kernel decides all of it.

use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::caller::BlockedCaller;
use crate::compile::{PathVisibility, SYSTEM_DIRECTORIES, VisiblePaths};
use crate::denial::{DenialKind, Denials};
use crate::launch::Tier;
use crate::seccomp::{ChangingCall, LastSymlink, NameArgument, NameEffect, OpeningCall, WRITING};

/// What the child was given.
pub(super) struct TouchedFiles {
    pub(super) visible: Arc<VisiblePaths>,
    pub(super) home: PathBuf,
    pub(super) tier: Tier,
}

impl TouchedFiles {
    /// Notes what a call would change.
    pub(super) fn note_change(&self, caller: &BlockedCaller<'_>, change: &ChangingCall, denials: &Denials) {
        for name in change.names {
            if let Some(path) = self.refused_path(caller, name) {
                denials.saw(DenialKind::FsWrite, &path.to_string_lossy());
            }
        }
    }

    /// Notes what a call opens: to change it, or to read what is kept from others.
    pub(super) fn note_opening(&self, caller: &BlockedCaller<'_>, opening: &OpeningCall, denials: &Denials) {
        let OpeningCall {
            directory,
            path,
            flags,
            ..
        } = *opening;
        let flags = caller.argument(flags) as i32;
        if flags & WRITING == 0 {
            if let Some(path) = self.private(caller, directory, path) {
                denials.saw(DenialKind::FsRead, &path.to_string_lossy());
            }
            return;
        }
        let name = NameArgument {
            directory,
            path,
            effect: effect(flags),
            last: match flags & libc::O_NOFOLLOW {
                0 => LastSymlink::Followed,
                _ => LastSymlink::Itself,
            },
        };
        let Some(path) = self.refused_path(caller, &name) else {
            return;
        };
        let target = path.to_string_lossy();
        // See `Evidence::Suspected`.
        if flags & (libc::O_ACCMODE | libc::O_TRUNC) == libc::O_RDWR && path.symlink_metadata().is_ok() {
            denials.suspected(DenialKind::FsWrite, &target);
        } else {
            denials.saw(DenialKind::FsWrite, &target);
        }
    }

    /// Returns what a name means, if it may not be changed and would be.
    fn refused_path(&self, caller: &BlockedCaller<'_>, name: &NameArgument) -> Option<PathBuf> {
        let path = absolute(caller, name.directory, name.path)?;
        let found = match name.last {
            LastSymlink::Followed => caller.resolve(&path).or_else(|| in_directory(caller, &path)),
            LastSymlink::Itself => in_directory(caller, &path),
        };
        let real = found.clone().unwrap_or_else(|| tidy(&path));
        let may = match self.visible.sight(&real) {
            PathVisibility::Write => true,
            // In our own `/tmp` is not what the host has in its.
            PathVisibility::Own => found.is_some(),
            PathVisibility::Read | PathVisibility::Nothing | PathVisibility::Denied => false,
        };
        (!may && would_happen(&real, name.effect) && caller.waits()).then_some(real)
    }

    /// Returns a file that is there, private, and not shown.
    fn private(&self, caller: &BlockedCaller<'_>, directory: Option<usize>, path: usize) -> Option<PathBuf> {
        let path = absolute(caller, directory, path)?;
        if SYSTEM_DIRECTORIES.iter().any(|system| path.starts_with(system)) {
            return None;
        }
        let found = match self.tier {
            Tier::Namespaces => caller.resolve(&path),
            // The whole machine can be looked up there.
            Tier::Landlock => None,
        };
        let real = match &found {
            Some(found) => found.clone(),
            None => tidy(&path).canonicalize().ok()?,
        };
        let kept = match self.visible.sight(&real) {
            PathVisibility::Read | PathVisibility::Write => false,
            PathVisibility::Own => found.is_none() && is_kept_from_others(&real, &self.home),
            PathVisibility::Nothing => is_kept_from_others(&real, &self.home),
            PathVisibility::Denied => true,
        };
        (kept && real.is_file() && caller.waits()).then_some(real)
    }
}

/// What opening a file with these flags does to it.
fn effect(flags: i32) -> NameEffect {
    match (flags & libc::O_CREAT != 0, flags & libc::O_EXCL != 0) {
        (true, true) => NameEffect::Makes,
        (true, false) => NameEffect::Puts,
        (false, _) => NameEffect::Alters,
    }
}

/// Whether the host has what a call wants.
fn would_happen(path: &Path, effect: NameEffect) -> bool {
    let exists = path.symlink_metadata().is_ok();
    let in_directory = || path.parent().is_some_and(Path::is_dir);
    match effect {
        NameEffect::Makes => !exists && in_directory(),
        NameEffect::Alters => exists,
        NameEffect::Puts => exists || in_directory(),
    }
}

/// The path that a call names, from the root.
fn absolute(caller: &BlockedCaller<'_>, directory: Option<usize>, path: usize) -> Option<PathBuf> {
    let path = caller.path(path)?;
    if path.is_absolute() {
        return Some(path);
    }
    Some(caller.directory(directory)?.join(path))
}

/// Where the last part of a path stands, whatever it is itself.
fn in_directory(caller: &BlockedCaller<'_>, path: &Path) -> Option<PathBuf> {
    let (directory, name) = (path.parent()?, path.file_name()?);
    Some(caller.resolve(directory)?.join(name))
}

/// A path without `.` and `..`, taken as they are written.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => tidy.push(name),
            Component::ParentDir => drop(tidy.pop()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    tidy
}

/// Whether the rights of a file, or of a directory on the way to it, keep other users from reading it. That nobody else
/// enters a home says nothing about what is in it.
fn is_kept_from_others(path: &Path, home: &Path) -> bool {
    let lacks = |path: &Path, right: u32| {
        let mode = path.metadata().map(|meta| meta.permissions().mode());
        mode.is_ok_and(|mode| mode & right == 0)
    };
    let on_the_way = path.ancestors().skip(1).take_while(|above| *above != home);
    lacks(path, 0o004) || on_the_way.into_iter().any(|directory| lacks(directory, 0o001))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};

    use super::*;

    #[test]
    fn private_is_what_rights_keep_from_others() {
        let place = tempfile::tempdir().unwrap();
        let home = place.path().join("home");
        fs::create_dir_all(home.join("closed/open")).unwrap();
        fs::create_dir_all(home.join("open")).unwrap();
        let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let check = |name: &str, mode, expected| {
            let file = home.join(name);
            fs::write(&file, "").unwrap();
            set(&file, mode);
            assert_eq!(is_kept_from_others(&file, &home), expected, "{name} {mode:o}");
        };
        for (directory, mode) in [
            ("closed/open", 0o755),
            ("closed", 0o700),
            ("open", 0o755),
            ("", 0o700),
        ] {
            set(&home.join(directory), mode);
        }
        check("settings", 0o644, false);
        check("key", 0o600, true);
        check("open/settings", 0o644, false);
        check("open/key", 0o640, true);
        check("closed/settings", 0o644, true);
        check("closed/open/settings", 0o644, true);
        assert!(!is_kept_from_others(&home.join("absent"), &home));
    }

    #[test]
    fn what_would_not_have_happened_anyway_is_not_told() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("file"), "").unwrap();
        let check = |name: &str, effect, expected| {
            assert_eq!(
                would_happen(&place.path().join(name), effect),
                expected,
                "{name} {effect:?}"
            );
        };
        check("file", NameEffect::Makes, false); // it is there: `mkdir -p` asks so
        check("new", NameEffect::Makes, true);
        check("absent/new", NameEffect::Makes, false);
        check("file", NameEffect::Alters, true);
        check("new", NameEffect::Alters, false); // nothing to remove
        check("file", NameEffect::Puts, true);
        check("new", NameEffect::Puts, true);
        check("absent/new", NameEffect::Puts, false);
    }

    #[test]
    fn paths_are_tidied_as_they_are_written() {
        let check = |path: &str, expected: &str| assert_eq!(tidy(Path::new(path)), Path::new(expected));
        check("/srv/a/../b/./c", "/srv/b/c");
        check("/../..", "/");
        check("/srv", "/srv");
    }
}
