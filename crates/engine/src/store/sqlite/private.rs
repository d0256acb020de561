//! Whether the store's directory and files are ours alone.
//!
//! Looks at names and never opens a file that is there: closing a descriptor of a file gives up every lock that this
//! process has on it, also those of a connection in another thread.

use std::fs::{self, DirBuilder, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::process::geteuid;

use super::super::StoreError;

/// What others may do with a file or directory: write, and anything at all.
const OTHERS_WRITE: u32 = 0o022;
const OTHERS: u32 = 0o077;

/// The length of the smallest database. SQLite takes a file of one byte for an empty one and writes over it.
const SHORTEST: u64 = 512;

/// Which file it was: a path can lead to another one later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    device: u64,
    inode: u64,
}

/// Makes the directory and an empty file if need be, checks what is there, and returns the file's path without
/// symlinks.
pub(super) fn prepare(directory: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let fail = |error: io::Error| failed(directory, &error);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(directory)
        .map_err(fail)?;
    // A home may be reached through a link; the store itself may not.
    let directory = directory.canonicalize().map_err(fail)?;
    let found = directory.symlink_metadata().map_err(fail)?;
    check(&directory, &found)?;
    tighten(&directory, &found, 0o700)?;
    let path = directory.join(name);
    // Looked at before the file itself: whoever makes a store writes the file first, and its log after that.
    let length = |path: &Path| match path.symlink_metadata() {
        Ok(found) if found.is_file() => found.len(),
        Ok(_) | Err(_) => 0,
    };
    let log = length(&beside(&path, "-wal"));
    if log > 0 && length(&path) == 0 && !path.is_symlink() && !path.is_dir() {
        // SQLite takes the log of an empty file for a stray one and deletes it, with all that is in it.
        let problem = format!("it is empty or gone, and its log beside it has {log} bytes");
        return Err(StoreError::Corrupt { path, problem });
    }
    create(&path)?;
    for path in [path.clone(), beside(&path, "-wal"), beside(&path, "-shm")] {
        check_file(&path)?;
    }
    let length = path
        .symlink_metadata()
        .map_err(|error| failed(&path, &error))?
        .len();
    if (1..SHORTEST).contains(&length) {
        let problem = format!("{length} bytes are no store");
        return Err(StoreError::Corrupt { path, problem });
    }
    Ok(path)
}

/// Returns which file is at `path` now.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    let found = path.symlink_metadata().ok()?;
    Some(Identity {
        device: found.dev(),
        inode: found.ino(),
    })
}

fn create(path: &Path) -> Result<(), StoreError> {
    let made = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
        .open(path);
    match made {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(failed(path, &error)),
    }
}

fn check_file(path: &Path) -> Result<(), StoreError> {
    let found = match path.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(path, &error)),
    };
    if !found.is_file() {
        return Err(refused(path, "it is no regular file"));
    }
    check(path, &found)?;
    tighten(path, &found, 0o600)
}

fn check(path: &Path, found: &Metadata) -> Result<(), StoreError> {
    if found.uid() != geteuid().as_raw() {
        return Err(refused(path, "it belongs to somebody else"));
    }
    if found.mode() & OTHERS_WRITE != 0 {
        return Err(refused(path, "others may write to it"));
    }
    Ok(())
}

/// Takes from others what they may read. Nobody else can put another file in its place: the directory is ours.
fn tighten(path: &Path, found: &Metadata, mode: u32) -> Result<(), StoreError> {
    if found.mode() & OTHERS == 0 {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(mode)).map_err(|error| failed(path, &error))
}

/// Returns the path of a file that SQLite keeps beside `path`.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn refused(path: &Path, problem: &str) -> StoreError {
    StoreError::Unsafe {
        path: path.to_owned(),
        problem: problem.to_owned(),
    }
}

fn failed(path: &Path, error: &io::Error) -> StoreError {
    StoreError::Io {
        path: path.to_owned(),
        problem: error.to_string(),
    }
}
