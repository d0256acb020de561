//! Phrases in descriptions that say which values there are, what holds otherwise, and how often an option may stand.
//!
//! A description is read once for all that may be asked of it ([`Stems`]), and once more per question that has an
//! answer, word by word; a phrase begins where a word does.

use super::list::{is_value, leading};
use super::stems::{Stem, Stems};

/// A description, the same in small letters, and what may be found in it.
#[derive(Clone, Copy)]
pub(super) struct Prose<'t> {
    pub(super) text: &'t str,
    pub(super) lower: &'t str,
    stems: Stems,
}

impl<'t> Prose<'t> {
    /// Looks at a description. `lower` is kept for it; small letters are made only if there is something to read.
    pub(super) fn of(text: &'t str, lower: &'t mut String) -> Self {
        let stems = Stems::of(text);
        if !stems.is_empty() {
            lower.push_str(text);
            lower.make_ascii_lowercase();
        }
        Self { text, lower, stems }
    }

    /// Whether one of a few stems begins a word.
    pub(super) fn mentions(self, stems: &[Stem]) -> bool {
        stems.iter().any(|stem| self.stems.has(*stem))
    }

    /// Returns where phrases of a list stand, each with what follows it.
    fn behind(self, phrases: &'static [&'static str]) -> impl Iterator<Item = (usize, &'t str)> {
        let bytes = self.lower.as_bytes();
        let initials = initials(phrases);
        let begins = move |(at, byte): &(usize, &u8)| {
            let is_initial = byte.is_ascii_lowercase() && initials & (1 << (**byte - b'a')) != 0;
            is_initial
                && !at
                    .checked_sub(1)
                    .and_then(|before| bytes.get(before))
                    .is_some_and(u8::is_ascii_alphanumeric)
        };
        bytes
            .iter()
            .enumerate()
            .filter(begins)
            .filter_map(move |(at, _)| {
                let rest = self.lower.get(at..)?;
                let rank = phrases.iter().position(|phrase| rest.starts_with(phrase))?;
                let behind = at + phrases.get(rank)?.len();
                Some((rank, self.text.get(behind..)?))
            })
    }

    fn has(self, phrases: &'static [&'static str]) -> bool {
        self.behind(phrases).next().is_some()
    }
}

/// The letters that phrases begin with, one bit each.
fn initials(phrases: &[&str]) -> u32 {
    phrases
        .iter()
        .filter_map(|phrase| phrase.bytes().next())
        .filter(u8::is_ascii_lowercase)
        .fold(0, |letters, first| letters | 1 << (first - b'a'))
}

/// Phrases that a list of values follows. In small letters.
const CHOICES: [&str; 17] = [
    "possible values are",
    "possible values:",
    "valid values are",
    "valid values:",
    "allowed values are",
    "allowed values:",
    "accepted values:",
    "supported values:",
    "available values:",
    "permissible values",
    "values are",
    "values:",
    "one of:",
    "one of",
    "choices:",
    "choose from",
    "may be:",
];

/// Phrases that a list follows where its values are quoted, and much else where they are not.
const QUOTED: [&str; 7] = [
    "must be",
    "can be",
    "may be",
    "either",
    "options are",
    "should be",
    "is either",
];

/// Returns the values that a description lists.
pub(super) fn values(prose: Prose<'_>) -> Option<Vec<String>> {
    let clear = || {
        let mut lists = prose.behind(&CHOICES).take(6);
        lists.find_map(|(_, rest)| bulleted(rest).or_else(|| leading(rest)))
    };
    let unclear = || prose.behind(&QUOTED).take(6).find_map(|(_, rest)| quoted(rest));
    let is_clear = prose.mentions(&[Stem::One, Stem::Values, Stem::Choice]);
    let is_quoted = prose.mentions(&[Stem::Quoting]);
    is_clear
        .then(clear)
        .flatten()
        .or_else(|| is_quoted.then(unclear).flatten())
        .or_else(|| described_values(prose))
}

fn quoted(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start();
    let text = text.strip_prefix("either ").unwrap_or(text);
    text.starts_with(['"', '\'', '`', '\u{2018}', '\u{201c}'])
        .then(|| leading(text))
        .flatten()
}

