//! A page while it is read: what is found twice is one thing.

use std::collections::HashMap;

use super::head::repeated_letter;
use super::{Confidence, FoundCommand, FoundOption, FoundValue, Page, Takes};

const MAX_OPTIONS: usize = 5000;
const MAX_COMMANDS: usize = 5000;
/// The most names of one option.
const MOST_SPELLINGS: usize = 64;

/// A page in the making.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) page: Page,
    by_spelling: HashMap<String, usize>,
    by_name: HashMap<String, usize>,
}

impl Gathered {
    pub(crate) fn knows(&self, spelling: &str) -> bool {
        self.by_spelling.contains_key(spelling)
    }

    /// Drops spellings that only repeat a letter which there is: `-vv`s of a `-v`.
    pub(crate) fn drop_repetitions(&mut self) {
        let known = &self.by_spelling;
        let is_repetition = |option: &FoundOption, spelling: &str| {
            let is_among = |letter: &str| option.spellings.len() > 1 || known.contains_key(letter);
            repeated_letter(spelling).is_some_and(is_among)
        };
        for option in &mut self.page.options {
            if option
                .spellings
                .iter()
                .any(|spelling| is_repetition(option, spelling))
            {
                let kept = option
                    .spellings
                    .iter()
                    .filter(|spelling| !is_repetition(option, spelling));
                option.spellings = kept.cloned().collect();
            }
        }
        if self.page.options.iter().any(|option| option.spellings.is_empty()) {
            self.page.options.retain(|option| !option.spellings.is_empty());
            self.index();
        }
    }

    /// Learns anew where every spelling stands.
    fn index(&mut self) {
        self.by_spelling.clear();
        for (at, option) in self.page.options.iter().enumerate() {
            for spelling in &option.spellings {
                self.by_spelling.entry(spelling.clone()).or_insert(at);
            }
        }
    }

    /// Adds an option, or what it says about one that is known.
    pub(crate) fn add(&mut self, mut option: FoundOption) {
        let mut homes: Vec<usize> = option
            .spellings
            .iter()
            .filter_map(|spelling| self.by_spelling.get(spelling).copied())
            .collect();
        let known = homes.len();
        homes.dedup();
        match homes.as_slice() {
            [] => self.push(option),
            // Everything it is called is known as one option.
            [home] if known == option.spellings.len() => self.complete(*home, option),
            [home] => {
                let is_word = |spelling: &String| spelling.starts_with("--");
                let shares_word = option
                    .spellings
                    .iter()
                    .any(|spelling| is_word(spelling) && self.by_spelling.contains_key(spelling));
                if shares_word && !self.is_other_value(*home, &option) {
                    self.complete(*home, option);
                } else if shares_word {
                    option
                        .spellings
                        .retain(|spelling| !self.by_spelling.contains_key(spelling));
                    self.push(option);
                } else {
                    self.push(option);
                }
            }
            // Its spellings belong to several: it shows them together. What is new in it is an option of its own.
            _ => {
                option
                    .spellings
                    .retain(|spelling| !self.by_spelling.contains_key(spelling));
                if !option.spellings.is_empty() {
                    self.push(option);
                }
            }
        }
    }

    /// `-m, --combine mix` beside `-M, --combine merge`: letters for values, not for the option.
    fn is_other_value(&self, home: usize, option: &FoundOption) -> bool {
        let name = |takes: &Takes| match takes {
            Takes::Nothing => None,
            Takes::Perhaps(value) | Takes::Value(value) => Some(value.name.clone()),
        };
        let known = self.page.options.get(home).and_then(|known| name(&known.takes));
        let other = name(&option.takes);
        known.is_some() && other.is_some() && known != other
    }

    fn push(&mut self, option: FoundOption) {
        if self.page.options.len() >= MAX_OPTIONS || option.spellings.is_empty() {
            return;
        }
        let at = self.page.options.len();
        for spelling in &option.spellings {
            self.by_spelling.entry(spelling.clone()).or_insert(at);
        }
        self.page.options.push(option);
    }

    fn complete(&mut self, home: usize, other: FoundOption) {
        let Some(known) = self.page.options.get_mut(home) else {
            return;
        };
        for spelling in other.spellings {
            if known.spellings.len() < MOST_SPELLINGS && !known.spellings.contains(&spelling) {
                self.by_spelling.entry(spelling.clone()).or_insert(home);
                known.spellings.push(spelling);
            }
        }
        let is_definition = other.seen.confidence > Confidence::Mentioned;
        known.takes = match (std::mem::take(&mut known.takes), other.takes) {
            // `--x` and `--x=VALUE` are both defined.
            (Takes::Nothing, Takes::Value(value) | Takes::Perhaps(value)) if is_definition => {
                Takes::Perhaps(value)
            }
            (Takes::Value(value), Takes::Nothing) if is_definition => Takes::Perhaps(value),
            (Takes::Value(value), Takes::Value(other)) => Takes::Value(richer(value, other)),
            (takes, _) => takes,
        };
        if known.description.is_empty() {
            known.description = other.description;
        }
        known.default = known.default.take().or(other.default);
        known.variable = known.variable.take().or(other.variable);
        known.repeats |= other.repeats;
    }

    pub(crate) fn add_command(&mut self, command: FoundCommand) {
        if let Some(known) = self
            .by_name
            .get(&command.name)
            .and_then(|at| self.page.commands.get_mut(*at))
        {
            if known.description.is_empty() {
                known.description = command.description;
            }
            for alias in command.aliases {
                if !known.aliases.contains(&alias) && alias != known.name {
                    known.aliases.push(alias);
                }
            }
            return;
        }
        if self.page.commands.len() < MAX_COMMANDS {
            self.by_name
                .insert(command.name.clone(), self.page.commands.len());
            self.page.commands.push(command);
        }
    }
}

fn richer(one: FoundValue, other: FoundValue) -> FoundValue {
    if one.values.is_empty() && !other.values.is_empty() {
        FoundValue {
            name: one.name,
            ..other
        }
    } else {
        one
    }
}
