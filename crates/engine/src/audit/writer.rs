//! The end of the chain, open for writing. Whoever uses it holds the lock.
//!
//! What is there is never changed. The one exception is what never became a record: bytes behind the last newline, left
//! by a writer that died. They are put aside into a file of their own, and a note says so.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::sync::Arc;

use argrail_acli::Mask;
use serde_json::json;

use super::directory::{Directory, Identity, identity, open_to_read};
use super::error::RecordError;
use super::event::{Action, Event};
use super::hash::hex;
use super::hold::Held;
use super::line::{LONGEST, Line};
use super::record::{Made, Place};
use super::tail::{Last, Tail};

/// How many names are tried for bytes that are put aside.
const ATTEMPTS: u32 = 1000;

/// The file that is written, as we left it or found it.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) file: Arc<File>,
    identity: Identity,
    end: u64,
    /// What the next record follows; none if there is none.
    pub(super) last: Option<Last>,
}

/// What was found that has to be told before anything else is written.
pub(super) type Findings = Vec<Event>;

impl Writer {
    /// Returns the file, for its lock.
    pub(super) fn file(&self) -> (&Arc<File>, Identity) {
        (&self.file, self.identity)
    }

    /// Whether the file is still as we left it.
    pub(super) fn is_as_left(&self, held: &Held) -> bool {
        (self.identity, self.end) == (held.identity, held.size)
    }

    /// Finds the end of the chain. `known` is what we or the store know to be there.
    pub(super) fn open(
        directory: &Directory,
        held: &Held,
        known: Option<&Last>,
    ) -> Result<(Self, Findings), RecordError> {
        let path = directory.log();
        let tail = Tail::read(&held.file, held.size).map_err(RecordError::io(path))?;
        let mut findings = Vec::new();
        if tail.torn < held.size {
            findings.push(put_aside(directory, &held.file, &tail, held.size)?);
        }
        if tail.damaged > 0 {
            findings.push(note("damaged").with("lines", tail.damaged));
        }
        let found = match tail.last {
            Some(last) => Some(last),
            None => before(directory)?,
        };
        let last = goes_on(found, known, &mut findings);
        let writer = Self {
            file: Arc::clone(&held.file),
            identity: held.identity,
            end: tail.torn,
            last,
        };
        Ok((writer, findings))
    }

    /// Writes one record.
    pub(super) fn write(
        &mut self,
        directory: &Directory,
        event: &Event,
        mask: Option<&dyn Mask>,
        now: &str,
    ) -> Result<u64, RecordError> {
        let place = match &self.last {
            Some(last) => Place {
                seq: last.seq + 1,
                ts: last.ts.as_str().max(now).to_owned(),
                before: Some(last.hash),
            },
            None => Place {
                seq: 0,
                ts: now.to_owned(),
                before: None,
            },
        };
        let mut made = Made::new(event, &place)?;
        if let Some(mask) = mask.filter(|mask| mask.knows_any_in(made.text())) {
            made = Made::new(&event.clone().masked(mask), &place)?;
        }
        if let Err(error) = (&*self.file).write_all(&made.line) {
            // Half a line of ours is no record: the next one shall not have to put it aside.
            let _ = self.file.set_len(self.end);
            return Err(RecordError::io(directory.log())(error));
        }
        self.end += u64::try_from(made.line.len()).unwrap_or_default();
        self.last = Some(Last {
            seq: place.seq,
            hash: made.hash,
            ts: place.ts,
        });
        Ok(place.seq)
    }

