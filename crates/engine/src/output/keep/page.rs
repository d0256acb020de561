//! A part of a kept output, cut where characters end.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::error::KeepError;
use crate::output::Stream;

/// What is wanted of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Want {
    /// Which stream.
    pub stream: Stream,
    /// From which byte on.
    pub offset: u64,
    /// How many bytes at most.
    pub limit: usize,
}

/// A part of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it begins: where it was asked for, or at the beginning of the character there.
    pub offset: u64,
    /// What stands there.
    pub bytes: Vec<u8>,
    /// How long the stream was.
    pub total: u64,
    /// How much of it was kept.
    pub kept: u64,
}

/// The longest character less one byte.
const CHARACTER: usize = 3;

impl Page {
    /// Returns where the next page begins, if there is one.
    pub fn next(&self) -> Option<u64> {
        let next = self.offset + self.bytes.len() as u64;
        (next < self.kept).then_some(next)
    }
}

/// Reads a page of a file; no file is an empty one.
pub(super) fn read(file: Option<File>, total: u64, want: Want) -> Result<Page, KeepError> {
    let kept = match &file {
        Some(file) => file.metadata()?.len(),
        None => 0,
    };
    let offset = want.offset;
    if offset > kept {
        return Err(KeepError::Behind { offset, total: kept });
    }
    // A page that holds no whole character would be the same page for ever.
    let limit = want.limit.max(CHARACTER + 1);
    let early = usize::try_from(offset).unwrap_or(CHARACTER).min(CHARACTER);
    let mut bytes = vec![0; limit + early];
    let length = match file {
        Some(file) => read_at(&file, &mut bytes, offset - early as u64)?,
        None => 0,
    };
    bytes.truncate(length);
    let before = character_before(&bytes, early);
    let text = bytes.get(early - before..).unwrap_or_default();
    let text = text.get(..limit).unwrap_or(text);
    let ends = offset - before as u64 + text.len() as u64 >= kept;
    let (offset, bytes) = match whole_characters(text, ends) {
        Some(text) => (offset - before as u64, text.to_vec()),
        None => (offset, bytes.get(early..).unwrap_or_default().to_vec()),
    };
    Ok(Page {
        offset,
        bytes,
        total,
        kept,
    })
}

fn read_at(file: &File, bytes: &mut [u8], mut offset: u64) -> std::io::Result<usize> {
    let mut length = 0;
    while let Some(rest) = bytes.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, offset)? {
            0 => break,
            read => {
                length += read;
                offset += read as u64;
            }
        }
    }
    Ok(length)
}

/// Returns how many bytes before `at` belong to the character there.
fn character_before(bytes: &[u8], at: usize) -> usize {
    let continues = |at: usize| bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut before = 0;
    while continues(at - before) && before < at {
        before += 1;
    }
    if continues(at - before) { 0 } else { before }
}

/// Returns the text without a character that is cut at its end. `None` if it is no text.
fn whole_characters(bytes: &[u8], ends: bool) -> Option<&[u8]> {
    match str::from_utf8(bytes) {
        Ok(text) => Some(text.as_bytes()),
        Err(error) if error.error_len().is_none() && !ends => bytes.get(..error.valid_up_to()),
        Err(_) => None,
    }
}
