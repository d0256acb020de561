//! A stream without its secrets.
//!
//! What may still turn out to be part of a secret is held back: never more than the longest known form, or than the
//! bytes by which a kind of key is told. A key that was told has no end that matters: the rest is dropped as it comes.

use std::ops::Range;

use super::kind::Kind;
use super::measure::{From, Reach, Verdict, measure};
use super::run::{Run, Set, Took};
use super::secrets::{Hit, Search, Secrets};

/// What stands in the place of a secret.
pub const REDACTED: &str = "[redacted]";

/// How much is looked at in one go.
const STEP: usize = 16 * 1024;

/// How many bytes before a beginning are looked at.
const LEFT: usize = 6;

/// How a stream ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All of it came.
    Whole,
    /// It was cut off, perhaps in the middle of a secret: what may be the beginning of one is covered.
    Cut,
}

/// Removes secrets from a stream.
#[derive(Debug)]
pub struct Redactor {
    secrets: Secrets,
    search: Search,
    /// What was not handed out, and how many bytes came before it.
    held: Vec<u8>,
    base: u64,
    /// The last bytes before `held`.
    left: Vec<u8>,
    /// What is part of a secret, in no order.
    covered: Vec<Range<u64>>,
    candidates: Vec<Candidate>,
    /// Secrets that go on at the end of `held`, one of each set: those of one set go on alike.
    runs: [Option<Run>; Set::COUNT],
    /// How far the last secret of each set goes, and since where.
    reached: [Range<u64>; Set::COUNT],
    /// Whether the last thing that was handed out stands for a secret.
    marked: bool,
}

/// A telling beginning.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    start: u64,
    body: u64,
    kind: Kind,
    /// Not asked again before this much has come.
    again: u64,
}

impl Redactor {
    /// Removes these values, and what looks like a key.
    pub fn new(secrets: &Secrets) -> Self {
        Self {
            search: secrets.search(),
            secrets: secrets.clone(),
            held: Vec::new(),
            base: 0,
            left: Vec::new(),
            covered: Vec::new(),
            candidates: Vec::new(),
            runs: [None; Set::COUNT],
            reached: std::array::from_fn(|_| 0..0),
            marked: false,
        }
    }

    /// Returns `text` without secrets.
    pub fn whole(secrets: &Secrets, text: &[u8]) -> Vec<u8> {
        let mut redactor = Self::new(secrets);
        let mut out = Vec::with_capacity(text.len());
        redactor.push(text, &mut out);
        redactor.finish(Ending::Whole, &mut out);
        out
    }

