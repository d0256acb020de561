//! The whole check, and its answer.

use std::path::Path;

use super::super::directory::LOG;
use super::super::error::RecordError;
use super::super::files::Files;
use super::super::hash::{hex, unhex};
use super::chunk::{Fault, Sighting, Summary};
use super::links::{Broken, Link, follows};
use super::problem::{Bad, Problem};
use super::walk::walk;
use crate::store::Head;

/// What is known of the chain from elsewhere.
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'k> {
    /// Where the store says that it ends. Read before the record is: it may have grown since.
    pub head: Option<&'k Head>,
    /// Where it was at an earlier moment, as a checkpoint says.
    pub checkpoint: Option<&'k Head>,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// How many records were read, true or not.
    pub entries: u64,
    /// The last one.
    pub head: Option<Head>,
    /// The first thing that is wrong.
    pub first_bad: Option<Bad>,
}

/// Checks the record in `directory`.
///
/// # Errors
/// When a file cannot be read.
pub fn verify(directory: &Path, known: Known<'_>) -> Result<Verified, RecordError> {
    let files = Files::settled(directory)?;
    let wanted: Vec<u64> = [known.head, known.checkpoint]
        .into_iter()
        .flatten()
        .map(|head| head.seq)
        .collect();
    let summaries = walk(&files, &wanted)?;
    let mut walked = Walked::default();
    for summary in &summaries {
        walked.take(summary);
    }
    let mut first_bad = match walked.bad.take() {
        Some(found) => Some(told(&files, found)?),
        None => end(&files, &walked, known)?,
    };
    // A gap whose record stands elsewhere is no gap.
    if let Some(bad) = first_bad.as_mut().filter(|bad| bad.problem == Problem::Missing) {
        let expected = walked.expected;
        if walk(&files, &[expected])?
            .iter()
            .any(|summary| !summary.found.is_empty())
        {
            bad.problem = Problem::Reordered;
            bad.detail = format!("record {expected} was expected here, and stands elsewhere");
        }
    }
    let head = walked.last.as_ref().map(|last| Head {
        seq: last.seq,
        hash: hex(&last.hash),
    });
    Ok(Verified {
        entries: walked.entries,
        head,
        first_bad,
    })
}

/// What was found so far.
#[derive(Default)]
struct Walked {
    entries: u64,
    last: Option<Link>,
    /// The number that should have come where the first thing is wrong.
    expected: u64,
    bad: Option<Found>,
    /// Records that were looked for, their files, and their lines from 1.
    found: Vec<(Sighting, usize)>,
    /// The file that is walked over, and how many of its lines were.
    source: usize,
    lines: u64,
}

/// The first thing that is wrong, without the name of its file.
struct Found {
    source: usize,
    line: u64,
    seq: u64,
    broken: Broken,
}

impl Walked {
    fn take(&mut self, summary: &Summary) {
        if summary.source != self.source {
            (self.source, self.lines) = (summary.source, 0);
        }
        if self.bad.is_none() {
            self.look(summary);
        }
        let placed = |seen: &Sighting| {
            (
                Sighting {
                    line: self.lines + seen.line + 1,
                    ..*seen
                },
                self.source,
            )
        };
        self.found.extend(summary.found.iter().map(placed));
        self.entries += summary.entries;
        self.lines += summary.lines;
        if summary.last.is_some() {
            self.last.clone_from(&summary.last);
        }
    }

