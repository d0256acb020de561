//! What the child could see and change, kept for telling refusals from other errors.

use std::path::{Path, PathBuf};

use super::view::{ChildView, MountAccess, MountContent};

/// The paths of a child's view, and what could be done at each.
#[derive(Debug, Default)]
pub(crate) struct VisiblePaths {
    /// Parents first.
    paths: Vec<(PathBuf, PathVisibility)>,
}

/// What of a path the child has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathVisibility {
    /// Nothing, and nothing can be made there: nobody granted it.
    Nothing,
    /// Nothing, although it lies in what was granted.
    Denied,
    /// A place of the sandbox's own: it may be changed, and nothing of the host is in it.
    Own,
    Read,
    Write,
}

impl VisiblePaths {
    pub(super) fn of(view: &ChildView) -> Self {
        let sight = |what, access| match (what, access) {
            (MountContent::NoDirectory | MountContent::NoFile, _) => PathVisibility::Denied,
            (MountContent::Host, MountAccess::Read) | (MountContent::Text, _) => PathVisibility::Read,
            (MountContent::Host, MountAccess::Write) => PathVisibility::Write,
        };
        let own = [
            ("/tmp", PathVisibility::Own),
            // The same names lead to other things here and there: no conclusion is drawn from the host's.
            ("/dev", PathVisibility::Write),
            ("/proc", PathVisibility::Write),
        ];
        let mut paths: Vec<_> = own.map(|(path, sight)| (PathBuf::from(path), sight)).into();
        // What lies there on the host is not shown, and nothing can be made in its place.
        let stand_ins = view.stand_ins(Path::new("/tmp"));
        paths.extend(stand_ins.into_iter().map(|path| (path, PathVisibility::Nothing)));
        paths.extend(
            view.mounts()
                .map(|(path, mount)| (path.to_owned(), sight(mount.what, mount.access))),
        );
        Self { paths }
    }

    /// Whether something of the host shows at a path.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        matches!(self.sight(path), PathVisibility::Read | PathVisibility::Write)
    }

    /// Whether a path may be changed.
    pub(crate) fn may_write(&self, path: &Path) -> bool {
        matches!(self.sight(path), PathVisibility::Own | PathVisibility::Write)
    }

    /// Returns what the child has of a path.
    pub(crate) fn sight(&self, path: &Path) -> PathVisibility {
        let holders = self.paths.iter().filter(|(above, _)| path.starts_with(above));
        holders
            .max_by_key(|(above, _)| above.components().count())
            .map_or(PathVisibility::Nothing, |(_, sight)| *sight)
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::ViewMount;
    use super::*;

    #[test]
    fn the_hosts_tmp_does_not_show_in_our_own() {
        let mut view = ChildView::default();
        let mount = ViewMount::read(true);
        view.mount(Path::new("/tmp/place/data"), mount);
        let visible = VisiblePaths::of(&view);
        let check = |path: &str, shows, may_write| {
            let path = Path::new(path);
            assert_eq!(
                (visible.shows(path), visible.may_write(path)),
                (shows, may_write),
                "{path:?}"
            );
        };
        check("/tmp/place/data/file", true, false);
        check("/tmp/place/secret", false, false);
        check("/tmp/elsewhere/secret", false, true);
        check("/srv/secret", false, false);
        check("/proc/1/environ", true, true);
    }
}
