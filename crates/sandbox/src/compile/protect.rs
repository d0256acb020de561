//! Paths that no policy can grant: refused when asked for, covered or made read-only when a wider grant holds them,
//! and looked for after the run when they did not exist before.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::deny::{cover, pin_ancestors};
use super::letter_case::is_reached_by_other_names;
use super::resolve::{PathKind, PathLookups, UnresolvedPath};
use super::view::{ChildView, MountAccess, MountContent, ViewMount};
use crate::policy::{
    Anchors, Guard, Instructions, PathPattern, PatternShape, Protected, instructions, is_below,
};
use crate::refusal::Refusal;
use crate::repository::protected_by_git;

/// A protected name that is looked at again when the child has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WatchedPath {
    pub(crate) path: PathBuf,
    pub(crate) was: PriorState,
    pub(crate) why: &'static str,
}

/// What stood at a protected name before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PriorState {
    /// Nothing, which no mount can hold.
    Absent,
    /// A symlink, which no mount can hold, and where it led.
    Link(PathBuf),
    /// This file or directory, by device and number. A mount holds it against this child, and two children that know
    /// of each other might still exchange it: one that started before it was there, and one after.
    This { device: u64, number: u64 },
}

/// Applies the protected paths to a view, and returns those that must be looked for afterwards.
pub(super) fn all(
    view: &mut ChildView,
    protected: &Protected,
    writes: &[PathPattern],
    anchors: &Anchors,
) -> Result<Vec<WatchedPath>, Refusal> {
    let mut watched = Vec::new();
    let mut lookups = PathLookups::new(anchors);
    // Where nothing may be written, nothing has to be held.
    let by_git = match writes {
        [] => Vec::new(),
        [..] => protected_by_git(protected)?,
    };
    let by_git = by_git.into_iter().map(|(path, why)| (path, Guard::Fixed, why));
    for (path, guard, why) in protected.iter().chain(by_git) {
        if writes.is_empty() && guard == Guard::Fixed {
            continue;
        }
        let path = path.as_path();
        refuse_grants(path, why, writes)?;
        let found = match lookups.look_up(path) {
            Ok(found) => found,
            Err(stray) => {
                watched.extend(protect_link(view, path, guard, stray, why));
                continue;
            }
        };
        if found.kind == PathKind::File && found.names > 1 && !writes.is_empty() {
            return Err(second_name(path, why));
        }
        let writable = is_writable(view, &found.path);
        match (guard, found.kind) {
            (Guard::Hidden, PathKind::Directory) if view.shows(&found.path) => cover(view, &found.path, true),
            (Guard::Hidden, PathKind::File | PathKind::Other) if view.shows(&found.path) => {
                cover(view, &found.path, false)
            }
            (Guard::Fixed, PathKind::Directory | PathKind::File | PathKind::Other) if writable => {
                if is_reached_by_other_names(&found.path) {
                    return Err(other_names(path, why));
                }
                fix(view, &found.path, found.kind == PathKind::Directory);
                watched.extend(remember(&found.path, why));
            }
            (Guard::Hidden | Guard::Fixed, PathKind::Absent) if writable => {
                watched.extend(protect_absent(view, &found.path, why));
            }
            (
                Guard::Hidden | Guard::Fixed,
                PathKind::Directory | PathKind::File | PathKind::Other | PathKind::Absent,
            ) => {}
        }
    }
    Ok(watched)
}

/// A grant to write that means the protected thing itself, or something in it, is refused; one that merely holds it
/// is not.
fn refuse_grants(path: &Path, why: &'static str, writes: &[PathPattern]) -> Result<(), Refusal> {
    for (index, pattern) in writes.iter().enumerate() {
        let root = match pattern.shape() {
            PatternShape::Exact(root) | PatternShape::Tree(root) | PatternShape::Glob { root, .. } => root,
        };
        if is_below(&root, path) {
            return Err(Refusal::new(
                format!("fs.write[{index}]"),
                pattern.text(),
                format!("{path:?} is protected: {why}"),
                "Let the program write elsewhere; a person can copy what it made",
            ));
        }
    }
    Ok(())
}

fn remember(path: &Path, why: &'static str) -> Option<WatchedPath> {
    let meta = path.symlink_metadata().ok()?;
    Some(WatchedPath {
        path: path.to_owned(),
        was: PriorState::This {
            device: meta.dev(),
            number: meta.ino(),
        },
        why,
    })
}

/// A protected file that can be changed by another name, wherever that is.
fn second_name(path: &Path, why: &'static str) -> Refusal {
    Refusal::new(
        "fs.write",
        path.to_string_lossy(),
        format!("it is protected ({why}) and has a second name, a hard link, by which it could be changed"),
        "Remove the other name, or replace the file by a copy of itself",
    )
}

