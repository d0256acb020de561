//! The record of calls on disk: one JSON object a line, one file a day, only ever appended to.
//!
//! Each line is one `write` on a descriptor opened for appending, so that many processes may write at once
//! and no line is torn. Files are for their owner alone.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use argrail_acli::{AuditEntry, AuditSink};

/// Appends to the files of a directory.
pub struct FileAudit {
    directory: PathBuf,
    today: Mutex<Today>,
    /// Hears of a record that could not be kept.
    complain: Box<dyn Fn(&io::Error) + Send + Sync>,
}

struct Today {
    date: jiff::civil::Date,
    file: File,
}

impl FileAudit {
    /// Opens the record of the day `now` falls on, and makes the directory if need be.
    ///
    /// # Errors
    /// When nothing can be written there: a call without a record is not made.
    pub fn open(
        directory: &Path,
        now: jiff::Timestamp,
        complain: impl Fn(&io::Error) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let date = date_of(now);
        let today = Mutex::new(Today {
            date,
            file: open_day(directory, date)?,
        });
        Ok(Self {
            directory: directory.to_owned(),
            today,
            complain: Box::new(complain),
        })
    }

    fn append(&self, entry: &AuditEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        let date = date_of(entry.timestamp);
        let mut today = self.today.lock().unwrap_or_else(PoisonError::into_inner);
        if today.date != date {
            *today = Today {
                date,
                file: open_day(&self.directory, date)?,
            };
        }
        today.file.write_all(&line)
    }
}

impl AuditSink for FileAudit {
    fn record(&self, entry: &AuditEntry) {
        if let Err(error) = self.append(entry) {
            (self.complain)(&error);
        }
    }
}

fn date_of(when: jiff::Timestamp) -> jiff::civil::Date {
    when.to_zoned(jiff::tz::TimeZone::UTC).date()
}

fn open_day(directory: &Path, date: jiff::civil::Date) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(directory.join(format!("{date}.jsonl")))
}
