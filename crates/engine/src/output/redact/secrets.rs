//! What is looked for in a text, made ready once: values that are known, and the beginnings of keys.

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use aho_corasick::automaton::{Automaton, StateID};
use aho_corasick::nfa::contiguous::NFA;
use aho_corasick::{Anchored, PatternID};

use super::forms::forms;
use super::kind::{HEADS, Kind};

/// Values that nobody may read in the output of a tool, each with the name that it is known by, if it has one. Cheap to
/// clone; never shown.
#[derive(Clone)]
pub struct Secrets(Arc<Sought>);

struct Sought {
    /// Made when something is looked for. `None` if it could not be built, and then nothing is shown at all.
    automaton: OnceLock<Option<(NFA, StateID)>>,
    /// Known forms come first among the patterns, then the beginnings of [`HEADS`].
    known: Vec<Form>,
    names: Vec<Arc<str>>,
    longest: usize,
}

/// A form of a known value.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    bytes: Vec<u8>,
    /// Whose it is, among the names.
    name: Option<usize>,
}

/// What ends at a byte.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hit {
    /// A known value of this length, and its place among the names.
    Known(usize, Option<usize>),
    /// The beginning of a key: its kind and length.
    Head(Kind, usize),
}

/// Where a search stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Search(Option<StateID>);

static PATTERNS: LazyLock<Secrets> = LazyLock::new(|| Secrets::build(Vec::new(), Vec::new()));

impl Secrets {
    /// Looks for these values. One that is shorter than six bytes is no secret.
    pub fn new<V: AsRef<[u8]>>(values: impl IntoIterator<Item = V>) -> Self {
        let forms = values.into_iter().flat_map(|value| forms(value.as_ref()));
        Self::of(
            forms.map(|bytes| Form { bytes, name: None }).collect(),
            Vec::new(),
        )
    }

    /// Looks for values that have names, which people are told in the place of the value.
    pub fn named<N: Into<Arc<str>>, V: AsRef<[u8]>>(values: impl IntoIterator<Item = (N, V)>) -> Self {
        let (mut known, mut names) = (Vec::new(), Vec::new());
        for (name, value) in values {
            let name_at = Some(names.len());
            let forms = forms(value.as_ref()).into_iter();
            known.extend(forms.map(|bytes| Form { bytes, name: name_at }));
            names.push(name.into());
        }
        Self::of(known, names)
    }

    /// Knows no values: only what looks like a key is found.
    pub fn none() -> Self {
        PATTERNS.clone()
    }

    /// Whether it knows no values.
    pub fn is_empty(&self) -> bool {
        self.0.known.is_empty()
    }

    fn of(mut known: Vec<Form>, names: Vec<Arc<str>>) -> Self {
        // Of two names for one value the first stays.
        known.sort();
        known.dedup_by(|later, first| later.bytes == first.bytes);
        if known.is_empty() {
            return Self::none();
        }
        Self::build(known, names)
    }

    fn build(known: Vec<Form>, names: Vec<Arc<str>>) -> Self {
        let heads = HEADS.iter().map(|(head, _)| head.len());
        let all = known.iter().map(|form| form.bytes.len()).chain(heads);
        let longest = all.max().unwrap_or(1);
        Self(Arc::new(Sought {
            automaton: OnceLock::new(),
            known,
            names,
            longest,
        }))
    }

    fn automaton(&self) -> Option<&(NFA, StateID)> {
        let make = || {
            let known = self.0.known.iter().map(|form| form.bytes.as_slice());
            let heads = HEADS.iter().map(|(head, _)| head.as_bytes());
            let automaton = NFA::new(known.chain(heads)).ok()?;
            let start = automaton.start_state(Anchored::No).ok()?;
            Some((automaton, start))
        };
        self.0.automaton.get_or_init(make).as_ref()
    }

    /// Returns a name by its place.
    pub(super) fn name(&self, at: usize) -> Option<&Arc<str>> {
        self.0.names.get(at)
    }

    /// Whether anything can be looked for. If not, nothing may be shown.
    pub(super) fn works(&self) -> bool {
        self.automaton().is_some()
    }

    /// Returns the length of the longest thing that is looked for.
    pub(super) fn longest(&self) -> usize {
        self.0.longest
    }

    /// Begins a search.
    pub(super) fn search(&self) -> Search {
        Search(self.automaton().map(|(_, start)| *start))
    }

    /// Goes on with the next bytes; `found` gets what ends, and behind how many of them.
    pub(super) fn scan(&self, search: &mut Search, bytes: &[u8], mut found: impl FnMut(usize, Hit)) {
        let (Some((automaton, _)), Some(mut state)) = (self.automaton(), search.0) else {
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

    /// Whether a known value stands in a text, in any of its forms.
    pub(crate) fn knows_any_in(&self, text: &str) -> bool {
        let mut found = false;
        if !self.is_empty() {
            self.scan(&mut self.search(), text.as_bytes(), |_, hit| {
                found |= matches!(hit, Hit::Known(..));
            });
            found |= !self.works();
        }
        found
    }

    fn hit(&self, pattern: PatternID) -> Option<Hit> {
        match self.0.known.get(pattern.as_usize()) {
            Some(form) => Some(Hit::Known(form.bytes.len(), form.name)),
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
            self.0.known.iter().any(|form| form.bytes.starts_with(end))
        };
        (4..=most).rev().find(begins).unwrap_or(0)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(***)")
    }
}
