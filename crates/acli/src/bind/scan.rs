//! The walk over the words: down the tree of commands, option by option.
//!
//! What was understood is kept even when a later word is wrong, so that a guard can refuse a command by
//! its name before the caller learns what its options are.

use std::ops::Deref;

use super::error::BindError;
use super::lookup::{InScope, Named, Reading};
use super::place::{Words, place};
use crate::model::{Arg, Command, Style, Takes, Unknown};
use crate::nearest::nearest;

/// One thing the words say, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item<'c, 'w> {
    /// An option with what belongs to it.
    Option {
        /// Which one.
        arg: ArgRef<'c>,
        /// As it was meant, for messages.
        spelt: &'c str,
        /// What belongs to it.
        values: Values<'w>,
        /// Whether it was `--no-x`.
        negated: bool,
    },
    /// A positional.
    Word(&'w str),
    /// A word that nobody describes, where the style keeps those: an unknown option, a whole bundle with an unknown
    /// letter, an unknown subcommand, a word too many.
    Unknown(&'w str),
}

/// The words that belong to an option; reads as a slice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values<'w> {
    /// A flag has none.
    None,
    /// Most have one.
    One(&'w str),
    /// As many as the grammar says.
    Several(Vec<&'w str>),
}

impl<'w> Deref for Values<'w> {
    type Target = [&'w str];

    fn deref(&self) -> &[&'w str] {
        match self {
            Self::None => &[],
            Self::One(word) => std::slice::from_ref(word),
            Self::Several(words) => words,
        }
    }
}

/// An argument compared by identity: two commands may have arguments that look alike.
#[derive(Debug, Clone, Copy)]
pub struct ArgRef<'c>(pub &'c Arg);

impl PartialEq for ArgRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for ArgRef<'_> {}

/// What the words say, as far as they could be read.
#[derive(Debug)]
pub struct Scan<'c, 'w> {
    /// The commands from the first word down; empty if the first word names none.
    pub path: Vec<&'c Command>,
    /// Whether `--help` or `-h` stood where an option may.
    pub help: bool,
    /// How many words at the end were not looked at: those behind `--help`, or behind what was wrong.
    pub unread: usize,
    /// How many of the items stand before the `--` that ends the options, if there is one.
    pub terminator: Option<usize>,
    /// Options and positionals, or the first thing that was wrong.
    pub items: Result<Vec<Item<'c, 'w>>, BindError>,
}

impl<'w> Scan<'_, 'w> {
    /// Returns the words that nobody describes and that were kept: one of them may be a subcommand.
    pub(crate) fn kept_words(&self) -> Vec<&'w str> {
        let items = self.items.as_deref().unwrap_or_default();
        let word = |item: &Item<'_, 'w>| match item {
            Item::Unknown(word) => Some(*word),
            Item::Word(_) | Item::Option { .. } => None,
        };
        items.iter().filter_map(word).collect()
    }
}

/// Reads `words` as a command below `root`.
pub fn scan<'c, 'w, S: AsRef<str>>(root: &'c Command, words: &'w [S]) -> Scan<'c, 'w> {
    let mut walk = Walk {
        scope: InScope::new(),
        style: root.inside().style.unwrap_or_default(),
        words: words.iter().map(AsRef::as_ref).collect(),
        at: 0,
        items: Vec::with_capacity(words.len()),
        help: false,
        options_over: false,
        terminator: None,
        positional_seen: false,
    };
    walk.scope.enter(root);
    let outcome = walk.run();
    let path = walk.scope.path().iter().skip(1).copied().collect();
    Scan {
        path,
        help: walk.help,
        unread: words.len().saturating_sub(walk.at),
        terminator: walk.terminator,
        items: outcome.map(|()| walk.items),
    }
}

struct Walk<'c, 'w> {
    scope: InScope<'c>,
    style: Style,
    words: Vec<&'w str>,
    at: usize,
    items: Vec<Item<'c, 'w>>,
    help: bool,
    options_over: bool,
    terminator: Option<usize>,
    positional_seen: bool,
}

