//! Pages that a completion script fills, one for each command.
//!
//! Keeps the bounds: so many commands, so many options, so long a text.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::help::page::{Confidence, FoundCommand, FoundOption, FoundPositional, Origin, Page, Seen, Takes};

/// How many commands a script may describe.
const PAGES: usize = 5_000;
/// How many words may lead to a command.
const DEEPEST: usize = 8;
/// How many items one page may have.
const ITEMS: usize = 5_000;
/// How many words without a flag one page may have.
const POSITIONALS: usize = 100;
/// How long a text about one item may be.
const LONGEST: usize = 600;

/// A command of the tool, by the words to it.
pub(super) type Path = Vec<String>;

/// An option that a script names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Named {
    /// Its spellings, dashes included.
    pub(super) spellings: Vec<String>,
    /// Whether it takes a value.
    pub(super) takes: Takes,
    /// Whether it may come twice.
    pub(super) repeats: bool,
    /// What it is for.
    pub(super) description: String,
    /// Where it stands.
    pub(super) line: usize,
}

/// A page, and where its items are in it.
#[derive(Debug, Default)]
struct Entry {
    page: Page,
    options: HashMap<String, usize>,
    commands: HashMap<String, usize>,
}

/// The pages so far.
#[derive(Debug, Default)]
pub(super) struct Pages {
    entries: IndexMap<Path, Entry>,
}

impl Pages {
    /// Adds an option, unless one with such a spelling is there: then what it tells is added to that.
    pub(super) fn option(&mut self, path: &[String], named: Named, confidence: Confidence) {
        let Some(entry) = self.entry(path) else {
            return;
        };
        let spellings: Vec<String> = named
            .spellings
            .into_iter()
            .filter(|spelling| is_spelling(spelling))
            .collect();
        let description = cut(&named.description);
        let there = spellings.iter().find_map(|spelling| entry.options.get(spelling));
        if let Some(there) = there.and_then(|index| entry.page.options.get_mut(*index)) {
            if there.description.is_empty() {
                there.description = description;
            }
            if there.takes == Takes::Nothing {
                there.takes = named.takes;
            }
            return;
        }
        let index = entry.page.options.len();
        if spellings.is_empty() || index >= ITEMS {
            return;
        }
        entry
            .options
            .extend(spellings.iter().map(|spelling| (spelling.clone(), index)));
        let seen = Seen {
            origin: Origin::Completion,
            line: named.line,
            confidence,
        };
        entry.page.options.push(FoundOption {
            spellings,
            takes: named.takes,
            repeats: named.repeats,
            required: false,
            default: None,
            variable: None,
            description,
            deprecated: false,
            global: false,
            seen,
        });
    }

    /// Adds a command.
    pub(super) fn command(
        &mut self,
        path: &[String],
        name: &str,
        description: &str,
        line: usize,
        confidence: Confidence,
    ) {
        let Some(entry) = self.entry(path).filter(|_| is_name(name)) else {
            return;
        };
        let index = entry.page.commands.len();
        let there = entry.commands.get(name);
        if let Some(there) = there.and_then(|index| entry.page.commands.get_mut(*index)) {
            if there.description.is_empty() {
                there.description = cut(description);
            }
            return;
        }
        if index >= ITEMS {
            return;
        }
        entry.commands.insert(name.to_owned(), index);
        let seen = Seen {
            origin: Origin::Completion,
            line,
            confidence,
        };
        entry.page.commands.push(FoundCommand {
            name: name.to_owned(),
            aliases: Vec::new(),
            group: None,
            description: cut(description),
            deprecated: false,
            seen,
        });
    }

    /// Adds a word without a flag.
    pub(super) fn positional(&mut self, path: &[String], positional: FoundPositional) {
        let entry = self.entry(path);
        if let Some(entry) = entry.filter(|entry| entry.page.positionals.len() < POSITIONALS) {
            entry.page.positionals.push(positional);
        }
    }

    /// Returns whether a command has that name below `path`.
    pub(super) fn has_command(&self, path: &[String], name: &str) -> bool {
        self.entries
            .get(path)
            .is_some_and(|entry| entry.commands.contains_key(name))
    }

    /// Returns the pages that say something.
    pub(super) fn finish(self) -> Vec<(Path, Page)> {
        let mut pages: Vec<(Path, Page)> = self
            .entries
            .into_iter()
            .map(|(path, entry)| (path, entry.page))
            .collect();
        // A script without any option or command knows nothing of its own: it asks the program.
        let knows = pages
            .iter()
            .any(|(_, page)| !page.options.is_empty() || !page.commands.is_empty());
        pages.retain(|(_, page)| knows && *page != Page::default());
        pages
    }

    fn entry(&mut self, path: &[String]) -> Option<&mut Entry> {
        if !self.entries.contains_key(path) {
            // `help x` is about `x`.
            let helps = path.iter().rev().skip(1).any(|word| word == "help");
            let sane = path.len() <= DEEPEST && path.iter().all(|word| is_name(word)) && !helps;
            if self.entries.len() >= PAGES || !sane {
                return None;
            }
            self.entries.insert(path.to_vec(), Entry::default());
        }
        self.entries.get_mut(path)
    }
}

/// Returns whether `word` can be the spelling of an option: nothing in it is left for a shell.
pub(super) fn is_spelling(word: &str) -> bool {
    let Some(bare) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else {
        return false;
    };
    let mut chars = bare.chars();
    let starts = chars
        .next()
        .is_some_and(|c| c.is_alphanumeric() || matches!(c, '?' | '#' | '@' | '%'));
    // `-500` stands for any number.
    let is_number = !word.starts_with("--") && bare.len() > 1 && bare.bytes().all(|b| b.is_ascii_digit());
    starts
        && !is_number
        && word.len() < 80
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '+' | '?'))
}

/// Returns whether `word` can be the name of a command.
pub(super) fn is_name(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    starts
        && word.len() < 80
        && word
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '+' | '@'))
}

/// Returns a text as one line that is not too long.
pub(super) fn cut(text: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if line.len().saturating_add(word.len()) >= LONGEST {
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
