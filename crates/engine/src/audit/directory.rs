//! The files of the record: one that is written, and those that became full, named after the records in them.
//!
//! `audit-log.jsonl` is written. `audit-log.00000000-00012345.jsonl` is full and holds these records. Nothing here is
//! a link, and nothing belongs to somebody else. Files of other names are none of our business.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, CWD, OFlags, RenameFlags, access, renameat_with};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::error::RecordError;

/// The file that is written.
pub(super) const LOG: &str = "audit-log.jsonl";
const FULL: (&str, &str) = ("audit-log.", ".jsonl");

/// The directory of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directory {
    path: PathBuf,
    log: PathBuf,
}

/// A file that became full.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Segment {
    /// Its first record.
    pub(super) first: u64,
    /// Its last record.
    pub(super) last: u64,
    /// The file.
    pub(super) path: PathBuf,
}

/// Which file it is, whatever its name.
pub(super) type Identity = (u64, u64);

impl Directory {
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            log: path.join(LOG),
        }
    }

    /// Makes the directory if need be, for its owner alone, and sees that it can be written to.
    pub(super) fn prepare(&self) -> Result<(), RecordError> {
        let fail = RecordError::io(&self.path);
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.path)
            .map_err(&fail)?;
        let handle = File::open(&self.path).map_err(&fail)?;
        keep_private(&handle, 0o700, &self.path)?;
        access(&self.path, Access::WRITE_OK | Access::EXEC_OK).map_err(|errno| fail(errno.into()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is written.
    pub(super) fn log(&self) -> &Path {
        &self.log
    }

    /// Where the bytes go that a writer left behind without finishing a line.
    pub(super) fn torn(&self, seq: u64, attempt: u32) -> PathBuf {
        match attempt {
            0 => self.path.join(format!("audit-log.torn-{seq}")),
            more => self.path.join(format!("audit-log.torn-{seq}.{more}")),
        }
    }

    /// The full files, the oldest first.
    pub(super) fn segments(&self) -> Result<Vec<Segment>, RecordError> {
        let fail = RecordError::io(&self.path);
        let entries = match std::fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(fail(error)),
        };
        let mut segments = Vec::new();
        for entry in entries {
            let entry = entry.map_err(&fail)?;
            if let Some((first, last)) = entry.file_name().to_str().and_then(numbers) {
                segments.push(Segment {
                    first,
                    last,
                    path: entry.path(),
                });
            }
        }
        segments.sort_unstable();
        Ok(segments)
    }

    /// Opens the file that is written, and makes it if `make` says so. `None`: there is none.
    pub(super) fn open_log(&self, make: Make) -> Result<Option<File>, RecordError> {
        let path = self.log();
        let opened = OpenOptions::new()
            .read(true)
            .append(true)
            .create(make == Make::IfNeeded)
            .mode(0o600)
            .custom_flags(no_surprises())
            .open(path);
        match opened {
            Ok(file) => {
                keep_private(&file, 0o600, path)?;
                Ok(Some(file))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && make == Make::Never => Ok(None),
            Err(error) => Err(RecordError::io(path)(error)),
        }
    }

    /// Gives the file that is written the name of a full one. Returns whether that name was free.
    pub(super) fn put_aside(&self, first: u64, last: u64) -> Result<bool, RecordError> {
        let (before, after) = FULL;
        let name = self.path.join(format!("{before}{first:08}-{last:08}{after}"));
        match renameat_with(CWD, self.log(), CWD, &name, RenameFlags::NOREPLACE) {
            Ok(()) => {}
            Err(Errno::EXIST) => return Ok(false),
            Err(errno) => return Err(RecordError::io(&name)(errno.into())),
        }
        self.sync()?;
        Ok(true)
    }

    /// Makes names that were made or changed survive a loss of power.
    pub(super) fn sync(&self) -> Result<(), RecordError> {
        let synced = File::open(&self.path).and_then(|directory| directory.sync_all());
        synced.map_err(RecordError::io(&self.path))
    }
}

/// Whether a file that is not there is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Make {
    IfNeeded,
    Never,
}

