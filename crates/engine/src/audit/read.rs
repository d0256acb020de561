//! Reading the record: the newest first, or all of it in order. Lines that are no records are left out: what is wrong
//! with the record is for [`verify`](super::verify) to say.

use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::Value;

use super::backward::{Backward, Ended};
use super::error::RecordError;
use super::files::Files;
use super::filter::Filter;
use super::line::{LONGEST, Line};

/// Hands out lines from the newest to the oldest, until somebody has enough.
///
/// # Errors
/// When a file cannot be read.
pub(crate) fn newest(
    directory: &Path,
    mut each: impl FnMut(&Line<'_>) -> ControlFlow<()>,
) -> Result<(), RecordError> {
    let files = Files::find(directory)?;
    for index in (0..files.len()).rev() {
        let Some(source) = files.open(index)? else {
            continue;
        };
        let mut lines = Backward::new(&source.file, source.size);
        while let Some(piece) = lines.next().map_err(RecordError::io(&source.path))? {
            let line = match piece.ended {
                Ended::Newline => Line::read(&piece.bytes).ok(),
                Ended::File => None,
            };
            if line.is_some_and(|line| each(&line).is_break()) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Hands out the entries that fit, the oldest first.
///
/// # Errors
/// When a file cannot be read, or whoever takes them has had enough.
pub fn oldest<E: From<RecordError>>(
    directory: &Path,
    filter: &Filter,
    mut each: impl FnMut(Value) -> Result<(), E>,
) -> Result<(), E> {
    let files = Files::find(directory)?;
    for index in 0..files.len() {
        let Some(source) = files.open(index)? else {
            continue;
        };
        let fail = RecordError::io(&source.path);
        let mut reader = BufReader::with_capacity(1 << 16, source.file.take(source.size));
        let mut bytes = Vec::new();
        while next_line(&mut reader, &mut bytes).map_err(&fail)? {
            let Ok(line) = Line::read(&bytes) else { continue };
            if filter.is_later(&line) {
                let entry = serde_json::from_str(line.text()).unwrap_or_default();
                if filter.fits(&entry) {
                    each(entry)?;
                }
            }
        }
    }
    Ok(())
}

/// Reads a line without its newline; more than any record may have is dropped. `false`: there is no line any more.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    loop {
        let part = reader.fill_buf()?;
        if part.is_empty() {
            // What does not end with a newline is not written yet.
            return Ok(false);
        }
        let end = memchr::memchr(b'\n', part);
        let taken = end.unwrap_or(part.len());
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(part.get(..taken.min(room)).unwrap_or_default());
        reader.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(true);
        }
    }
}

/// Returns the last `limit` entries that fit, the oldest of them first.
///
/// # Errors
/// When a file cannot be read.
pub fn entries(directory: &Path, filter: &Filter, limit: usize) -> Result<Vec<Value>, RecordError> {
    let mut found = Vec::new();
    newest(directory, |line| {
        if found.len() >= limit || !filter.is_later(line) {
            return ControlFlow::Break(());
        }
        let entry = serde_json::from_str(line.text()).unwrap_or_default();
        if filter.fits(&entry) {
            found.push(entry);
        }
        ControlFlow::Continue(())
    })?;
    found.reverse();
    Ok(found)
}

/// Returns one entry.
///
/// # Errors
/// When there is none of this number, or a file cannot be read.
pub fn entry(directory: &Path, seq: u64) -> Result<Value, RecordError> {
    let mut found = None;
    newest(directory, |line| {
        if line.seq == seq {
            found = serde_json::from_str(line.text()).ok();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    found.ok_or(RecordError::NoSuch(seq))
}
