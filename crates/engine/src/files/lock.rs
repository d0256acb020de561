//! The writers' lock: whoever reads, changes and writes a file has it alone meanwhile.
//!
//! A lock of the kernel (`flock`) on a file beside the one that is written, so it ends with the process that holds
//! it, however that ends. Readers take none: files are replaced whole. Waiting is bounded and says who to look for.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use argrail_acli::Text;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use crate::files::atomic;
use crate::files::untrusted::FileError;

/// How long a writer waits for the others. One write takes milliseconds.
pub const WAIT: Duration = Duration::from_secs(30);

/// A lock that is held. Dropping it lets the next writer in.
#[derive(Debug)]
pub struct Lock {
    file: File,
}

/// Why the lock was not got.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The lock's file cannot be made or opened.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process holds it and does not let go.
    #[error("{}: another process held the lock for {} ms", path.display(), waited.as_millis())]
    Busy {
        /// The lock's file.
        path: PathBuf,
        /// How long we waited.
        waited: Duration,
    },
}

impl LockError {
    /// Returns what a person can do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::File(error) => error.hint(),
            Self::Busy { path, .. } => {
                Text::new("See who holds it with: fuser {}, and try again").value(path.to_string_lossy())
            }
        }
    }
}

impl Lock {
    /// Waits, at most `wait`, until no other writer of `path` is left.
    ///
    /// # Errors
    /// When another holds it for longer, or no lock can be made there.
    pub fn of(path: &Path, wait: Duration) -> Result<Self, LockError> {
        let path = beside(path);
        if let Some(directory) = path.parent() {
            atomic::make_directory(directory)?;
        }
        let fail = |error| LockError::File(FileError::io(&path, error));
        let file = open(&path).map_err(fail)?;
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(FileError::NotRegular { path }.into());
        }
        let file = locked(file, &path, wait)?;
        Ok(Self { file })
    }
}

/// Waits, at most `wait`, until nobody else holds the lock of this open file; returns it with the lock held.
///
/// # Errors
/// When another holds it for longer.
pub(crate) fn locked(file: File, path: &Path, wait: Duration) -> Result<File, LockError> {
    let fail = |error| LockError::File(FileError::io(path, error));
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => return Ok(file),
        Err(Errno::WOULDBLOCK) => {}
        Err(error) => return Err(fail(error.into())),
    }
    match wait_for(file, wait) {
        Some(file) => file.map_err(fail),
        None => Err(LockError::Busy {
            path: path.to_owned(),
            waited: wait,
        }),
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Said rather than left to closing: a child between fork and exec has a copy of the descriptor.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

/// Waits in a thread of its own, because the kernel's wait has no limit. A thread that comes too late finds nobody
/// to hand the file to, and closes it.
fn wait_for(file: File, wait: Duration) -> Option<io::Result<File>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let locked = loop {
            match flock(&file, FlockOperation::LockExclusive) {
                Err(Errno::INTR) => {}
                done => break done,
            }
        };
        let _ = send.send(locked.map(|()| file).map_err(io::Error::from));
    });
    match receive.recv_timeout(wait) {
        Ok(answer) => Some(answer),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Err(io::Error::other("the wait for the lock was ended"))),
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
        .open(path)
}

/// `registry.json` is locked by `registry.json.lock`.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn one_writer_at_a_time_and_the_wait_ends() {
        let home = Home::new();
        let path = home.work().join("new/registry.json");
        let held = Lock::of(&path, WAIT).unwrap();
        let error = Lock::of(&path, Duration::from_millis(20)).unwrap_err();
        assert!(error.to_string().contains("held the lock for 20 ms"), "{error}");
        assert!(error.hint().to_string().contains("registry.json.lock"));
        let waiting = thread::spawn({
            let path = path.clone();
            move || Lock::of(&path, WAIT).map(drop)
        });
        drop(held);
        waiting.join().unwrap().unwrap();
        // The one that gave up may have it for a moment; where nobody ever waited, it is there at once.
        Lock::of(&path, WAIT).unwrap();
        let fresh = home.work().join("new/other.json");
        drop(Lock::of(&fresh, WAIT).unwrap());
        Lock::of(&fresh, Duration::ZERO).unwrap();
    }

    #[test]
    fn a_wait_that_was_given_up_keeps_nobody_out() {
        let home = Home::new();
        let path = home.work().join("registry.json");
        let held = Lock::of(&path, WAIT).unwrap();
        Lock::of(&path, Duration::from_millis(1)).unwrap_err();
        drop(held);
        // The thread that came too late may have it for a moment.
        Lock::of(&path, WAIT).unwrap();
    }

    #[test]
    fn a_lock_is_no_link_and_no_pipe() {
        let home = Home::new();
        let at = |name: &str| home.work().join(name);
        symlink(at("elsewhere"), at("a.lock")).unwrap();
        assert!(Lock::of(&at("a"), Duration::ZERO).is_err());
        assert!(!at("elsewhere").exists());
        symlink("/dev/null", at("b.lock")).unwrap();
        assert!(Lock::of(&at("b"), Duration::ZERO).is_err());
    }
}