impl<'c, 'w> Walk<'c, 'w> {
    fn run(&mut self) -> Result<(), BindError> {
        while let Some(word) = self.next() {
            if self.options_over {
                self.positional(word)?;
            } else if word == "--" && self.style.terminator {
                self.end_options(word)?;
            } else if self.scope.looks_like_option(word, &self.style) {
                self.option(word)?;
                if self.help {
                    return Ok(());
                }
            } else {
                self.plain(word)?;
            }
        }
        self.check_complete()?;
        if self.style.unknown == Unknown::Keep {
            self.keep_surplus();
        }
        Ok(())
    }

    /// Words for which the command has no place are none of its words.
    fn keep_surplus(&mut self) {
        let Some(here) = self.here() else { return };
        let surplus = place(here, &Words::of(&self.items, self.terminator)).surplus;
        let words = self.items.iter_mut().filter(|item| matches!(item, Item::Word(_)));
        for (_, item) in words.enumerate().filter(|(at, _)| surplus.contains(at)) {
            if let Item::Word(word) = *item {
                *item = Item::Unknown(word);
            }
        }
    }

    /// `--`. Where only a subcommand can follow there is nothing to end, and the subcommand would not be found.
    fn end_options(&mut self, word: &'w str) -> Result<(), BindError> {
        let group = self.here().filter(|here| here.inside().handler.is_none());
        if group.is_some_and(|here| here.positionals().next().is_none() && here.inside().has_children()) {
            self.keep(word, self.scope.unknown(word))?;
            self.positional_seen = true;
        } else {
            self.terminator = Some(self.items.len());
        }
        self.options_over = true;
        Ok(())
    }

