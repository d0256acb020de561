//! What was recorded since somebody looked last.

use std::io;
use std::ops::ControlFlow;
use std::os::fd::BorrowedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde_json::Value;

use super::directory::Directory;
use super::error::RecordError;
use super::filter::Filter;
use super::read::newest;

/// How long to wait between two looks, in nanoseconds.
const MOMENT: i64 = 200_000_000;

/// Whether somebody reads what is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Somebody does.
    There,
    /// Nobody does any more.
    Gone,
}

/// Looks at the record again and again, and tells what is new.
#[derive(Debug)]
pub struct Follow {
    directory: PathBuf,
    filter: Filter,
    /// The number of the last record that was seen.
    seen: Option<u64>,
    /// The file that is written, as it was then.
    state: Option<(u64, u64, u64)>,
}

impl Follow {
    /// Begins behind the last record that is there now.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn new(directory: &Path, filter: Filter) -> Result<Self, RecordError> {
        let mut follow = Self {
            directory: directory.to_owned(),
            filter,
            seen: None,
            state: None,
        };
        follow.state = follow.look();
        newest(directory, |line| {
            follow.seen = Some(line.seq);
            ControlFlow::Break(())
        })?;
        Ok(follow)
    }

    /// Whether an entry was there when it began.
    pub fn has_seen(&self, entry: &Value) -> bool {
        let seq = entry.get("seq").and_then(Value::as_u64);
        seq.zip(self.seen).is_some_and(|(seq, seen)| seq <= seen)
    }

    /// Returns what was recorded since, the oldest first.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn fresh(&mut self) -> Result<Vec<Value>, RecordError> {
        let state = self.look();
        if state == self.state {
            return Ok(Vec::new());
        }
        let (mut found, mut last) = (Vec::new(), None);
        newest(&self.directory, |line| {
            if self.seen.is_some_and(|seen| line.seq <= seen) {
                return ControlFlow::Break(());
            }
            last = last.max(Some(line.seq));
            let entry = serde_json::from_str(line.text()).unwrap_or_default();
            if self.filter.fits(&entry) {
                found.push(entry);
            }
            ControlFlow::Continue(())
        })?;
        self.state = state;
        self.seen = last.or(self.seen);
        found.reverse();
        Ok(found)
    }

    /// Waits a moment, or until nobody listens at `reader` any more.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn wait(&self, reader: BorrowedFd<'_>) -> io::Result<Reader> {
        let mut watched = [PollFd::from_borrowed_fd(reader, PollFlags::empty())];
        let moment = Timespec {
            tv_sec: 0,
            tv_nsec: MOMENT,
        };
        match poll(&mut watched, Some(&moment)) {
            Ok(0) | Err(Errno::INTR) => Ok(Reader::There),
            Ok(_) => Ok(Reader::Gone),
            Err(error) => Err(error.into()),
        }
    }

    fn look(&self) -> Option<(u64, u64, u64)> {
        let found = Directory::new(&self.directory).log().symlink_metadata().ok()?;
        Some((found.dev(), found.ino(), found.len()))
    }
}
