//! Whether one record follows another.

use super::super::hash::Hash;
use super::super::line::Line;
use super::problem::Problem;

/// What ties a record to its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) seq: u64,
    pub(super) hash: Hash,
    before: Option<Hash>,
    ts: String,
}

/// A link that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) problem: Problem,
    pub(super) detail: String,
}

impl Link {
    pub(super) fn of(line: &Line<'_>) -> Self {
        Self {
            seq: line.seq,
            hash: line.hash,
            before: line.before,
            ts: line.ts.to_owned(),
        }
    }
}

/// Says why `next` does not follow `last`; `None` for `last` is the beginning of the chain.
pub(super) fn follows(last: Option<&Link>, next: &Link) -> Option<Broken> {
    let expected = last.map_or(0, |last| last.seq + 1);
    let broken = |problem, detail| Some(Broken { problem, detail });
    if next.seq > expected {
        let missing = next.seq - 1;
        return broken(
            Problem::Missing,
            format!("the records {expected} to {missing} are missing before it"),
        );
    }
    if next.seq < expected {
        return broken(Problem::Reordered, format!("record {expected} was expected here"));
    }
    if next.before != last.map(|last| last.hash) {
        return broken(
            Problem::Replaced,
            "the record before it is not the one that it was written after".to_owned(),
        );
    }
    if last.is_some_and(|last| next.ts < last.ts) {
        return broken(
            Problem::Earlier,
            "it is earlier than the record before it".to_owned(),
        );
    }
    None
}