    fn next(&mut self) -> Option<&'w str> {
        let word = *self.words.get(self.at)?;
        self.at += 1;
        Some(word)
    }

    fn here(&self) -> Option<&'c Command> {
        self.scope.path().last().copied()
    }

    /// A word without a dash: a subcommand if there is one, else a positional.
    fn plain(&mut self, word: &'w str) -> Result<(), BindError> {
        let Some(here) = self.here() else { return Ok(()) };
        if !self.positional_seen
            && let Some(child) = here.find(word)
        {
            self.scope.enter(child);
            self.style = child.inside().style.unwrap_or(self.style);
            if self.style.old_bundle {
                self.old_bundle()?;
            }
            return Ok(());
        }
        self.positional(word)
    }

    fn positional(&mut self, word: &'w str) -> Result<(), BindError> {
        let Some(here) = self.here() else { return Ok(()) };
        self.positional_seen = true;
        if here.inside().has_children() && here.positionals().next().is_none() {
            return self.keep(word, self.not_found(here, word));
        }
        self.options_over |= !self.style.permutation;
        self.items.push(Item::Word(word));
        Ok(())
    }

    /// Keeps a word that nobody describes, or refuses it with `error`.
    fn keep(&mut self, word: &'w str, error: BindError) -> Result<(), BindError> {
        match self.style.unknown {
            Unknown::Keep => {
                self.items.push(Item::Unknown(word));
                Ok(())
            }
            Unknown::Refuse => Err(error),
        }
    }

    fn option(&mut self, word: &'w str) -> Result<(), BindError> {
        match self.scope.read(word, &self.style) {
            Ok(Reading::Help) => self.help = true,
            Ok(Reading::One(named)) => self.take(named)?,
            Ok(Reading::Bundle(several)) => several.into_iter().try_for_each(|named| self.take(named))?,
            Err(error @ BindError::UnknownOption { .. }) => self.keep(word, error)?,
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn old_bundle(&mut self) -> Result<(), BindError> {
        let Some(letters) = self.words.get(self.at).filter(|word| !word.starts_with('-')) else {
            return Ok(());
        };
        self.at += 1;
        match self.scope.old_bundle(letters) {
            Ok(several) => several.into_iter().try_for_each(|named| self.take(named)),
            Err(error) => self.keep(letters, error),
        }
    }

    /// Takes an option with the words that belong to it.
    fn take(&mut self, named: Named<'c, 'w>) -> Result<(), BindError> {
        let Named {
            arg,
            spelt,
            attached,
            negated,
        } = named;
        let values = match (&arg.takes, attached) {
            (Takes::Nothing, Some(given)) => {
                return Err(BindError::ValueUnwanted {
                    name: spelt.to_owned(),
                    given: given.to_owned(),
                });
            }
            (Takes::Nothing, None) | (Takes::Attached, None) => Values::None,
            (Takes::One | Takes::Attached | Takes::Truth, Some(value)) => Values::One(value),
            (Takes::Truth, None) => self.truth(negated),
            (Takes::One, None) => Values::One(self.value(arg, spelt)?),
            (Takes::Exactly(count), attached) => Values::Several(self.several(arg, spelt, attached, *count)?),
            (Takes::Until(ends), attached) => Values::Several(self.until(arg, spelt, attached, ends)?),
        };
        self.items.push(Item::Option {
            arg: ArgRef(arg),
            spelt,
            values,
            negated,
        });
        Ok(())
    }

    fn truth(&mut self, negated: bool) -> Values<'w> {
        let next = self
            .words
            .get(self.at)
            .filter(|word| matches!(**word, "true" | "false") && !negated);
        self.at += usize::from(next.is_some());
        next.map_or(Values::None, |word| Values::One(word))
    }

    fn value(&mut self, arg: &Arg, spelt: &str) -> Result<&'w str, BindError> {
        let missing = |met: Option<&str>| BindError::ValueMissing {
            name: spelt.to_owned(),
            expected: arg.kind.expected(),
            met: met.map(str::to_owned),
        };
        match self.next() {
            Some(word)
                if self.scope.is_known(word, &self.style) || (word == "--" && self.style.terminator) =>
            {
                Err(missing(Some(word)))
            }
            Some(word) => Ok(word),
            None => Err(missing(None)),
        }
    }

    fn several(
        &mut self,
        arg: &Arg,
        spelt: &str,
        attached: Option<&'w str>,
        count: usize,
    ) -> Result<Vec<&'w str>, BindError> {
        let mut values: Vec<&str> = attached.into_iter().collect();
        while values.len() < count {
            values.push(self.value(arg, spelt)?);
        }
        Ok(values)
    }

    fn until(
        &mut self,
        arg: &Arg,
        spelt: &str,
        attached: Option<&'w str>,
        ends: &[String],
    ) -> Result<Vec<&'w str>, BindError> {
        let mut values: Vec<&str> = attached.into_iter().collect();
        while let Some(word) = self.next() {
            values.push(word);
            if ends.iter().any(|end| ends_with(&values, end)) {
                return Ok(values);
            }
        }
        if ends.iter().any(String::is_empty) && !values.is_empty() {
            return Ok(values);
        }
        let (name, expected) = (spelt.to_owned(), arg.kind.expected());
        Err(BindError::ValueMissing {
            name,
            expected,
            met: None,
        })
    }

    fn check_complete(&self) -> Result<(), BindError> {
        let Some(here) = self.here() else { return Ok(()) };
        // A word that was kept stands where the subcommand would.
        let is_kept = self.positional_seen && self.style.unknown == Unknown::Keep;
        if here.inside().handler.is_some() || !here.inside().has_children() || is_kept {
            return Ok(());
        }
        Err(BindError::SubcommandMissing {
            path: self.typed_path(None),
            subcommands: here.listed().map(|child| child.name().to_owned()).collect(),
        })
    }

    fn not_found(&self, here: &'c Command, word: &str) -> BindError {
        let names = here.listed().flat_map(Command::names);
        BindError::CommandNotFound {
            nearest: nearest(word, names).map(|name| self.typed_path(Some(name))),
            path: self.typed_path(Some(word)),
            parent: self.typed_path(None),
        }
    }

    fn typed_path(&self, last: Option<&str>) -> String {
        let names = self.scope.path().iter().skip(1).map(|command| command.name());
        names.chain(last).collect::<Vec<_>>().join(" ")
    }
}

/// Whether the last words are `end`, which may be several: the `{} +` of `find -exec`.
fn ends_with(words: &[&str], end: &str) -> bool {
    let mut ends = end.split(' ').rev();
    let mut words = words.iter().rev();
    !end.is_empty() && ends.all(|part| words.next() == Some(&part))
}
