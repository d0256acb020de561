//! A piece of one file, from one newline to another, and what is to be said about it.

use super::super::hash::Hash;
use super::super::line::{Line, LineError};
use super::links::{Broken, Link, follows};
use super::problem::Problem;

/// Some lines of a file.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    /// Which piece it is, over all files.
    pub(super) index: usize,
    /// Which file it is of.
    pub(super) source: usize,
    /// Whole lines.
    pub(super) bytes: Vec<u8>,
    /// How many bytes follow that no newline ends; only at the end of a file.
    pub(super) torn: u64,
}

/// What was found in a piece.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) index: usize,
    pub(super) source: usize,
    pub(super) lines: u64,
    /// Lines that are records, true or not.
    pub(super) entries: u64,
    /// The first record, and its line.
    pub(super) first: Option<(u64, Link)>,
    pub(super) last: Option<Link>,
    /// The first thing that is wrong, without the link of the first record to what stands before the piece.
    pub(super) bad: Option<Fault>,
    /// Records that somebody looks for.
    pub(super) found: Vec<Sighting>,
    pub(super) torn: u64,
}

/// A record that somebody looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sighting {
    pub(super) seq: u64,
    pub(super) hash: Hash,
    /// Its line in the piece, from 0.
    pub(super) line: u64,
}

/// Something wrong in a piece.
#[derive(Debug)]
pub(super) struct Fault {
    /// Its line in the piece, from 0.
    pub(super) line: u64,
    /// The number that the record says it has.
    pub(super) seq: Option<u64>,
    pub(super) broken: Broken,
}

impl Chunk {
    /// Reads every line, hashes it, and follows the links from one to the next.
    pub(super) fn summary(&self, wanted: &[u64]) -> Summary {
        let mut summary = Summary {
            index: self.index,
            source: self.source,
            torn: self.torn,
            ..Summary::default()
        };
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &self.bytes) {
            summary.take(self.bytes.get(start..end).unwrap_or_default(), wanted);
            summary.lines += 1;
            start = end + 1;
        }
        summary
    }
}

impl Summary {
    fn take(&mut self, bytes: &[u8], wanted: &[u64]) {
        let line = match Line::read(bytes) {
            Ok(line) => line,
            Err(error) => return self.fault(None, unread(&error)),
        };
        self.entries += 1;
        if !line.is_true() {
            let what = "its hash is not that of what it says".to_owned();
            return self.fault(
                Some(line.seq),
                Broken {
                    problem: Problem::Changed,
                    detail: what,
                },
            );
        }
        if wanted.contains(&line.seq) {
            self.found.push(Sighting {
                seq: line.seq,
                hash: line.hash,
                line: self.lines,
            });
        }
        let link = Link::of(&line);
        match &self.last {
            None => self.first = Some((self.lines, link.clone())),
            Some(last) if self.bad.is_none() => {
                if let Some(broken) = follows(Some(last), &link) {
                    self.fault(Some(line.seq), broken);
                }
            }
            Some(_) => {}
        }
        self.last = Some(link);
    }

    fn fault(&mut self, seq: Option<u64>, broken: Broken) {
        let line = self.lines;
        self.bad.get_or_insert(Fault { line, seq, broken });
    }
}

fn unread(error: &LineError) -> Broken {
    Broken {
        problem: Problem::Changed,
        detail: format!("it is no record: {error}"),
    }
}
