//! The lock of the record: on the file that is written, so that there is nothing else that could be taken away.
//!
//! The file may become full, or be deleted, while somebody waits for it. So whoever has the lock looks whether the name
//! still means this file, and begins anew if not.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use rustix::fs::{FlockOperation, flock};

use super::directory::{Directory, Identity, Make, identity};
use super::error::RecordError;
use crate::files::lock::{WAIT, locked};

/// How often the name may come to mean another file while we wait.
const TRIES: u32 = 100;

/// The file that is written, with its lock. Dropping it lets the next writer in.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) file: Arc<File>,
    pub(super) identity: Identity,
    /// How long it is.
    pub(super) size: u64,
}

impl Held {
    /// Waits for the lock. `before` is the file that we wrote last: it is tried first.
    pub(super) fn wait(
        directory: &Directory,
        before: Option<(&Arc<File>, Identity)>,
    ) -> Result<Self, RecordError> {
        if let Some((file, identity)) = before
            && flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
        {
            let held = Self {
                file: Arc::clone(file),
                identity,
                size: 0,
            };
            if let Some(held) = held.if_meant(directory) {
                return Ok(held);
            }
        }
        let path = directory.log();
        for _ in 0..TRIES {
            let file = locked(open(directory)?, path, WAIT)?;
            let (identity, size) = identity(&file, path)?;
            let held = Self {
                file: Arc::new(file),
                identity,
                size,
            };
            if let Some(held) = held.if_meant(directory) {
                return Ok(held);
            }
        }
        Err(RecordError::io(path)(std::io::Error::other(
            "it is replaced again and again",
        )))
    }

    /// Itself, if the name of the record still means this file.
    fn if_meant(mut self, directory: &Directory) -> Option<Self> {
        let found = directory.log().symlink_metadata().ok()?;
        self.size = found.len();
        ((found.dev(), found.ino()) == self.identity).then_some(self)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // The file stays open for the next record, and a child between fork and exec has a copy of it.
        let _ = flock(&*self.file, FlockOperation::Unlock);
    }
}

/// Opens the file; one that is made is there after a loss of power, too.
fn open(directory: &Directory) -> Result<File, RecordError> {
    if let Some(file) = directory.open_log(Make::Never)? {
        return Ok(file);
    }
    // Whoever removed the file may have removed its directory, too.
    directory.prepare()?;
    let file = directory.open_log(Make::IfNeeded)?.ok_or(RecordError::Empty)?;
    directory.sync()?;
    Ok(file)
}
