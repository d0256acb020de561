//! Protected names that a child made: moved aside, so that nothing runs them, and reported.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, RenameFlags, ResolveFlags, openat2, renameat_with};
use rustix::io::Errno;

use crate::compile::{NestedWatch, PriorState, WatchedPath, is_git_link};

/// A protected file that a child made, or that was exchanged for another while it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quarantined {
    /// The path at which the child made it.
    pub path: PathBuf,
    /// Where it is now; nothing if it was not moved, which a person must look at.
    pub moved_to: Option<PathBuf>,
    /// Why the path is protected.
    pub why: &'static str,
}

/// What was found when a child had ended.
pub(super) struct QuarantineFindings {
    pub(super) quarantined: Vec<Quarantined>,
    /// What could not be looked at, if anything.
    pub(super) note: Option<String>,
}

/// Looks at every name that is watched, and for new ones below the workspaces.
pub(super) fn look(watched: &[WatchedPath], nested: &NestedWatch) -> QuarantineFindings {
    let mut quarantined = look_at(watched);
    let new = nested.find_new(unlock);
    quarantined.extend(new.names.into_iter().map(|(path, why)| Quarantined {
        moved_to: move_aside(&path).ok(),
        path,
        why,
    }));
    QuarantineFindings {
        quarantined,
        note: new.unseen.map(|directory| {
            format!(
                "it made more than can be looked through: protected names may be left below {directory:?}"
            )
        }),
    }
}

/// Looks whether a name that was absent exists now, whether something new stands in the way to it that could lead
/// elsewhere, or a symlink does.
fn look_at(watched: &[WatchedPath]) -> Vec<Quarantined> {
    // Most of them lie in the same few directories. One whose way is plain stays so: nobody is left to change it.
    let mut plain = HashSet::new();
    watched
        .iter()
        .filter(|watched| {
            let above = watched.path.parent();
            let is_plain = above.is_some_and(|above| plain.contains(above));
            if !is_plain {
                open_up(&watched.path);
            }
            let way = match is_plain {
                true => None,
                false => obstacle(&watched.path),
            };
            if way.is_none() {
                plain.extend(above);
            }
            has_changed(watched, way)
        })
        .map(put_aside)
        .collect()
}

fn has_changed(watched: &WatchedPath, obstacle: Option<&Path>) -> bool {
    match &watched.was {
        PriorState::Absent => !is_absent(&watched.path) || obstacle.is_some(),
        PriorState::Link(target) => fs::read_link(&watched.path).ok().as_ref() != Some(target),
        PriorState::This { device, number } => fs::symlink_metadata(&watched.path)
            .map_or(true, |meta| (meta.dev(), meta.ino()) != (*device, *number)),
    }
}

/// Whether nothing is there. What cannot be looked at may be.
fn is_absent(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() != io::ErrorKind::PermissionDenied)
}

/// Opens directories on the way that were closed to us, as far as the first thing that is none.
fn open_up(path: &Path) {
    let mut ways: Vec<&Path> = path.ancestors().skip(1).collect();
    ways.reverse();
    for way in ways {
        match fs::symlink_metadata(way) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) | Err(_) => return,
        }
        let inside = fs::symlink_metadata(way.join("."));
        if inside.is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
            unlock(way);
        }
    }
}

/// Lets us into a directory of ours again. What still fails is told as what could not be moved.
fn unlock(directory: &Path) {
    if let Ok(meta) = fs::symlink_metadata(directory) {
        let mode = meta.permissions().mode() | 0o700;
        let _ = fs::set_permissions(directory, fs::Permissions::from_mode(mode));
    }
}

fn put_aside(watched: &WatchedPath) -> Quarantined {
    let moved_to = match &watched.was {
        PriorState::Absent => move_aside(obstacle(&watched.path).unwrap_or(&watched.path)).ok(),
        PriorState::Link(target) => move_aside(&watched.path)
            .ok()
            .inspect(|_| drop(std::os::unix::fs::symlink(target, &watched.path))),
        // It may be its owner's own doing: git replaces its settings by another file. A person decides.
        PriorState::This { .. } => None,
    };
    Quarantined {
        path: watched.path.clone(),
        moved_to,
        why: watched.why,
    }
}

/// The first thing on the way to a name that leads elsewhere: a link, to what is somebody else's or to where nothing is
/// yet, or a file called `.git`, which to git is a link too. When the child started there was none.
fn obstacle(path: &Path) -> Option<&Path> {
    let mut ways: Vec<&Path> = path.ancestors().skip(1).collect();
    ways.reverse();
    ways.into_iter().find(|above| {
        fs::symlink_metadata(above)
            .is_ok_and(|meta| meta.is_symlink() || (!meta.is_dir() && is_git_link(above)))
    })
}

/// Renames within the directory, to a name that nothing looks for and that does not exist. The directory is held: a
/// link that somebody else puts in its way leads us nowhere.
fn move_aside(path: &Path) -> io::Result<PathBuf> {
    if is_absent(path) {
        return Ok(path.to_owned());
    }
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let directory = openat2(CWD, above, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    for number in 0..1_000_u32 {
        let mut to = name.to_owned();
        to.push(format!(".quarantined-{number}"));
        match renameat_with(&directory, name, &directory, &to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(path.with_file_name(to)),
            Err(Errno::EXIST) => {}
            Err(Errno::ACCESS) if number == 0 => unlock(above),
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
