//! Which option a word names, in the style of the command at hand.

use super::error::BindError;
use crate::model::{Abbreviations, Arg, Command, Dashes, Kind, Scope, Style, Takes};
use crate::nearest::nearest;

/// The options that may stand at one place: those of the command and, from those above, what reaches down.
pub(super) struct InScope<'c> {
    path: Vec<&'c Command>,
    /// Whether a word without a dash can be an option at all. Most words have none, and most cannot.
    bare_options: bool,
}

/// A word read as an option.
pub(super) struct Named<'c, 'w> {
    pub(super) arg: &'c Arg,
    /// The spelling that was meant, for messages.
    pub(super) spelt: &'c str,
    /// What was attached to it.
    pub(super) attached: Option<&'w str>,
    /// Whether it was `--no-x`.
    pub(super) negated: bool,
}

/// What a word that looks like an option turned out to be.
pub(super) enum Reading<'c, 'w> {
    /// One option.
    One(Named<'c, 'w>),
    /// Several flags in one word; the last may have a value.
    Bundle(Vec<Named<'c, 'w>>),
    /// A request for help.
    Help,
}

impl<'c> InScope<'c> {
    pub(super) fn new() -> Self {
        Self {
            path: Vec::with_capacity(4),
            bare_options: false,
        }
    }

    pub(super) fn enter(&mut self, command: &'c Command) {
        self.path.push(command);
        self.bare_options |= command.inside().has_bare_options;
    }

    pub(super) fn path(&self) -> &[&'c Command] {
        &self.path
    }

