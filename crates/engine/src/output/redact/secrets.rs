//! What is looked for in a text, made ready once: values that are known, and the beginnings of keys.

use std::fmt;
use std::sync::{Arc, LazyLock};

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, PatternID};

use super::forms::forms;
use super::kind::{HEADS, Kind};

/// Values that nobody may read in the output of a tool. Cheap to clone; never shown.
#[derive(Clone)]
pub struct Secrets(Arc<Sought>);

struct Sought {
    /// `None` if it could not be built, and then nothing is shown at all.
    automaton: Option<(NFA, StateID)>,
    /// Known forms come first among the patterns, then the beginnings of [`HEADS`].
    known: Vec<Vec<u8>>,
    longest: usize,
}

/// What ends at a byte.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hit {
    /// A known value of this length.
    Known(usize),
    /// The beginning of a key: its kind and length.
    Head(Kind, usize),
}

/// Where a search stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search(Option<StateID>);

static PATTERNS: LazyLock<Secrets> = LazyLock::new(|| Secrets::build(Vec::new()));

impl Secrets {
    /// Looks for these values. One that is shorter than six bytes is no secret.
    pub fn new<V: AsRef<[u8]>>(values: impl IntoIterator<Item = V>) -> Self {
        let mut known: Vec<Vec<u8>> = values
            .into_iter()
            .flat_map(|value| forms(value.as_ref()))
            .collect();
        known.sort();
        known.dedup();
        if known.is_empty() {
            return Self::none();
        }
        Self::build(known)
    }

    /// Knows no values: only what looks like a key is found.
    pub fn none() -> Self {
        PATTERNS.clone()
    }

    fn build(known: Vec<Vec<u8>>) -> Self {
        let heads = HEADS.iter().map(|(head, _)| head.as_bytes());
        let all = known.iter().map(Vec::as_slice).chain(heads);
        let longest = all.clone().map(<[u8]>::len).max().unwrap_or(1);
        let automaton = NFA::new(all).ok().and_then(|automaton| {
            let start = automaton.start_state(Anchored::No).ok()?;
            Some((automaton, start))
        });
        Self(Arc::new(Sought {
            automaton,
            known,
            longest,
        }))
    }

    /// Whether anything can be looked for. If not, nothing may be shown.
    pub(super) fn works(&self) -> bool {
        self.0.automaton.is_some()
    }

    /// Returns the length of the longest thing that is looked for.
    pub(super) fn longest(&self) -> usize {
        self.0.longest
    }

    /// Begins a search.
    pub(super) fn search(&self) -> Search {
        Search(self.0.automaton.as_ref().map(|(_, start)| *start))
    }

    /// Goes on with the next bytes; `found` gets what ends, and behind how many of them.
    pub(super) fn scan(&self, search: &mut Search, bytes: &[u8], mut found: impl FnMut(usize, Hit)) {
        let (Some((automaton, _)), Some(mut state)) = (&self.0.automaton, search.0) else {
            return;
        };
        for (index, byte) in bytes.iter().enumerate() {
            state = automaton.next_state(Anchored::No, state, *byte);
            if automaton.is_special(state) && automaton.is_match(state) {
                for nth in 0..automaton.match_len(state) {
                    if let Some(hit) = self.hit(automaton.match_pattern(state, nth)) {
                        found(index + 1, hit);
                    }
                }
            }
        }
        search.0 = Some(state);
    }

    fn hit(&self, pattern: PatternID) -> Option<Hit> {
        match self.0.known.get(pattern.as_usize()) {
            Some(form) => Some(Hit::Known(form.len())),
            None => {
                let (head, kind) = HEADS.get(pattern.as_usize() - self.0.known.len())?;
                Some(Hit::Head(*kind, head.len()))
            }
        }
    }

    /// Returns how many bytes at the end of `text` are the beginning of a known value.
    pub(super) fn begun_at_the_end(&self, text: &[u8]) -> usize {
        let most = text.len().min(self.0.longest);
        let begins = |length: &usize| {
            let end = text.get(text.len() - length..).unwrap_or_default();
            self.0.known.iter().any(|form| form.starts_with(end))
        };
        (4..=most).rev().find(begins).unwrap_or(0)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(***)")
    }
}
