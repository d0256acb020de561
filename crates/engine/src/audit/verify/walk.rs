//! All files in pieces, handed to as many threads as there are cores.

use std::os::unix::fs::FileExt;
use std::sync::{Mutex, PoisonError};

use super::super::error::RecordError;
use super::super::files::{Files, Source};
use super::super::line::LONGEST;
use super::chunk::{Chunk, Summary};

/// How much is read at once.
const CHUNK: usize = 2 << 20;
/// The most threads.
const MOST: usize = 8;

/// Summarises every piece of every file, in order.
pub(super) fn walk(files: &Files, wanted: &[u64]) -> Result<Vec<Summary>, RecordError> {
    let feed = Mutex::new(Feed {
        files,
        source: None,
        next_source: 0,
        next_chunk: 0,
        offset: 0,
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Result<Vec<Summary>, RecordError> {
        let mut made = Vec::new();
        let mut buffer = Vec::new();
        loop {
            let next = feed
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next(std::mem::take(&mut buffer));
            let Some(chunk) = next? else {
                return Ok(made);
            };
            made.push(chunk.summary(wanted));
            buffer = chunk.bytes;
        }
    };
    let parts = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..cores.min(MOST)).map(|_| scope.spawn(work)).collect();
        let mut parts = vec![work()];
        parts.extend(threads.into_iter().filter_map(|thread| thread.join().ok()));
        parts
    });
    let mut all = Vec::new();
    for part in parts {
        all.extend(part?);
    }
    all.sort_unstable_by_key(|summary| summary.index);
    Ok(all)
}

/// Hands out pieces, one after the other.
struct Feed<'f> {
    files: &'f Files,
    source: Option<Source>,
    next_source: usize,
    next_chunk: usize,
    offset: u64,
}

impl Feed<'_> {
    fn next(&mut self, buffer: Vec<u8>) -> Result<Option<Chunk>, RecordError> {
        while self
            .source
            .as_ref()
            .is_none_or(|source| self.offset >= source.size)
        {
            if self.next_source >= self.files.len() {
                return Ok(None);
            }
            self.source = self.files.open(self.next_source)?;
            self.next_source += 1;
            self.offset = 0;
        }
        let Some(source) = &self.source else {
            return Ok(None);
        };
        let mut chunk = Chunk {
            index: self.next_chunk,
            source: self.next_source - 1,
            bytes: buffer,
            torn: 0,
        };
        self.next_chunk += 1;
        let (taken, torn) =
            fill(source, self.offset, &mut chunk.bytes).map_err(RecordError::io(&source.path))?;
        self.offset += taken;
        chunk.torn = torn;
        Ok(Some(chunk))
    }
}

/// Reads whole lines from `offset`. Returns how far they reach, and how many bytes at the end no newline ends.
fn fill(source: &Source, offset: u64, bytes: &mut Vec<u8>) -> std::io::Result<(u64, u64)> {
    let left = usize::try_from(source.size - offset).unwrap_or(usize::MAX);
    bytes.resize(left.min(CHUNK), 0);
    source.file.read_exact_at(bytes, offset)?;
    if let Some(end) = memchr::memrchr(b'\n', bytes) {
        let torn = if bytes.len() == left {
            bytes.len() - end - 1
        } else {
            0
        };
        let taken = end + 1 + torn;
        bytes.truncate(end + 1);
        return Ok((size(taken), size(torn)));
    }
    if bytes.len() == left {
        bytes.clear();
        return Ok((size(left), size(left)));
    }
    // Longer than any record. What is kept of it is too long as well, and its newline is looked for.
    let mut at = offset + size(bytes.len());
    let mut rest = vec![0; CHUNK];
    bytes.truncate(LONGEST + 1);
    bytes.push(b'\n');
    while at < source.size {
        let part = usize::try_from(source.size - at).unwrap_or(CHUNK).min(CHUNK);
        let part = rest.get_mut(..part).unwrap_or_default();
        source.file.read_exact_at(part, at)?;
        if let Some(end) = memchr::memchr(b'\n', part) {
            return Ok((at + size(end) + 1 - offset, 0));
        }
        at += size(part.len());
    }
    bytes.clear();
    Ok((at - offset, at - offset))
}

fn size(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
