//! The bytes that people were asked about, on disk for as long as their question is open, by their digest.
//!
//! They are there to be looked at: what runs is what was read when the call was made. Old ones that no question needs
//! are removed, whichever process made them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use argrail_acli::{Code, Error, Text};
use argrail_spec::digest::Digest;

use crate::files::atomic::{self, Access, Durability};
use crate::files::untrusted::FileError;

/// How long a snapshot stays whose question may be on its way.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// The most files that one sweep looks at: more than can be there, as each question has a bounded number of words.
const SWEPT: usize = 65_536;

/// The most bytes of all of them. The files of one question may be a quarter of it.
const MOST_BYTES: u64 = 256 << 20;

/// The directory of snapshots.
#[derive(Debug, Clone)]
pub(crate) struct Snapshots {
    directory: PathBuf,
    most: u64,
}

/// What waits to be looked at is too much for more of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SnapshotsFull {
    there: u64,
    most: u64,
}

impl SnapshotsFull {
    /// Returns it as whoever asks is told.
    pub(crate) fn error(self) -> Error {
        let what = Text::new(
            "Execution failed: files that people were asked about take {} bytes, and no more than {} are kept",
        );
        Error::new(Code::ExecutionError, what.number(self.there).number(self.most))
            .hint("Wait: a person can answer what was asked before with: argrail approvals")
    }
}

impl Snapshots {
    /// Those in this directory, which is made when the first is kept.
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            most: MOST_BYTES,
        }
    }

    /// Sees that there is room for so many bytes more, without what none of these digests, in hexadecimal digits, needs.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn make_room(
        &self,
        more: u64,
        needed: &HashSet<String>,
        now: SystemTime,
    ) -> Result<(), SnapshotsFull> {
        let there = self.sweep(needed, now);
        match there.saturating_add(more) > self.most {
            true => Err(SnapshotsFull {
                there,
                most: self.most,
            }),
            false => Ok(()),
        }
    }

    /// Keeps bytes. The same bytes are kept once.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<(), FileError> {
        let file = self.directory.join(Digest::of(bytes).hex());
        let known = fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file());
        if known {
            // Asked about again, so it is as good as new. If that fails it is swept and written again.
            let _ = touch(&file);
            return Ok(());
        }
        atomic::replace(&file, bytes, Access::Private, Durability::Cached)
    }

    /// Whether nothing is kept.
    pub(crate) fn is_empty(&self) -> bool {
        fs::read_dir(&self.directory).map_or(true, |mut entries| entries.next().is_none())
    }

    /// Removes what is not needed. What cannot be removed is left. Returns how many bytes stay.
    pub(crate) fn sweep(&self, needed: &HashSet<String>, now: SystemTime) -> u64 {
        let Ok(entries) = fs::read_dir(&self.directory) else {
            return 0;
        };
        let mut bytes = 0_u64;
        for entry in entries.flatten().take(SWEPT) {
            let name = entry.file_name();
            let is_needed = name.to_str().is_some_and(|name| needed.contains(name));
            let meta = entry.metadata().ok();
            let changed = meta.as_ref().and_then(|meta| meta.modified().ok());
            let age = changed.and_then(|changed| now.duration_since(changed).ok());
            if !is_needed && age.is_some_and(|age| age > FRESH) {
                // Another process may have been faster.
                let _ = fs::remove_file(entry.path());
            } else {
                bytes = bytes.saturating_add(meta.map_or(0, |meta| meta.len()));
            }
        }
        bytes
    }
}

fn touch(file: &Path) -> io::Result<()> {
    fs::File::options()
        .write(true)
        .open(file)?
        .set_modified(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn bytes_are_kept_once_and_go_when_nobody_needs_them() {
        let home = Home::new();
        let directory = home.root().join("state/argrail/snapshots");
        let snapshots = Snapshots::new(directory.clone());
        let now = SystemTime::now();
        assert_eq!(snapshots.sweep(&HashSet::new(), now), 0, "nothing is there yet");
        snapshots.keep(b"one").unwrap();
        snapshots.keep(b"one").unwrap();
        snapshots.keep(b"two").unwrap();
        let names = || {
            let mut names: Vec<_> = fs::read_dir(&directory)
                .unwrap()
                .map(|entry| entry.unwrap().file_name())
                .collect();
            names.sort();
            names
        };
        assert_eq!(names().len(), 2);
        let one = Digest::of("one").hex();
        assert_eq!(fs::read(directory.join(&one)).unwrap(), b"one");
        let needed = HashSet::from([one.clone()]);
        assert_eq!(snapshots.sweep(&needed, now), 6);
        assert_eq!(names().len(), 2, "what is new may be needed in a moment");
        assert_eq!(snapshots.sweep(&needed, now + FRESH * 2), 3);
        assert_eq!(names(), [one.as_str()]);
    }

    #[test]
    fn no_more_is_kept_than_there_is_room_for() {
        let home = Home::new();
        let snapshots = Snapshots {
            directory: home.state().join("snapshots"),
            most: 10,
        };
        let now = SystemTime::now();
        let none = HashSet::new();
        assert_eq!(snapshots.make_room(10, &none, now), Ok(()));
        snapshots.keep(b"12345678").unwrap();
        assert_eq!(snapshots.make_room(2, &none, now), Ok(()));
        let full = snapshots.make_room(3, &none, now).unwrap_err();
        assert!(
            full.error()
                .to_string()
                .contains("take 8 bytes, and no more than 10")
        );
        assert_eq!(
            snapshots.make_room(3, &none, now + FRESH * 2),
            Ok(()),
            "nobody needs it"
        );
    }
}
