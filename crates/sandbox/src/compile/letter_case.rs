//! File systems that take `.Git` for `.git`.
//!
//! Most of them the kernel knows so well that a mount on one spelling is a mount on all. Behind those that another
//! machine or program keeps (shares, virtual machines) each spelling is a name of its own to the kernel, and only the
//! other side knows that they are one file: what is mounted on one can be got round by another.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// File systems of which the kernel compares names itself, by the numbers that it gives them: ext4, f2fs, btrfs, xfs, vfat, exfat,
/// ntfs3, tmpfs.
const CASE_SENSITIVE_FILE_SYSTEMS: &[i64] = &[
    0xEF53,
    0xF2F5_2010,
    0x9123_683E,
    0x5846_5342,
    0x4D44,
    0x2011_BAB0,
    0x7366_746E,
    0x0102_1994,
];

/// Whether something that exists can be reached by its name in other letters, past a mount on it.
pub(super) fn is_reached_by_other_names(path: &Path) -> bool {
    let Some(name) = path.file_name() else {
        return false;
    };
    let swapped = name.as_bytes().iter().map(|byte| match byte {
        byte if byte.is_ascii_lowercase() => byte.to_ascii_uppercase(),
        byte => byte.to_ascii_lowercase(),
    });
    let other = path.with_file_name(OsString::from_vec(swapped.collect()));
    let number = |path: &Path| path.symlink_metadata().map(|meta| (meta.dev(), meta.ino()));
    if other == path || number(&other).is_err() || number(&other).ok() != number(path).ok() {
        return false;
    }
    // Two links to one file, on the other hand, are two names to every kernel; they are refused as such.
    !rustix::fs::statfs(path).is_ok_and(|found| CASE_SENSITIVE_FILE_SYSTEMS.contains(&found.f_type))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_system_that_knows_its_letters_is_no_danger() {
        let place = tempfile::tempdir().unwrap();
        let config = place.path().join("config");
        fs::write(&config, "").unwrap();
        assert!(!is_reached_by_other_names(&config));
        fs::write(place.path().join("CONFIG"), "").unwrap();
        assert!(!is_reached_by_other_names(&config));
        assert!(!is_reached_by_other_names(Path::new("/")));
        assert!(!is_reached_by_other_names(Path::new("/proc/1")));
    }
}
