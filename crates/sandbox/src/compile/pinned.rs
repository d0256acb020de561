//! Files that have to say what they said before: what somebody has looked at and agreed to.
//!
//! With namespaces the bytes are mounted over the file, so that nothing that happens to the file matters. Without them
//! the file is compared right before the start. What cannot be held is a refusal.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use super::view::ChildView;
use crate::launch::Tier;
use crate::refusal::Refusal;

/// Fixes every file.
///
/// # Errors
/// One that is not there any more, or says something else.
pub(super) fn all(
    view: &mut ChildView,
    fixed: &BTreeMap<PathBuf, Vec<u8>>,
    tier: Tier,
) -> Result<(), Refusal> {
    for (path, bytes) in fixed {
        // What the child does not see says nothing to it.
        if !view.shows(path) {
            continue;
        }
        let held = match tier {
            Tier::Namespaces => is_file(path) && view.fix(path, bytes),
            Tier::Landlock => says(path, bytes),
        };
        if !held {
            let reason = "it is not the file that it was";
            let fix = "Start it again, with the file as it is now";
            return Err(Refusal::new("files", path.to_string_lossy(), reason, fix));
        }
    }
    Ok(())
}

fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_file())
}

/// Whether a file says exactly this. Nobody is waited for.
fn says(path: &Path, bytes: &[u8]) -> bool {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else {
        return false;
    };
    let most = u64::try_from(bytes.len()).unwrap_or(u64::MAX).saturating_add(1);
    let mut found = Vec::with_capacity(bytes.len());
    let read = std::fs::File::from(file).take(most).read_to_end(&mut found);
    read.is_ok() && found == bytes
}

#[cfg(test)]
mod tests {
    use super::super::view::ViewMount;
    use super::*;

    #[test]
    fn without_namespaces_a_file_has_to_say_the_same() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("script");
        let link = place.path().join("link");
        std::fs::write(&file, "same").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let mut view = ChildView::default();
        view.mount(place.path(), ViewMount::read(true));
        let mut held = |path: &Path, bytes: &str| {
            let fixed = BTreeMap::from([(path.to_owned(), bytes.as_bytes().to_vec())]);
            all(&mut view, &fixed, Tier::Landlock).is_ok()
        };
        assert!(held(&file, "same"));
        for other in ["", "sam", "same ", "other"] {
            assert!(!held(&file, other), "{other}");
        }
        assert!(!held(&link, "same"), "a link may lead elsewhere in a moment");
        assert!(!held(&place.path().join("none"), ""));
        assert!(
            held(Path::new("/elsewhere"), "whatever"),
            "what is not shown says nothing"
        );
    }
}
