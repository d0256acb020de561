//! A download that is not whole yet, kept under a name that says what it is to become.
//!
//! One process at a time writes it (a lock of the kernel, on the file itself). What it is continued from is checked with the server where
//! the server gave a mark (`ETag`), and in any case by the hash over the whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use argrail_spec::digest::{Digest, Hasher};
use rustix::fs::OFlags;

use super::error::FetchError;
use crate::files::atomic::{self, Access, Durability};
use crate::files::lock::locked;
use crate::files::untrusted::{self, FileError, Keeper, Links, Reading};

/// How long another process may take with the same file.
const WAIT: Duration = Duration::from_secs(60 * 60);
/// How long a part that nobody came back for is kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How often a file is opened that others take away.
const ATTEMPTS: usize = 1000;
/// The longest mark.
const MARK: u64 = 1024;

/// A file that grows.
#[derive(Debug)]
pub(super) struct Partial {
    path: PathBuf,
    file: File,
    hasher: Hasher,
    /// How much of it is there.
    pub(super) length: u64,
}

impl Partial {
    /// Opens the part of a download, or begins one.
    pub(super) fn open(folder: &Path, url: &str, expected: Option<&str>) -> Result<Self, FetchError> {
        let mut name = Hasher::default();
        name.field(url);
        name.field(expected.unwrap_or_default());
        let name = name.finish().to_string().replace("sha256:", "");
        let path = folder.join(format!("{name}.part"));
        let file = hold(&path)?;
        let mut partial = Self {
            path,
            file,
            hasher: Hasher::default(),
            length: 0,
        };
        partial.read_again()?;
        Ok(partial)
    }

    /// Hashes what is there.
    fn read_again(&mut self) -> Result<(), FileError> {
        let fail = |error| FileError::io(&self.path, error);
        if !self.file.metadata().map_err(fail)?.is_file() {
            return Err(FileError::NotRegular {
                path: self.path.clone(),
            });
        }
        let mut buffer = vec![0; 64 << 10];
        loop {
            let count = match self.file.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(fail(error)),
            };
            self.hasher.update(buffer.get(..count).unwrap_or_default());
            self.length += u64::try_from(count).unwrap_or_default();
        }
    }

    /// Throws away what is there.
    pub(super) fn restart(&mut self) -> Result<(), FileError> {
        let fail = |error| FileError::io(&self.path, error);
        self.file.set_len(0).map_err(fail)?;
        self.file.seek(SeekFrom::Start(0)).map_err(fail)?;
        (self.hasher, self.length) = (Hasher::default(), 0);
        self.forget_mark();
        Ok(())
    }

    /// Adds the next bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.file
            .write_all(bytes)
            .map_err(|error| FileError::io(&self.path, error))?;
        self.hasher.update(bytes);
        self.length += u64::try_from(bytes.len()).unwrap_or_default();
        Ok(())
    }

    /// Returns the server's mark of the file that this is a part of.
    pub(super) fn mark(&self) -> Option<String> {
        let reading = Reading {
            keeper: Keeper::Trusted,
            links: Links::Refuse,
            limit: MARK,
        };
        let found = untrusted::read(&self.mark_file(), &reading).ok()??;
        String::from_utf8(found.bytes).ok()
    }

    /// Keeps the server's mark.
    pub(super) fn set_mark(&self, mark: Option<&str>) -> Result<(), FileError> {
        match mark.filter(|mark| u64::try_from(mark.len()).is_ok_and(|length| length <= MARK)) {
            Some(mark) => atomic::replace(
                &self.mark_file(),
                mark.as_bytes(),
                Access::Private,
                Durability::Cached,
            ),
            None => {
                self.forget_mark();
                Ok(())
            }
        }
    }

    fn forget_mark(&self) {
        let _ = fs::remove_file(self.mark_file());
    }

    fn mark_file(&self) -> PathBuf {
        self.path.with_extension("mark")
    }

    /// Returns the SHA-256 of what is there.
    pub(super) fn digest(&self) -> Digest {
        self.hasher.clone().finish()
    }

    /// Hands the whole file over, at its beginning, and removes its name: what is open stays.
    pub(super) fn take(mut self) -> Result<File, FileError> {
        let fail = |error| FileError::io(&self.path, error);
        self.file.seek(SeekFrom::Start(0)).map_err(fail)?;
        let file = self.file.try_clone().map_err(fail)?;
        self.remove();
        Ok(file)
    }

    /// Removes it.
    pub(super) fn remove(&self) {
        self.forget_mark();
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens the file and locks it, and makes sure that it is still the one of that name: whoever held it before may have
/// taken it away.
fn hold(path: &Path) -> Result<File, FetchError> {
    let fail = |error| FileError::io(path, error);
    if let Some(folder) = path.parent() {
        atomic::make_directory(folder)?;
    }
    for _ in 0..ATTEMPTS {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
            .open(path)
            .map_err(fail)?;
        let file = locked(file, path, WAIT)?;
        let held = file.metadata().map_err(fail)?;
        let named = path.symlink_metadata();
        if named.is_ok_and(|named| (named.dev(), named.ino()) == (held.dev(), held.ino())) {
            return Ok(file);
        }
    }
    Err(fail(io::ErrorKind::ResourceBusy.into()).into())
}

/// Removes parts that nobody came back for.
pub(super) fn sweep(folder: &Path, now: SystemTime) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.filter_map(Result::ok) {
        let path = entry.path();
        let ours = path.extension().is_some_and(|end| end == "part" || end == "mark");
        let modified = path.symlink_metadata().and_then(|found| found.modified());
        let age = modified
            .ok()
            .and_then(|modified| now.duration_since(modified).ok());
        if ours && age.is_some_and(|age| age > KEPT) {
            let _ = fs::remove_file(&path);
        }
    }
}
