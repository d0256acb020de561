//! Replacing a file so that a reader sees the old one or the new one, whole, and never anything between.
//!
//! The new text goes into a file of its own in the same directory (a name nobody else has, made with `O_EXCL`, no
//! symlink followed), which is then renamed over the old one. What a writer that died left behind is removed by
//! [`sweep`], and only that: names of our own pattern, and old.
//!
//! Never takes a lock: whoever reads, changes and writes holds a [`Lock`](super::lock::Lock).

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::OFlags;

use crate::files::untrusted::FileError;

/// How the name of a file that is being written ends. Readers look for `.json`.
const SUFFIX: &str = ".argrail-tmp";

/// How old a file that is being written must be before we take its writer for dead.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// How many names are tried. Only a writer of the same number in another namespace, or a dead one, can have taken one.
const ATTEMPTS: u32 = 100;

/// Makes names differ within this process.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Who may read the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The owner alone.
    Private,
    /// Everybody; the owner writes.
    Shared,
    /// As the file that is replaced has it.
    Mode(u32),
}

/// What a loss of power may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing: the file is on the disk when the call returns.
    Synced,
    /// The file. For what carries a checksum and can be found again.
    Cached,
}

impl Access {
    fn mode(self) -> u32 {
        match self {
            Self::Private => 0o600,
            Self::Shared => 0o644,
            Self::Mode(mode) => mode,
        }
    }
}

/// Replaces `path` by a file with these bytes, and makes its directory (for its owner alone) if need be.
///
/// # Errors
/// When the system refuses; the old file is then untouched.
pub fn replace(path: &Path, bytes: &[u8], access: Access, durability: Durability) -> Result<(), FileError> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    make_directory(directory)?;
    let (mut file, temporary) = create_beside(path, access)?;
    let fail = |error| FileError::io(path, error);
    let written = file
        .write_all(bytes)
        .and_then(|()| match durability {
            Durability::Synced => file.sync_all(),
            Durability::Cached => Ok(()),
        })
        // The mask of the process may have taken more than was meant.
        .and_then(|()| file.set_permissions(Permissions::from_mode(access.mode())))
        .and_then(|()| fs::rename(&temporary, path));
    if let Err(error) = written {
        let _ = fs::remove_file(&temporary);
        return Err(fail(error));
    }
    match durability {
        Durability::Synced => File::open(directory)
            .and_then(|directory| directory.sync_all())
            .map_err(fail),
        Durability::Cached => Ok(()),
    }
}

/// Makes a directory and those above it, each for its owner alone. One that is there stays as it is.
///
/// # Errors
/// When the system refuses.
pub fn make_directory(path: &Path) -> Result<(), FileError> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| FileError::io(path, error))
}

/// Removes what writers that died left in `directory`; returns how many files that were.
///
/// What cannot be removed is left to the next one: nobody reads it.
pub fn sweep(directory: &Path, now: SystemTime) -> usize {
    let Ok(entries) = fs::read_dir(directory) else {
        return 0;
    };
    let abandoned = |path: &Path| {
        let modified = path.symlink_metadata().and_then(|found| found.modified()).ok()?;
        Some(now.duration_since(modified).ok()? > ABANDONED)
    };
    entries
        .filter_map(Result::ok)
        .filter(|entry| is_temporary(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .filter(|path| abandoned(path) == Some(true) && fs::remove_file(path).is_ok())
        .count()
}

/// Removes every file that somebody began to write in a directory and did not finish. Whoever calls holds the lock under
/// which files are written there, so whoever began is dead.
pub fn sweep_locked(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten();
    for entry in entries.filter_map(Result::ok) {
        if entry.file_name().to_str().is_some_and(is_temporary) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes an empty file that nobody else has, in the directory of `path`.
fn create_beside(path: &Path, access: Access) -> Result<(File, PathBuf), FileError> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..ATTEMPTS {
        let temporary = directory.join(temporary_name());
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(access.mode())
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(&temporary);
        match made {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(FileError::io(directory, error)),
        }
    }
    Err(FileError::io(directory, last))
}

/// `.PROCESS-COUNT` and the suffix: hidden, and short whatever the file is called.
fn temporary_name() -> String {
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    format!(".{}-{count}{SUFFIX}", std::process::id())
}

fn is_temporary(name: &str) -> bool {
    let middle = name
        .strip_prefix('.')
        .and_then(|name| name.strip_suffix(SUFFIX))
        .and_then(|middle| middle.split_once('-'));
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    middle.is_some_and(|(process, count)| number(process) && number(count))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_stays_beside_it() {
        let home = Home::new();
        let path = home.work().join("new/folder/a.json");
        for (text, access, mode) in [("one", Access::Private, 0o600), ("two", Access::Shared, 0o644)] {
            for durability in [Durability::Synced, Durability::Cached] {
                replace(&path, text.as_bytes(), access, durability).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), text);
                assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, mode);
            }
        }
        assert_eq!(names(path.parent().unwrap()), ["a.json"]);
        assert_eq!(
            home.work().join("new").metadata().unwrap().permissions().mode() & 0o777,
            0o700
        );
    }

    #[test]
    fn a_symlink_is_replaced_and_not_followed() {
        let home = Home::new();
        let target = home.work().join("target");
        let path = home.work().join("link");
        fs::write(&target, "precious").unwrap();
        symlink(&target, &path).unwrap();
        replace(&path, b"new", Access::Private, Durability::Synced).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
        assert!(path.symlink_metadata().unwrap().is_file());
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_no_other() {
        let home = Home::new();
        let path = home.work().join("folder");
        fs::create_dir(&path).unwrap();
        // A file cannot be renamed over a directory.
        let error = replace(&path, b"new", Access::Private, Durability::Synced).unwrap_err();
        assert_eq!(error.path(), path);
        assert_eq!(names(&home.work()), ["folder"]);
    }

    #[test]
    fn only_old_files_of_our_own_pattern_are_swept() {
        let home = Home::new();
        let names_before = [
            ".1-2.argrail-tmp",
            ".99-0.argrail-tmp",
            ".a-1.argrail-tmp",
            ".1-.argrail-tmp",
            "1-2.argrail-tmp",
            "gh.json",
        ];
        for name in names_before {
            fs::write(home.work().join(name), "x").unwrap();
        }
        assert_eq!(
            sweep(&home.work(), SystemTime::now()),
            0,
            "their writers may live"
        );
        let later = SystemTime::now() + ABANDONED + Duration::from_secs(1);
        assert_eq!(sweep(&home.work(), later), 2);
        let left = names(&home.work());
        assert_eq!(
            left,
            [
                ".1-.argrail-tmp",
                ".a-1.argrail-tmp",
                "1-2.argrail-tmp",
                "gh.json"
            ]
        );
        assert_eq!(sweep(&home.work().join("missing"), later), 0);
    }
}