    /// Takes the next bytes; what can be handed out is appended to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for step in bytes.chunks(STEP) {
            self.look(step);
            self.settle(Reach::Open);
            let safe = self.safe();
            self.hand_out(safe, out);
        }
    }

    /// Hands out the rest.
    pub fn finish(&mut self, ending: Ending, out: &mut Vec<u8>) {
        self.candidates
            .iter_mut()
            .for_each(|candidate| candidate.again = 0);
        if ending == Ending::Cut {
            let begun = self.secrets.begun_at_the_end(&self.held);
            self.covered.push(self.end() - begun as u64..self.end());
            self.settle(Reach::Open);
            // What is not decided now never will be, and may be the beginning of a key.
            let end = self.end();
            let waiting = std::mem::take(&mut self.candidates);
            self.covered
                .extend(waiting.iter().map(|candidate| candidate.start..end));
        }
        self.settle(Reach::End);
        let end = self.end();
        self.hand_out(end, out);
    }

    /// Returns the parts of a whole text that must not be shown, in order, none touching another.
    pub(super) fn parts(secrets: &Secrets, text: &[u8]) -> Vec<Range<usize>> {
        if !secrets.works() {
            return Vec::from_iter((!text.is_empty()).then_some(0..text.len()));
        }
        let mut redactor = Self::new(secrets);
        redactor.look(text);
        redactor.settle(Reach::End);
        redactor.covered.sort_unstable_by_key(|range| range.start);
        let mut parts = Vec::new();
        for range in std::mem::take(&mut redactor.covered) {
            cover(&mut parts, range);
        }
        let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        parts
            .into_iter()
            .map(|part| index(part.start)..index(part.end))
            .collect()
    }

    /// Returns how much is held back.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.held.len()
    }

    fn end(&self) -> u64 {
        self.base + self.held.len() as u64
    }

    /// Looks for known values and beginnings in the next bytes, and lets secrets go on into them.
    fn look(&mut self, bytes: &[u8]) {
        let at = self.end();
        for (slot, reached) in self.runs.iter_mut().zip(&mut self.reached) {
            let Some(run) = slot else { continue };
            let length = match run.take(bytes) {
                Took::All => bytes.len(),
                Took::Only(length) => {
                    *slot = None;
                    length
                }
            };
            reached.end = at + length as u64;
            self.covered.push(at..reached.end);
        }
        let (covered, candidates) = (&mut self.covered, &mut self.candidates);
        self.secrets.scan(&mut self.search, bytes, |behind, hit| {
            let end = at + behind as u64;
            match hit {
                Hit::Known(length, _) => cover(covered, end - length as u64..end),
                Hit::Head(kind, length) => candidates.push(Candidate {
                    start: end - length as u64,
                    body: end,
                    kind,
                    again: 0,
                }),
            }
        });
        self.held.extend_from_slice(bytes);
    }

    /// Decides what can be decided about beginnings.
    fn settle(&mut self, reach: Reach) {
        let end = self.end();
        for mut candidate in std::mem::take(&mut self.candidates) {
            if end < candidate.again {
                self.candidates.push(candidate);
                continue;
            }
            let left = self.before(candidate.start);
            let body = self.between(candidate.body, end);
            match measure(candidate.kind, &left, body, reach) {
                Verdict::No => {}
                Verdict::More => {
                    // Twice as much each time, so that asking costs no more than the text is long.
                    candidate.again = end + (end - candidate.start) / 2;
                    self.candidates.push(candidate);
                }
                Verdict::Secret { from, to, then } => {
                    let start = match from {
                        From::Head => candidate.start,
                        From::Body(offset) => candidate.body + offset as u64,
                    };
                    let told = candidate.body + to as u64;
                    let until = then.map_or(told, |set| self.go_on(set, told));
                    cover(&mut self.covered, start..until);
                }
            }
        }
    }

    /// Lets a secret go on as far as it can; returns where it ends so far.
    fn go_on(&mut self, set: Set, from: u64) -> u64 {
        let end = self.end();
        let known = self.reached.get(set.index()).cloned().unwrap_or_default();
        // Inside of one that goes on in the same way. Only keys have an end of their own.
        if set != Set::Key && known.contains(&from) {
            return known.end;
        }
        let mut run = Run::new(set);
        let (until, open) = match run.take(self.between(from, end)) {
            Took::All => (end, Some(run)),
            Took::Only(length) => (from + length as u64, None),
        };
        if let (Some(slot), Some(reached)) =
            (self.runs.get_mut(set.index()), self.reached.get_mut(set.index()))
        {
            *slot = open.or(*slot);
            if until >= reached.end {
                *reached = from..until;
            }
        }
        until
    }

    fn between(&self, from: u64, to: u64) -> &[u8] {
        let index = |at: u64| usize::try_from(at.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.held.get(index(from)..index(to)).unwrap_or_default()
    }

    /// Returns the bytes before `at`, some of which were handed out.
    fn before(&self, at: u64) -> Vec<u8> {
        let mut left = self.left.clone();
        left.extend_from_slice(self.between(self.base.max(at.saturating_sub(LEFT as u64)), at));
        left.drain(..left.len().saturating_sub(LEFT));
        left
    }

    /// Returns up to where nothing can become part of a secret any more.
    fn safe(&self) -> u64 {
        let searched = self.end().saturating_sub(self.secrets.longest() as u64 - 1);
        let waiting = self.candidates.iter().map(|candidate| candidate.start).min();
        waiting.unwrap_or(u64::MAX).min(searched).max(self.base)
    }

    /// Hands out what stands before `limit`, with a mark for each stretch that is covered.
    fn hand_out(&mut self, limit: u64, out: &mut Vec<u8>) {
        if !self.secrets.works() {
            self.covered.push(self.base..limit);
        }
        self.covered.sort_unstable_by_key(|range| range.start);
        let mut at = self.base;
        for range in std::mem::take(&mut self.covered) {
            if range.end > limit {
                self.covered.push(range.start.max(limit)..range.end);
            }
            let (start, end) = (range.start.max(at), range.end.min(limit));
            if start >= end {
                continue;
            }
            if at < start {
                out.extend_from_slice(self.between(at, start));
                self.marked = false;
            }
            if !self.marked {
                out.extend_from_slice(REDACTED.as_bytes());
                self.marked = true;
            }
            at = end;
        }
        if at < limit {
            out.extend_from_slice(self.between(at, limit));
            self.marked = false;
        }
        self.left = self.before(limit);
        let gone = usize::try_from(limit - self.base).unwrap_or(usize::MAX);
        self.held.drain(..gone.min(self.held.len()));
        self.base = limit;
    }
}

/// Adds a range to those that are covered; ranges that follow each other become one.
fn cover(covered: &mut Vec<Range<u64>>, range: Range<u64>) {
    match covered.last_mut() {
        Some(last) if last.start <= range.start && range.start <= last.end => {
            last.end = last.end.max(range.end);
        }
        Some(_) | None => covered.push(range),
    }
}
