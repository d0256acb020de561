//! What the child could see and change, kept for telling refusals from other errors.

use std::path::{Path, PathBuf};

use super::view::{Access, View, What};

/// The paths of a child's view, and what could be done at each.
#[derive(Debug, Default)]
pub(crate) struct Visible {
    /// Parents first.
    paths: Vec<(PathBuf, Sight)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sight {
    Nothing,
    Read,
    Write,
}

impl Visible {
    pub(super) fn of(view: &View) -> Self {
        let sight = |what, access| match (what, access) {
            (What::NoDirectory | What::NoFile, _) => Sight::Nothing,
            (What::Host, Access::Read) => Sight::Read,
            (What::Host, Access::Write) => Sight::Write,
        };
        let own = ["/tmp", "/dev", "/proc"].map(|path| (PathBuf::from(path), Sight::Write));
        let mut paths: Vec<_> = own.into();
        paths.extend(
            view.mounts()
                .map(|(path, mount)| (path.to_owned(), sight(mount.what, mount.access))),
        );
        Self { paths }
    }

    /// Whether something of the host shows at a path.
    pub(crate) fn shows(&self, path: &Path) -> bool {
        self.at(path) != Sight::Nothing
    }

    /// Whether a path may be changed.
    pub(crate) fn may_write(&self, path: &Path) -> bool {
        self.at(path) == Sight::Write
    }

    fn at(&self, path: &Path) -> Sight {
        let holders = self.paths.iter().filter(|(above, _)| path.starts_with(above));
        holders
            .max_by_key(|(above, _)| above.components().count())
            .map_or(Sight::Nothing, |(_, sight)| *sight)
    }
}