    fn look(&mut self, summary: &Summary) {
        let next = |last: Option<&Link>| last.map_or(0, |last| last.seq + 1);
        let fault = summary.bad.as_ref();
        // The first record of the piece, if it stands before what is wrong inside.
        let first = summary
            .first
            .as_ref()
            .filter(|(line, _)| fault.is_none_or(|fault| *line < fault.line));
        if let Some((line, first)) = first
            && let Some(broken) = follows(self.last.as_ref(), first)
        {
            self.expected = next(self.last.as_ref());
            return self.fault(*line, first.seq, broken);
        }
        if let Some(Fault { line, seq, broken }) = fault {
            self.expected = expected(summary, *line).unwrap_or_else(|| next(self.last.as_ref()));
            let seq = seq.unwrap_or(self.expected);
            return self.fault(*line, seq, broken.clone());
        }
        if summary.torn > 0 {
            let last = summary.last.as_ref().or(self.last.as_ref());
            let detail = format!("{} bytes at the end are no whole line", summary.torn);
            let broken = Broken {
                problem: Problem::Torn,
                detail,
            };
            self.fault(summary.lines, next(last), broken);
        }
    }

    fn fault(&mut self, line: u64, seq: u64, broken: Broken) {
        let line = self.lines + line + 1;
        self.bad = Some(Found {
            source: self.source,
            line,
            seq,
            broken,
        });
    }
}

/// The number that belongs on a line of a piece, from its first record on.
fn expected(summary: &Summary, line: u64) -> Option<u64> {
    let (first_line, first) = summary.first.as_ref()?;
    Some(first.seq + line.checked_sub(*first_line)?)
}

fn told(files: &Files, found: Found) -> Result<Bad, RecordError> {
    let file = name(files, found.source)?;
    let Broken { problem, detail } = found.broken;
    Ok(Bad {
        seq: found.seq,
        file,
        line: found.line,
        problem,
        detail,
    })
}

/// Holds the end against what is known.
fn end(files: &Files, walked: &Walked, known: Known<'_>) -> Result<Option<Bad>, RecordError> {
    let next = walked.last.as_ref().map_or(0, |last| last.seq + 1);
    if let Some(head) = known.head.filter(|head| head.seq >= next) {
        let missing = head.seq + 1 - next;
        let problem = match files.written() {
            None => Problem::Deleted,
            Some(0) => Problem::Emptied,
            Some(_) => Problem::Truncated,
        };
        let detail = format!("the last {missing} records are missing, {next} to {}", head.seq);
        return ended(files, walked, problem, detail).map(Some);
    }
    if let Some(head) = known.head
        && let Some(bad) = off_chain(files, walked, head, "store")?
    {
        return Ok(Some(bad));
    }
    let Some(checkpoint) = known.checkpoint else {
        return Ok(None);
    };
    if checkpoint.seq >= next {
        let detail = format!("the checkpoint knows records up to {}", checkpoint.seq);
        return ended(files, walked, Problem::RolledBack, detail).map(Some);
    }
    off_chain(files, walked, checkpoint, "checkpoint")
}

/// Something wrong behind the last record.
fn ended(files: &Files, walked: &Walked, problem: Problem, detail: String) -> Result<Bad, RecordError> {
    let file = match files.len() {
        0 => LOG.to_owned(),
        some => name(files, some - 1)?,
    };
    let seq = walked.last.as_ref().map_or(0, |last| last.seq + 1);
    Ok(Bad {
        seq,
        file,
        line: walked.lines + 1,
        problem,
        detail,
    })
}

/// A record that is another than somebody knows.
fn off_chain(files: &Files, walked: &Walked, head: &Head, who: &str) -> Result<Option<Bad>, RecordError> {
    let hash = unhex(head.hash.as_bytes());
    let Some((seen, source)) = walked.found.iter().find(|(seen, _)| seen.seq == head.seq) else {
        return Ok(None);
    };
    if Some(seen.hash) == hash {
        return Ok(None);
    }
    Ok(Some(Bad {
        seq: head.seq,
        file: name(files, *source)?,
        line: seen.line,
        problem: Problem::RolledBack,
        detail: format!("it is not the record that the {who} knows by this number"),
    }))
}

fn name(files: &Files, index: usize) -> Result<String, RecordError> {
    Ok(files.open(index)?.map(|source| source.name).unwrap_or_default())
}