/// Opens a file of the record to be read: no link, no pipe.
pub(super) fn open_to_read(path: &Path) -> Result<Option<File>, RecordError> {
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(no_surprises())
        .open(path);
    let fail = RecordError::io(path);
    match opened {
        Ok(file) if file.metadata().map_err(&fail)?.is_file() => Ok(Some(file)),
        Ok(_) => Err(fail(io::Error::other("it is no regular file"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fail(error)),
    }
}

pub(super) fn identity(file: &File, path: &Path) -> Result<(Identity, u64), RecordError> {
    let found = file.metadata().map_err(RecordError::io(path))?;
    Ok(((found.dev(), found.ino()), found.len()))
}

/// Neither a symlink to somewhere else nor a FIFO that waits for a reader.
fn no_surprises() -> i32 {
    (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()
}

/// Refuses what belongs to somebody else, and takes away what others may do with it.
fn keep_private(file: &File, mode: u32, path: &Path) -> Result<(), RecordError> {
    let fail = RecordError::io(path);
    let found = file.metadata().map_err(&fail)?;
    if found.uid() != geteuid().as_raw() {
        return Err(RecordError::Foreign {
            path: path.to_owned(),
        });
    }
    if mode == 0o600 && !found.is_file() {
        return Err(fail(io::Error::other("it is no regular file")));
    }
    if found.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(mode))
            .map_err(&fail)?;
    }
    Ok(())
}

/// The numbers in the name of a full file.
fn numbers(name: &str) -> Option<(u64, u64)> {
    let (before, after) = FULL;
    let (first, last) = name.strip_prefix(before)?.strip_suffix(after)?.split_once('-')?;
    let number = |digits: &str| {
        let plain = digits.len() >= 8 && digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok()).flatten()
    };
    Some((number(first)?, number(last)?))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use argrail_testkit::Home;

    use super::*;

    #[test]
    fn full_files_are_told_by_their_names_and_come_in_order() {
        let home = Home::new();
        let names = [
            "audit-log.00000010-00000019.jsonl",
            "audit-log.00000000-00000009.jsonl",
            "audit-log.100000000-100000001.jsonl",
            "audit-log.jsonl",
            "audit-log.1-2.jsonl",
            "audit-log.0000000x-00000009.jsonl",
            "audit-log.torn-3",
            "2026-01-01.jsonl",
        ];
        for name in names {
            std::fs::write(home.state().join(name), "").unwrap();
        }
        let found = Directory::new(&home.state()).segments().unwrap();
        let numbers: Vec<_> = found
            .iter()
            .map(|segment| (segment.first, segment.last))
            .collect();
        assert_eq!(numbers, [(0, 9), (10, 19), (100_000_000, 100_000_001)]);
        assert_eq!(Directory::new(Path::new("/nowhere")).segments().unwrap(), []);
    }

    #[test]
    fn the_record_is_for_its_owner_and_is_no_link() {
        let home = Home::new();
        let path = home.state().join("audit");
        std::fs::create_dir(&path).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o777)).unwrap();
        let directory = Directory::new(&path);
        directory.prepare().unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert!(directory.open_log(Make::Never).unwrap().is_none());
        symlink("/dev/full", directory.log()).unwrap();
        assert!(directory.open_log(Make::IfNeeded).is_err());
        assert!(open_to_read(directory.log()).is_err());
    }

    #[test]
    fn a_full_file_does_not_take_the_place_of_another() {
        let home = Home::new();
        let directory = Directory::new(&home.state());
        for (text, moved) in [("first", true), ("second", false)] {
            std::fs::write(directory.log(), text).unwrap();
            assert_eq!(directory.put_aside(0, 9).unwrap(), moved);
        }
        assert_eq!(
            std::fs::read_to_string(&directory.segments().unwrap()[0].path).unwrap(),
            "first"
        );
    }
}
