//! The record of calls on disk: one JSON object a line, one file a day, only ever appended to.
//!
//! Each line is one `write` on a descriptor opened for appending, so that many processes may write at once
//! and no line is torn. Files are for their owner alone.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use argrail_acli::{AuditEntry, AuditSink};
use jiff::Timestamp;
use jiff::civil::Date;
use rustix::fs::OFlags;
use rustix::process::geteuid;
use serde::Serialize;
use serde_json::json;

/// Appends to the files of a directory.
pub struct FileAudit {
    directory: PathBuf,
    today: Mutex<Today>,
    /// Set while the last record could not be kept.
    broken: AtomicBool,
}

struct Today {
    date: Date,
    file: File,
}

impl FileAudit {
    /// Opens the record of the day `now` falls on, and makes the directory if need be.
    ///
    /// # Errors
    /// When nothing can be written there, or somebody else could: a call without a record is not made.
    pub fn open(directory: &Path, now: Timestamp) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        keep_private(&File::open(directory)?, 0o700)?;
        let today = Today::open(directory, date_of(now))?;
        Ok(Self {
            directory: directory.to_owned(),
            today: Mutex::new(today),
            broken: AtomicBool::new(false),
        })
    }

    /// Appends one line, in the file of the day `when` falls on.
    fn append(&self, when: Timestamp, line: &impl Serialize) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        let kept = self.write(date_of(when), &bytes);
        self.broken.store(kept.is_err(), Ordering::Relaxed);
        kept
    }

    fn write(&self, date: Date, line: &[u8]) -> io::Result<()> {
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        if today.date != date {
            *today = Today::open(&self.directory, date)?;
        }
        today.file.write_all(line)
    }
}

impl AuditSink for FileAudit {
    /// After a record that could not be kept, another line has to go through first.
    fn ready(&self) -> io::Result<()> {
        if !self.broken.load(Ordering::Relaxed) {
            return Ok(());
        }
        let now = Timestamp::now();
        self.append(now, &json!({"timestamp": now.to_string(), "resumed": true}))
    }

    fn record(&self, entry: &AuditEntry) -> io::Result<()> {
        self.append(entry.timestamp, entry)
    }
}

impl Today {
    fn open(directory: &Path, date: Date) -> io::Result<Self> {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .custom_flags(no_surprises())
            .open(directory.join(format!("{date}.jsonl")))?;
        keep_private(&file, 0o600)?;
        Ok(Self { date, file })
    }
}

/// Neither a symlink to somewhere else nor a FIFO that waits for a reader.
fn no_surprises() -> i32 {
    (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed()
}

/// Refuses what belongs to somebody else, and takes away what others may do with it.
fn keep_private(file: &File, mode: u32) -> io::Result<()> {
    let found = file.metadata()?;
    if found.uid() != geteuid().as_raw() {
        return Err(io::Error::other("the record belongs to somebody else"));
    }
    if found.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(())
}

fn date_of(when: Timestamp) -> Date {
    when.to_zoned(jiff::tz::TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;

    use super::*;

    /// A disk that is full, as the kernel offers one for tests.
    fn full() -> File {
        OpenOptions::new().append(true).open("/dev/full").unwrap()
    }

    #[test]
    fn a_record_that_cannot_be_kept_is_told_until_one_can() {
        let home = Home::new();
        let audit = FileAudit::open(&home.state(), Timestamp::now()).unwrap();
        let good = std::mem::replace(&mut audit.today.lock().unwrap().file, full());
        assert!(audit.ready().is_ok());
        assert!(audit.append(Timestamp::now(), &json!({"a": 1})).is_err());
        assert!(audit.ready().is_err(), "the disk is still full");
        audit.today.lock().unwrap().file = good;
        assert!(audit.ready().is_ok());
        assert!(audit.append(Timestamp::now(), &json!({"b": 2})).is_ok());
        let files = std::fs::read_dir(home.state()).unwrap();
        let text: String = files
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
            .collect();
        assert!(
            text.contains("\"resumed\":true") && text.contains("{\"b\":2}") && !text.contains("{\"a\":1}"),
            "{text}"
        );
    }

    #[test]
    fn the_record_is_for_its_owner_and_is_no_link() {
        let home = Home::new();
        let directory = home.state().join("audit");
        std::fs::create_dir(&directory).unwrap();
        std::fs::set_permissions(&directory, Permissions::from_mode(0o777)).unwrap();
        let now = Timestamp::now();
        drop(FileAudit::open(&directory, now).unwrap());
        assert_eq!(directory.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        let day = directory.join(format!("{}.jsonl", date_of(now)));
        std::fs::remove_file(&day).unwrap();
        std::os::unix::fs::symlink("/dev/full", &day).unwrap();
        assert!(FileAudit::open(&directory, now).is_err());
    }
}