/// Phrases that only options with a value have. In small letters.
const ANNOUNCED: [&str; 8] = [
    "one of:",
    "one or more:",
    "possible values",
    "allowed values",
    "valid values",
    "accepted values",
    "supported values",
    "values are",
];

/// Returns the values that a description announces as values of its option.
pub(super) fn announced_values(prose: Prose<'_>) -> Option<Vec<String>> {
    if !prose.mentions(&[Stem::Values, Stem::One]) {
        return None;
    }
    prose.behind(&ANNOUNCED).take(2).find_map(|(_, rest)| {
        let rest = rest.trim_start_matches([' ', ':']);
        let rest = rest.strip_prefix("are").unwrap_or(rest);
        bulleted(rest).or_else(|| leading(rest))
    })
}

const ADJECTIVES: [&str; 6] = [
    "valid ",
    "available ",
    "supported ",
    "allowed ",
    "possible ",
    "accepted ",
];

/// "Valid formats are a, b": an adjective, a word or two, and the list.
fn described_values(prose: Prose<'_>) -> Option<Vec<String>> {
    if !prose.mentions(&[Stem::Adjective]) {
        return None;
    }
    let (_, rest) = prose.behind(&ADJECTIVES).next()?;
    let (end, length) = [" are: ", " are ", ": ", " include: "]
        .iter()
        .filter_map(|sign| rest.find(sign).map(|at| (at, sign.len())))
        .min()?;
    let is_near = rest
        .get(..end)
        .is_some_and(|words| words.split(' ').count() < 4 && !words.contains('.'));
    rest.get(end + length..).filter(|_| is_near).and_then(leading)
}

/// `- auto: text - never: text`, the lines of a list joined.
fn bulleted(text: &str) -> Option<Vec<String>> {
    let text = text.trim_start().strip_prefix("- ")?;
    let mut values = Vec::new();
    for part in text.split(" - ").take(100) {
        let word = part.split([':', ' ']).next().unwrap_or_default();
        let is_item = part
            .get(word.len()..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        if is_item && is_value(word) {
            values.push(word.to_owned());
        }
    }
    (values.len() > 1).then_some(values)
}

const DEFAULTS: [&str; 6] = [
    "default value is ",
    "default value: ",
    "default is ",
    "defaults to ",
    "default: ",
    "default = ",
];

/// Returns what a description says holds when the option is not given.
pub(super) fn default(prose: Prose<'_>) -> Option<String> {
    if !prose.mentions(&[Stem::Default]) {
        return None;
    }
    prose.behind(&DEFAULTS).next().and_then(|(_, rest)| word(rest))
}

fn word(text: &str) -> Option<String> {
    let text = text.trim_start();
    let quoted = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'));
    let word = match quoted {
        Some(quote) => text.trim_start_matches(quote).split(quote).next()?,
        None => text
            .split([' ', ',', ';', ')', ']'])
            .next()?
            .trim_end_matches(['.', ':']),
    };
    let is_word = !word.is_empty() && word.len() <= 200 && !crate::help::head::is_prose_word(word);
    is_word.then(|| word.to_owned())
}

const REPEATS: [&str; 6] = [
    "multiple times",
    "more than once",
    "be repeated",
    "repeatable",
    "several times",
    "used repeatedly",
];

/// Whether a description says that the option may be given several times.
pub(super) fn repeats(prose: Prose<'_>) -> bool {
    prose.mentions(&[Stem::Repeat]) && prose.has(&REPEATS)
}

/// Whether a description says that the option is on its way out.
pub(super) fn is_deprecated(prose: Prose<'_>) -> bool {
    let lower = prose.lower;
    prose.mentions(&[Stem::Deprecated])
        && lower.match_indices("deprecated").take(4).any(|(at, word)| {
            let before = lower.get(..at).unwrap_or_default();
            let behind = lower.get(at + word.len()..).unwrap_or_default();
            before.is_empty()
                || before.ends_with(['(', '[', '*'])
                || before.ends_with("is ")
                || before.ends_with("; ")
                || behind.starts_with([':', ';'])
        })
}
