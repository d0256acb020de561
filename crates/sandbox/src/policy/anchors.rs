//! Where patterns start: the home folder for `~`, the workspace for what is relative.

use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use crate::refusal::{Refusal, refuse};

/// Two folders, both absolute and without `.`, `..` or doubled slashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchors {
    home: PathBuf,
    workspace: PathBuf,
}

impl Anchors {
    /// Takes the two folders. Neither is looked up: links in them are the caller's to resolve.
    ///
    /// # Errors
    /// A path is relative, or not in its shortest form, or holds a NUL.
    pub fn new(home: impl Into<PathBuf>, workspace: impl Into<PathBuf>) -> Result<Self, Refusal> {
        let (home, workspace) = (home.into(), workspace.into());
        check("home", &home)?;
        check("workspace", &workspace)?;
        Ok(Self { home, workspace })
    }

    /// Returns the folder that `~` stands for.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Returns the folder that relative patterns start from.
    pub fn workspace(&self) -> &Path {
        &self.workspace
    }
}

fn check(field: &str, path: &Path) -> Result<(), Refusal> {
    let refused = |reason: &str, fix: &str| Err(refuse(field, &path.to_string_lossy(), reason, fix));
    if !path.is_absolute() {
        return refused("the path is not absolute", "give a path that starts with '/'");
    }
    if path.as_os_str().as_bytes().contains(&0) {
        return refused("the path holds a NUL", "remove the NUL");
    }
    // Components leave out `.` and doubled slashes, so putting them together again shows both.
    let shortest: PathBuf = path.components().collect();
    let climbs = path.components().any(|part| part == Component::ParentDir);
    if climbs || shortest.as_os_str() != path.as_os_str() {
        return refused(
            "the path is not in its shortest form",
            "give it without '.', '..', doubled slashes and a slash at its end",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_absolute_and_short() {
        fn check(path: &str, reason: Option<&str>) {
            let refusal = Anchors::new("/h", path).err();
            assert_eq!(
                refusal.as_ref().map(|refusal| refusal.reason.as_str()),
                reason,
                "{path:?}"
            );
            assert!(refusal.is_none_or(|refusal| refusal.field == "workspace"));
        }
        let long = Some("the path is not in its shortest form");
        check("/", None);
        check("/w/a b/[x]", None);
        check("", Some("the path is not absolute"));
        check("w", Some("the path is not absolute"));
        check("/w/", long);
        check("//w", long);
        check("/w/./x", long);
        check("/w/../x", long);
        check("/w\0", Some("the path holds a NUL"));
        assert_eq!(Anchors::new("h", "/w").unwrap_err().field, "home");
    }
}
