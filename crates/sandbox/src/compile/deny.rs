//! What the policy takes back: covered where it is, refused where it cannot be.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::base;
use super::resolve::{PathKind, UnresolvedPath, look_up};
use super::view::{ChildView, MountAccess, MountContent, ViewMount};
use super::walk::walk;
use crate::policy::{Anchors, PathPattern, PatternShape};
use crate::refusal::Refusal;

/// How many files of a denied directory are looked at for second names.
const LOOKED_AT: usize = 20_000;

/// Takes what is denied out of a view.
pub(super) fn all(view: &mut ChildView, patterns: &[PathPattern], anchors: &Anchors) -> Result<(), Refusal> {
    for (index, pattern) in patterns.iter().enumerate() {
        let field = format!("fs.deny[{index}]");
        match pattern.shape() {
            PatternShape::Exact(path) | PatternShape::Tree(path) => {
                one(view, &field, pattern, &path, anchors)?
            }
            PatternShape::Glob { root, tree } => glob(view, &field, pattern, &root, tree, anchors)?,
        }
    }
    Ok(())
}

fn one(
    view: &mut ChildView,
    field: &str,
    pattern: &PathPattern,
    path: &Path,
    anchors: &Anchors,
) -> Result<(), Refusal> {
    let refuse = |reason: String, fix: &str| Refusal::new(field, pattern.text(), reason, fix);
    let found = look_up(path, anchors).map_err(|stray| match stray {
        UnresolvedPath::Link(link) => refuse(
            format!("{link:?} is a symlink, so what is denied is somewhere else"),
            "Deny the real path",
        ),
        UnresolvedPath::Unreadable(path) => {
            refuse(format!("{path:?} cannot be looked at"), "Check its permissions")
        }
    })?;
    let path = found.path.as_path();
    let holder = path
        .parent()
        .and_then(|parent| view.holder(parent))
        .map(|(_, mount)| *mount);
    match found.kind {
        PathKind::Absent => {
            let writable = holder.is_some_and(|mount| mount.access == MountAccess::Write && !mount.device);
            if writable {
                return Err(refuse(
                    "it does not exist, and the child could create it below a directory it may write to"
                        .to_owned(),
                    "Create it first, or grant a directory that does not hold it",
                ));
            }
            Ok(())
        }
        PathKind::File | PathKind::Directory | PathKind::Other => {
            if has_second_name(path, found.kind, found.names, anchors) {
                return Err(refuse(
                    "a file in it has a second name (a hard link) by which it could be reached".to_owned(),
                    "Remove the other name, or deny that too",
                ));
            }
            cover(view, path, found.kind == PathKind::Directory);
            Ok(())
        }
    }
}

/// Puts a cover over a path, and takes away what was granted below it.
pub(super) fn cover(view: &mut ChildView, path: &Path, directory: bool) {
    // What every program needs stays under a denial of more than itself: `/etc/**` is not meant to take the
    // certificates away. A denial of the very thing is.
    let names_base = base::places().any(|place| path.starts_with(place));
    view.remove_below(path, |mount| !mount.base || names_base);
    let held = path.parent().and_then(|parent| view.holder(parent)).is_some();
    if held {
        let what = if directory {
            MountContent::NoDirectory
        } else {
            MountContent::NoFile
        };
        pin_ancestors(view, path);
        view.mount(
            path,
            ViewMount {
                what,
                ..ViewMount::read(directory)
            },
        );
    }
}

/// Makes every directory between a writable mount and `path` a mount of its own. A directory that is a mount cannot
/// be renamed, so that what is covered cannot be moved away with it and made anew.
pub(super) fn pin_ancestors(view: &mut ChildView, path: &Path) {
    let Some((root, mount)) = path.parent().and_then(|parent| view.holder(parent)) else {
        return;
    };
    if mount.access != MountAccess::Write || mount.what != MountContent::Host {
        return;
    }
    let (root, mount) = (root.to_owned(), *mount);
    let between: Vec<PathBuf> = path
        .ancestors()
        .skip(1)
        .take_while(|above| *above != root)
        .map(Path::to_owned)
        .collect();
    for above in between {
        view.mount(&above, mount);
    }
}

fn glob(
    view: &mut ChildView,
    field: &str,
    pattern: &PathPattern,
    root: &Path,
    tree: bool,
    anchors: &Anchors,
) -> Result<(), Refusal> {
    let refuse = |reason: String, fix: &str| Refusal::new(field, pattern.text(), reason, fix);
    let grants: Vec<(PathBuf, ViewMount)> = view
        .mounts()
        .filter(|(_, mount)| mount.what == MountContent::Host && !mount.device)
        .map(|(path, mount)| (path.to_owned(), *mount))
        .collect();
    for (path, mount) in grants {
        let inside = pattern.matches(&path) || pattern.could_match_below(&path);
        if !inside {
            continue;
        }
        if mount.access == MountAccess::Write && mount.directory {
            return Err(refuse(
                format!(
                    "files that are created later below {path:?}, which may be written, could not be covered"
                ),
                "Deny directories with /** by their full path, or grant less to write",
            ));
        }
        if mount.base {
            continue;
        }
        let start = if path.starts_with(root) {
            path.as_path()
        } else {
            root
        };
        if !mount.directory {
            cover(view, &path, false);
            continue;
        }
        let matches =
            walk(pattern, start, tree).map_err(|many| refuse(many.reason(), "Write a narrower pattern"))?;
        for directory in &matches.directories {
            one(view, field, pattern, directory, anchors)?;
        }
        for file in &matches.files {
            one(view, field, pattern, file, anchors)?;
        }
    }
    Ok(())
}

/// Whether a denied file, or one in a denied directory, can be reached by another name. Looked for where a user could
/// have made one: below the home and the workspace.
fn has_second_name(path: &Path, kind: PathKind, names: u64, anchors: &Anchors) -> bool {
    if !(path.starts_with(anchors.home()) || path.starts_with(anchors.workspace())) {
        return false;
    }
    if kind != PathKind::Directory {
        return names > 1;
    }
    let mut looked_at = 0;
    let mut waiting = vec![path.to_owned()];
    while let Some(directory) = waiting.pop() {
        let Ok(entries) = fs::read_dir(&directory) else {
            continue;
        };
        for entry in entries.flatten() {
            looked_at += 1;
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                waiting.push(entry.path());
            } else if meta.nlink() > 1 {
                return true;
            }
            if looked_at > LOOKED_AT {
                return true;
            }
        }
    }
    false
}
