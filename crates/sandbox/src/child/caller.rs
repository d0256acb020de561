//! Who made a call that the filter asks about: its memory, its directory, its root.
//!
//! All of it can change while it is looked at. What is read here makes a line of a report and decides nothing. Before
//! anything of it is told, the caller must be seen to wait still: then it was its own, and not that of a later process
//! with the same number.

use std::ffi::OsString;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};

use crate::sys::seccomp::{self, PendingCall};

/// The longest path that is read.
const MAX_PATH_BYTES: usize = 4096;

/// How much of it is read at once. Most paths are shorter.
const PATH_READ_BYTES: usize = 256;

/// Reads a path at an address of somebody's memory, which may say anything, and end anywhere.
pub(super) fn read_path(address: u64, read: impl Fn(u64, usize) -> Option<Vec<u8>>) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    while bytes.len() < MAX_PATH_BYTES {
        let at = address.checked_add(bytes.len() as u64)?;
        // Not beyond a page: the path may end just before memory that is not there.
        let page = 4096 - usize::try_from(at % 4096).ok()?;
        let more = read(at, page.min(PATH_READ_BYTES))?;
        if more.is_empty() {
            return None;
        }
        match more.iter().position(|byte| *byte == 0) {
            Some(end) => {
                bytes.extend_from_slice(more.get(..end)?);
                break;
            }
            None => bytes.extend(more),
        }
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

/// A caller that waits for an answer.
pub(super) struct BlockedCaller<'c> {
    listener: &'c OwnedFd,
    asked: &'c PendingCall,
}

impl<'c> BlockedCaller<'c> {
    pub(super) fn new(listener: &'c OwnedFd, asked: &'c PendingCall) -> Self {
        Self { listener, asked }
    }

    /// Returns the number of the call.
    pub(super) fn call(&self) -> i64 {
        self.asked.number
    }

    /// Returns an argument of the call; zero if there is none.
    pub(super) fn argument(&self, index: usize) -> u64 {
        self.asked.arguments.get(index).copied().unwrap_or_default()
    }

    /// Reads the path that an argument points at.
    pub(super) fn path(&self, index: usize) -> Option<PathBuf> {
        read_path(self.argument(index), |at, length| self.read(at, length))
    }

    /// Reads up to `length` bytes at an address.
    pub(super) fn read(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        let read = seccomp::read_memory(self.asked, address, &mut bytes).ok()?;
        bytes.truncate(read);
        Some(bytes)
    }

    /// Returns what a descriptor of the caller's leads to.
    pub(super) fn open_file(&self, number: u64) -> Option<PathBuf> {
        self.link(&format!("fd/{}", number as i32))
    }

    /// Returns the directory that an argument names: a descriptor, or the one it works in.
    pub(super) fn directory(&self, index: Option<usize>) -> Option<PathBuf> {
        let number = index.map_or(libc::AT_FDCWD as u64, |index| self.argument(index));
        match number as i32 {
            libc::AT_FDCWD => self.link("cwd"),
            _ => self.open_file(number),
        }
    }

    /// Follows an absolute path as the caller would, symlinks and all, and returns where it leads in the caller's own
    /// view: to something that is there.
    pub(super) fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let own = OFlags::PATH | OFlags::CLOEXEC;
        let root = format!("/proc/{}/root", self.asked.pid);
        let root = openat(CWD, root, own | OFlags::DIRECTORY, Mode::empty()).ok()?;
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        let place = openat2(&root, path, own, Mode::empty(), resolve).ok()?;
        std::fs::read_link(format!("/proc/self/fd/{}", place.as_raw_fd())).ok()
    }

    /// Whether the caller waits still, so that all that was read is its own.
    pub(super) fn waits(&self) -> bool {
        seccomp::is_waiting(self.listener, self.asked)
    }

    fn link(&self, name: &str) -> Option<PathBuf> {
        std::fs::read_link(format!("/proc/{}/{name}", self.asked.pid)).ok()
    }
}