    /// Puts the file aside if it is full. Returns whether it did: the chain then goes on in another.
    pub(super) fn rotate(&self, directory: &Directory, limit: u64) -> Result<Rotated, RecordError> {
        let Some(last) = self.last.as_ref().filter(|_| self.end >= limit) else {
            return Ok(Rotated::No);
        };
        let path = directory.log();
        let fail = RecordError::io(path);
        self.file.sync_data().map_err(&fail)?;
        let first = match first(&self.file).map_err(&fail)? {
            Some(first) => first,
            None => directory.segments()?.last().map_or(0, |segment| segment.last + 1),
        };
        match directory.put_aside(first, last.seq)? {
            true => Ok(Rotated::Yes),
            // Somebody has put another file there. This one grows.
            false => Ok(Rotated::No),
        }
    }
}

/// Whether a file was full and put aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rotated {
    Yes,
    No,
}

/// The last record of the last file that became full.
fn before(directory: &Directory) -> Result<Option<Last>, RecordError> {
    let segments = directory.segments()?;
    let Some(segment) = segments.last() else {
        return Ok(None);
    };
    let Some(file) = open_to_read(&segment.path)? else {
        return Ok(None);
    };
    let (_, size) = identity(&file, &segment.path)?;
    let tail = Tail::read(&file, size).map_err(RecordError::io(&segment.path))?;
    Ok(tail.last)
}

/// Where the chain goes on: behind what is known to have been there, also if it is there no more. Numbers are not used
/// twice, so that what is missing stays visible.
fn goes_on(found: Option<Last>, known: Option<&Last>, findings: &mut Findings) -> Option<Last> {
    let Some(known) = known else {
        return found;
    };
    let missing = match &found {
        Some(found) if found.seq > known.seq || found.hash == known.hash => None,
        Some(found) if found.seq == known.seq => Some(("replaced", found.seq)),
        Some(found) => Some(("truncated", found.seq + 1)),
        None => Some(("emptied", 0)),
    };
    let Some((problem, first)) = missing else {
        return found;
    };
    let said = note(problem)
        .with("first", first)
        .with("last", known.seq)
        .with("lastHash", hex(&known.hash));
    findings.insert(0, said);
    let ts = found.map(|found| found.ts).unwrap_or_default();
    Some(Last {
        ts: known.ts.clone().max(ts),
        ..known.clone()
    })
}

/// Moves what nobody finished into a file of its own.
fn put_aside(directory: &Directory, file: &File, tail: &Tail, size: u64) -> Result<Event, RecordError> {
    let next = tail.last.as_ref().map_or(0, |last| last.seq + 1);
    let (mut aside, path) = free(directory, next)?;
    let fail = RecordError::io(&path);
    let mut reader = file.try_clone().map_err(&fail)?;
    reader.seek(SeekFrom::Start(tail.torn)).map_err(&fail)?;
    let copied = io::copy(&mut io::Read::take(reader, size - tail.torn), &mut aside).map_err(&fail)?;
    aside.sync_all().map_err(&fail)?;
    directory.sync()?;
    file.set_len(tail.torn).map_err(&fail)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(note("torn").with("bytes", copied).with("kept", json!(name)))
}

fn free(directory: &Directory, seq: u64) -> Result<(File, std::path::PathBuf), RecordError> {
    let mut last = directory.torn(seq, 0);
    for attempt in 0..ATTEMPTS {
        last = directory.torn(seq, attempt);
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&last);
        match made {
            Ok(file) => return Ok((file, last)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(RecordError::io(&last)(error)),
        }
    }
    Err(RecordError::io(&last)(io::ErrorKind::AlreadyExists.into()))
}

/// The number of a file's first record, if it begins with one.
fn first(file: &File) -> io::Result<Option<u64>> {
    let mut head = vec![0; LONGEST];
    let read = file.read_at(&mut head, 0)?;
    let line = head
        .get(..read)
        .unwrap_or_default()
        .split(|byte| *byte == b'\n')
        .next();
    Ok(line.and_then(|line| Line::read(line).ok()).map(|line| line.seq))
}

/// A note about the record itself.
pub(super) fn note(problem: &str) -> Event {
    Event::new(Action::AuditNote, "argrail", "audit", None).with("problem", problem)
}