    /// Returns all options, nearest command first.
    pub(super) fn options(&self) -> impl Iterator<Item = &'c Arg> {
        let last = self.path.len().saturating_sub(1);
        let reaches = move |at: usize, arg: &Arg| at == last || arg.scope == Scope::Below;
        self.path.iter().enumerate().rev().flat_map(move |(at, command)| {
            command
                .args()
                .iter()
                .filter(move |arg| !arg.is_positional() && reaches(at, arg))
        })
    }

    /// Returns the option that is spelt exactly so.
    pub(super) fn exact(&self, spelling: &str) -> Option<(&'c Arg, &'c str)> {
        if !self.bare_options && !spelling.starts_with('-') {
            return None;
        }
        let last = self.path.len().saturating_sub(1);
        self.path.iter().enumerate().rev().find_map(|(at, command)| {
            let reaches = |(arg, _): &(&Arg, &str)| at == last || arg.scope == Scope::Below;
            command.option(spelling).filter(reaches)
        })
    }

    fn spellings(&self) -> impl Iterator<Item = (&'c Arg, &'c str)> {
        self.options()
            .flat_map(|arg| arg.spellings.iter().map(move |known| (arg, known.as_str())))
    }

    fn short(&self, letter: char) -> Option<(&'c Arg, &'c str)> {
        let mut dashed = String::with_capacity(5);
        dashed.extend(['-', letter]);
        self.exact(&dashed)
    }

    /// Whether a word would be read as an option here and not as a value or a positional.
    pub(super) fn looks_like_option(&self, word: &str, style: &Style) -> bool {
        if word.starts_with('-') {
            return word.len() > 1 && !(style.negatives && self.is_negative_number(word));
        }
        self.exact(word).is_some() || (style.key_value && word.contains('='))
    }

    /// Whether a word is an option that is known here, so that it cannot be a forgotten value.
    pub(super) fn is_known(&self, word: &str, style: &Style) -> bool {
        self.looks_like_option(word, style)
            && self
                .read(word, style)
                .is_ok_and(|reading| !matches!(reading, Reading::Help))
    }

    fn is_negative_number(&self, word: &str) -> bool {
        let digits = word.strip_prefix('-').unwrap_or_default();
        let number =
            digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits.parse::<f64>().is_ok();
        number
            && digits
                .chars()
                .next()
                .is_some_and(|first| self.short(first).is_none())
    }

    /// Reads a word that looks like an option.
    pub(super) fn read<'w>(&self, word: &'w str, style: &Style) -> Result<Reading<'c, 'w>, BindError> {
        // The `of=` of `dd` is whole: its value is empty, not the next word.
        let is_key = style.key_value && word.ends_with('=');
        if let Some((arg, spelt)) = self.exact(word).filter(|_| !is_key) {
            return Ok(one(arg, spelt, None));
        }
        if let Some(found) = self.with_value(word, style)? {
            return Ok(found);
        }
        if let Some(found) = self.negated(word) {
            return Ok(Reading::One(found));
        }
        if matches!(word, "--help" | "-h") {
            return Ok(Reading::Help);
        }
        if let Some(found) = self.abbreviated(word, style)? {
            return Ok(found);
        }
        if let Some(letters) = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')) {
            return self.bundle(word, letters, style);
        }
        Err(self.unknown(word))
    }

    /// `--max=10`, `-max=10`, `if=file`, and the other number of dashes where both are the same.
    fn with_value<'w>(&self, word: &'w str, style: &Style) -> Result<Option<Reading<'c, 'w>>, BindError> {
        let (stem, value) = match word.split_once('=') {
            Some((stem, value)) => (stem, Some(value)),
            None => (word, None),
        };
        if style.key_value
            && let Some(value) = value
        {
            let key = self
                .spellings()
                .find(|(_, known)| known.strip_suffix('=') == Some(stem));
            return match key {
                Some((arg, spelt)) => Ok(Some(one(arg, spelt, Some(value)))),
                None => Err(self.unknown(stem)),
            };
        }
        let mut found = if stem.len() > 2 { self.exact(stem) } else { None };
        if found.is_none() && style.dashes == Dashes::Either {
            found = bare(stem).and_then(|name| self.spellings().find(|(_, known)| bare(known) == Some(name)));
        }
        Ok(found.map(|(arg, spelt)| one(arg, spelt, value)))
    }

    fn negated<'w>(&self, word: &str) -> Option<Named<'c, 'w>> {
        let positive = format!("--{}", word.strip_prefix("--no-")?);
        let (arg, spelt) = self
            .exact(&positive)
            .filter(|(arg, _)| arg.kind == Kind::Boolean)?;
        Some(Named {
            arg,
            spelt,
            attached: None,
            negated: true,
        })
    }

    fn abbreviated<'w>(&self, word: &'w str, style: &Style) -> Result<Option<Reading<'c, 'w>>, BindError> {
        let (stem, value) = word
            .split_once('=')
            .map_or((word, None), |(stem, value)| (stem, Some(value)));
        let long = match style.dashes {
            Dashes::Double => stem.len() > 2 && stem.starts_with("--"),
            Dashes::Single | Dashes::Either => stem.len() > 1,
        };
        if !long || style.abbreviations == Abbreviations::Off {
            return Ok(None);
        }
        let mut candidates: Vec<(&Arg, &str)> = self
            .spellings()
            .filter(|(_, known)| known.starts_with(stem) && known.len() > 2)
            .collect();
        candidates.dedup_by_key(|(arg, _)| arg.name());
        match (candidates.as_slice(), style.abbreviations) {
            ([], _) => Ok(None),
            ([(arg, spelt)], Abbreviations::On) => Ok(Some(one(arg, spelt, value))),
            ([(_, spelt)], _) => Err(BindError::Abbreviated {
                given: stem.to_owned(),
                full: (*spelt).to_owned(),
            }),
            (several, _) => Err(BindError::Ambiguous {
                given: stem.to_owned(),
                candidates: several.iter().map(|(_, spelt)| (*spelt).to_owned()).collect(),
            }),
        }
    }

    /// `-abc`, `-n10`, and with `old` the `xzf` of `tar xzf`.
    fn bundle<'w>(
        &self,
        word: &'w str,
        letters: &'w str,
        style: &Style,
    ) -> Result<Reading<'c, 'w>, BindError> {
        let mut found = Vec::new();
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            let Some((arg, spelt)) = self.short(letter) else {
                // Of a bundle the letter is unknown; a word that is no bundle is unknown as a whole.
                return Err(self.unknown(&if found.is_empty() || !style.bundling {
                    word.to_owned()
                } else {
                    format!("-{letter}")
                }));
            };
            let tail = rest.as_str();
            let named = |attached| Named {
                arg,
                spelt,
                attached,
                negated: false,
            };
            // `-it` is two switches; only `-i=false` gives the first one a value.
            let is_switch =
                arg.takes == Takes::Attached && arg.kind == Kind::Boolean && !tail.starts_with('=');
            if arg.takes == Takes::Nothing || tail.is_empty() || is_switch {
                found.push(named(None));
            } else if style.attached || (style.short_equals && tail.starts_with('=')) {
                let value = if style.short_equals {
                    tail.strip_prefix('=').unwrap_or(tail)
                } else {
                    tail
                };
                found.push(named(Some(value)));
                break;
            } else {
                return Err(self.unknown(word));
            }
        }
        if found.len() > 1 && !style.bundling {
            return Err(self.unknown(word));
        }
        Ok(Reading::Bundle(found))
    }

    /// The letters of a first word without a dash; their values follow as words of their own.
    pub(super) fn old_bundle<'w>(&self, letters: &str) -> Result<Vec<Named<'c, 'w>>, BindError> {
        let named = |letter| match self.short(letter) {
            Some((arg, spelt)) => Ok(Named {
                arg,
                spelt,
                attached: None,
                negated: false,
            }),
            None => Err(self.unknown(&format!("-{letter}"))),
        };
        letters.chars().map(named).collect()
    }

    pub(super) fn unknown(&self, word: &str) -> BindError {
        let given = word.split_once('=').map_or(word, |(stem, _)| stem).to_owned();
        let shown = || self.options().filter(|arg| !arg.hidden);
        let nearest = nearest(
            &given,
            shown().flat_map(|arg| arg.spellings.iter().map(String::as_str)),
        );
        BindError::UnknownOption {
            nearest: nearest.map(str::to_owned),
            known: shown().map(|arg| arg.shown().to_owned()).collect(),
            given,
        }
    }
}

/// The name behind one or two dashes; three are no option anywhere.
fn bare(spelling: &str) -> Option<&str> {
    let name = spelling.strip_prefix('-')?;
    let name = name.strip_prefix('-').unwrap_or(name);
    (!name.is_empty() && !name.starts_with('-')).then_some(name)
}

fn one<'c, 'w>(arg: &'c Arg, spelt: &'c str, attached: Option<&'w str>) -> Reading<'c, 'w> {
    Reading::One(Named {
        arg,
        spelt,
        attached,
        negated: false,
    })
}
