//! What was recorded since somebody looked last.

use std::ops::ControlFlow;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::directory::Directory;
use super::error::RecordError;
use super::filter::Filter;
use super::read::newest;

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

    fn look(&self) -> Option<(u64, u64, u64)> {
        let found = Directory::new(&self.directory).log().symlink_metadata().ok()?;
        Some((found.dev(), found.ino(), found.len()))
    }
}
