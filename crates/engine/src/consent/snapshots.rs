//! The bytes that people were asked about, on disk for as long as their question is open, by their digest.
//!
//! They are there to be looked at: what runs is what was read when the call was made. Old ones that no question needs
//! are removed, whichever process made them.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use argrail_spec::digest::Digest;

use super::binding::hex;
use crate::catalog::atomic::{self, Access, Durability};
use crate::catalog::file::FileError;

/// How long a snapshot stays whose question may be on its way.
const FRESH: Duration = Duration::from_secs(5 * 60);
/// The most files that one sweep looks at.
const SWEPT: usize = 4096;

/// The directory of snapshots.
#[derive(Debug, Clone)]
pub(crate) struct Snapshots(PathBuf);

impl Snapshots {
    /// Those in this directory, which is made when the first is kept.
    pub(crate) fn new(directory: PathBuf) -> Self {
        Self(directory)
    }

    /// Keeps bytes. The same bytes are kept once.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<(), FileError> {
        let file = self.0.join(hex(Digest::of(bytes)));
        let known = fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file());
        if known {
            // Asked about again, so it is as good as new. If that fails it is swept and written again.
            let _ = touch(&file);
            return Ok(());
        }
        atomic::replace(&file, bytes, Access::Private, Durability::Cached)
    }

    /// Removes what none of these digests, in hexadecimal digits, needs. What cannot be removed is left.
    pub(crate) fn sweep(&self, needed: &HashSet<String>, now: SystemTime) {
        let Ok(entries) = fs::read_dir(&self.0) else {
            return;
        };
        for entry in entries.flatten().take(SWEPT) {
            let name = entry.file_name();
            let is_needed = name.to_str().is_some_and(|name| needed.contains(name));
            let changed = entry.metadata().and_then(|meta| meta.modified()).ok();
            let age = changed.and_then(|changed| now.duration_since(changed).ok());
            if !is_needed && age.is_some_and(|age| age > FRESH) {
                // Another process may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
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
        snapshots.sweep(&HashSet::new(), now); // nothing is there yet
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
        let one = hex(Digest::of("one"));
        assert_eq!(fs::read(directory.join(&one)).unwrap(), b"one");
        let needed = HashSet::from([one.clone()]);
        snapshots.sweep(&needed, now);
        assert_eq!(names().len(), 2, "what is new may be needed in a moment");
        snapshots.sweep(&needed, now + FRESH * 2);
        assert_eq!(names(), [one.as_str()]);
    }
}
