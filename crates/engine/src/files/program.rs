//! Which file starts when a name is started: the one answer for whoever mounts it, digests it, shows it or runs it.
//!
//! A file of that name that cannot be executed is passed over, as `execvp` passes over it: taken for the program, a decoy
//! would be what is pinned and shown while another file runs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, accessat};

/// Whether this is a file that we may execute, as the kernel would decide.
pub fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|meta| meta.is_file())
        && accessat(CWD, file, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// Returns every program of this name, in the order in which they are found. A name with a slash is no name, and relative
/// directories mean another place tomorrow.
pub fn programs_named<'s, P: AsRef<Path>>(
    name: &'s OsStr,
    search: &'s [P],
) -> impl Iterator<Item = PathBuf> + 's {
    let is_name = !name.is_empty()
        && !name
            .as_encoded_bytes()
            .iter()
            .any(|byte| matches!(byte, b'/' | 0));
    let directories = search
        .iter()
        .map(AsRef::as_ref)
        .filter(|directory| directory.is_absolute());
    directories
        .filter(move |_| is_name)
        .map(move |directory| directory.join(name))
        .filter(|file| is_program(file))
}

/// Returns the program that a name starts.
pub fn find_program<P: AsRef<Path>>(name: impl AsRef<OsStr>, search: &[P]) -> Option<PathBuf> {
    programs_named(name.as_ref(), search).next()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn what_cannot_be_executed_is_passed_over() {
        let home = Home::new();
        let at = |path: &str| home.root().join(path);
        for (path, mode) in [("a/sort", 0o644), ("b/sort", 0o755), ("c/sort", 0o755)] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "").unwrap();
            fs::set_permissions(at(path), fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::create_dir(at("a/folder")).unwrap();
        symlink(at("b/sort"), at("a/link")).unwrap();
        symlink(at("nowhere"), at("a/dangling")).unwrap();
        let search = ["a", "b", "c"].map(at);
        assert_eq!(find_program("sort", &search), Some(at("b/sort")));
        let all: Vec<PathBuf> = programs_named(OsStr::new("sort"), &search).collect();
        assert_eq!(all, [at("b/sort"), at("c/sort")]);
        assert_eq!(find_program("link", &search), Some(at("a/link")));
        for no in ["folder", "dangling", "", "../b/sort", "nul\0", "missing"] {
            assert_eq!(find_program(no, &search), None, "{no:?}");
        }
        assert_eq!(find_program("sort", &[Path::new("b")]), None);
    }
}