/// A protected file on a file system where no mount holds it.
fn other_names(path: &Path, why: &'static str) -> Refusal {
    Refusal::new(
        "fs.write",
        path.to_string_lossy(),
        format!(
            "it is protected ({why}), and its file system finds it by names in other letters, which no mount holds"
        ),
        "Work in a directory of a file system that tells small letters from capitals",
    )
}

/// Makes a path read-only inside what may be written.
fn fix(view: &mut ChildView, path: &Path, directory: bool) {
    pin_ancestors(view, path);
    // What could be started there still can: protection is against change.
    let exec = view.holder(path).is_some_and(|(_, mount)| mount.exec);
    view.remove_below(path, |mount| !mount.base && mount.access == MountAccess::Write);
    view.mount(
        path,
        ViewMount {
            exec,
            ..ViewMount::read(directory)
        },
    );
}

/// Protects a name that is not there, below a directory that can be written. A `.git` that is a file leads git to hooks
/// elsewhere, and is kept as it is. Any other file on the way leads nobody anywhere.
fn protect_absent(view: &mut ChildView, path: &Path, why: &'static str) -> Option<WatchedPath> {
    let file = path
        .ancestors()
        .skip(1)
        .find(|above| above.exists())
        .filter(|above| !above.is_dir() && is_git_link(above));
    if let Some(file) = file {
        fix(view, file, false);
        return None;
    }
    Some(WatchedPath {
        path: path.to_owned(),
        was: PriorState::Absent,
        why,
    })
}

/// Protects a name behind a symlink that somebody made: what it leads to as it is, and the link by looking after it.
fn protect_link(
    view: &mut ChildView,
    path: &Path,
    guard: Guard,
    stray: UnresolvedPath,
    why: &'static str,
) -> Vec<WatchedPath> {
    let link = match stray {
        UnresolvedPath::Link(link) => link,
        // Somebody closed the directory it is in. As it is it stays: closed, and where it is.
        UnresolvedPath::Unreadable(inside) => {
            let closed = inside.parent().filter(|closed| is_writable(view, closed));
            if let Some(closed) = closed {
                fix(view, closed, true);
            }
            return Vec::new();
        }
    };
    let mut watched = Vec::new();
    if let Some(real) = real(path) {
        let writable = is_writable(view, &real);
        match (guard, real.symlink_metadata()) {
            (Guard::Hidden, Ok(meta)) if view.shows(&real) => cover(view, &real, meta.is_dir()),
            (Guard::Fixed, Ok(meta)) if writable => fix(view, &real, meta.is_dir()),
            (Guard::Hidden | Guard::Fixed, Err(_)) if writable => {
                watched.extend(protect_absent(view, &real, why))
            }
            (Guard::Hidden | Guard::Fixed, Ok(_) | Err(_)) => {}
        }
    }
    if link.parent().is_some_and(|parent| is_writable(view, parent)) {
        pin_ancestors(view, &link);
        let was = std::fs::read_link(&link).map_or(PriorState::Absent, PriorState::Link);
        watched.push(WatchedPath { path: link, was, why });
    }
    watched
}

/// Where a path leads, whether or not something is there yet: without links as far as it exists, and as it is from
/// there on.
fn real(path: &Path) -> Option<PathBuf> {
    let (above, real) = path
        .ancestors()
        .find_map(|above| Some((above, above.canonicalize().ok()?)))?;
    let rest = path.strip_prefix(above).ok()?;
    Some(if rest.as_os_str().is_empty() {
        real
    } else {
        real.join(rest)
    })
}

impl Protected {
    /// Says why a path may not be changed, if so: it is protected, or lies in or above what is. Links are followed, and
    /// the case of letters is no difference.
    ///
    /// # Errors
    /// Nobody can tell what git would run.
    pub fn guarding(&self, path: &Path) -> Result<Option<&'static str>, Refusal> {
        let path = real(path).unwrap_or_else(|| path.to_owned());
        // Some names are files of instructions or directories with more in them.
        let is_file = instructions(&path) == Some(Instructions::Is) && !path.is_dir();
        let is_near = |other: &Path| is_below(&path, other) || (!is_file && is_below(other, &path));
        let listed = self.iter().map(|(path, _, why)| (path, why));
        let mut all = listed.chain(protected_by_git(self)?);
        let found = all.find(|(path, _)| is_near(path) || real(path).is_some_and(|real| is_near(&real)));
        Ok(found.map(|(_, why)| why))
    }
}

/// Whether a file of this name leads git somewhere.
pub(crate) fn is_git_link(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.eq_ignore_ascii_case(".git"))
}

fn is_writable(view: &ChildView, path: &Path) -> bool {
    view.holder(path).is_some_and(|(_, mount)| {
        mount.access == MountAccess::Write && mount.what == MountContent::Host && !mount.device
    })
}
