//! Completions for fish: `complete -c tool -s x -l long -d 'text' -n 'condition'`.
//!
//! A condition says which command an option belongs to. Words that fish would have to work out are left alone.

use super::condition::{Asked, condition};
use super::pages::{Named, Pages};
use super::values::{listed, value};
use super::words::{Quoting, Token, tokens};
use crate::atip::Kind;
use crate::help::page::{Confidence, FoundValue, Takes};

/// Reads a script about the tool of that name.
pub(super) fn read(script: &str, name: &str, pages: &mut Pages) {
    let tokens = tokens(script, Quoting::Fish);
    let statements = tokens.split(|token| matches!(token, Token::Newline) || token.is(';'));
    for statement in statements {
        if let Some(Token::Word(_, line)) = statement.first()
            && statement.first().and_then(Token::word).as_deref() == Some("complete")
        {
            let words: Vec<String> = statement.iter().skip(1).map(text).collect();
            let complete = Complete::read(&words, *line);
            if complete.is_about(name) {
                complete.add(pages);
            }
        }
    }
}

/// A word, or a sign that no spelling survives: fish works something out there.
fn text(token: &Token) -> String {
    token.word().unwrap_or_else(|| "$(".to_owned())
}

/// One `complete` statement.
#[derive(Debug, Default)]
struct Complete {
    commands: Vec<String>,
    spellings: Vec<String>,
    arguments: Option<String>,
    description: String,
    conditions: Vec<String>,
    /// `-r`, `-x`.
    requires: bool,
    /// `-F`.
    files: bool,
    /// `-e`, `-w`: no completion of its own.
    other: bool,
    line: usize,
}

impl Complete {
    fn read(words: &[String], line: usize) -> Self {
        let mut complete = Self {
            line,
            ..Self::default()
        };
        let mut rest = words.iter().map(String::as_str);
        while let Some(word) = rest.next() {
            if let Some(long) = word.strip_prefix("--") {
                let (long, attached) = match long.split_once('=') {
                    Some((long, attached)) => (long, Some(attached)),
                    None => (long, None),
                };
                if let Some(short) = short_of(long) {
                    complete.set(short, attached, &mut rest);
                }
            } else if let Some(bundle) = word.strip_prefix('-').filter(|bundle| !bundle.is_empty()) {
                let mut letters = bundle.chars();
                while let Some(letter) = letters.next() {
                    if wants_value(letter) {
                        let attached = letters.as_str();
                        complete.set(letter, Some(attached).filter(|text| !text.is_empty()), &mut rest);
                        break;
                    }
                    complete.set(letter, None, &mut rest);
                }
            } else if complete.commands.is_empty() {
                complete.commands.push(word.to_owned());
            }
        }
        complete
    }

    fn set<'w>(&mut self, letter: char, attached: Option<&'w str>, rest: &mut impl Iterator<Item = &'w str>) {
        let mut value = || attached.or_else(|| rest.next()).unwrap_or_default().to_owned();
        match letter {
            'c' => self.commands.push(value()),
            's' | 'o' => self.spellings.push(format!("-{}", value())),
            'l' => self.spellings.push(format!("--{}", value())),
            'a' => self.arguments = Some(value()),
            'd' => self.description = value(),
            'n' => self.conditions.push(value()),
            'r' => self.requires = true,
            'x' => self.requires = true,
            'F' => self.files = true,
            'e' => self.other = true,
            'p' | 'w' => {
                value();
                self.other = true;
            }
            _ => {}
        }
    }

    fn is_about(&self, name: &str) -> bool {
        let named = |command: &String| command == name || command.starts_with('$');
        !self.other && self.commands.iter().any(named)
    }

    fn add(self, pages: &mut Pages) {
        let condition = condition(&self.conditions.join("; and "));
        if self.spellings.is_empty() {
            let asked = condition.asked == Asked::ForCommand;
            let words = self
                .arguments
                .as_deref()
                .filter(|_| asked)
                .map(listed)
                .unwrap_or_default();
            for (word, text) in words {
                let text = if text.is_empty() {
                    self.description.as_str()
                } else {
                    text.as_str()
                };
                for path in &condition.paths {
                    pages.command(path, &word, text, self.line, Confidence::Certain);
                }
            }
            return;
        }
        let confidence = match condition.asked {
            Asked::Nothing | Asked::ForCommand => Confidence::Certain,
            Asked::Other => Confidence::Likely,
        };
        let named = Named {
            takes: self.takes(),
            spellings: self.spellings,
            repeats: false,
            description: self.description,
            line: self.line,
        };
        for path in &condition.paths {
            pages.option(path, named.clone(), confidence);
        }
    }

    fn takes(&self) -> Takes {
        let arguments = self.arguments.as_deref().unwrap_or_default();
        let mut found = if self.files {
            FoundValue {
                kind: Kind::File,
                ..FoundValue::default()
            }
        } else {
            value(arguments)
        };
        found.name.clear();
        match (self.requires, self.arguments.is_some()) {
            (true, _) => Takes::Value(found),
            (false, true) => Takes::Perhaps(found),
            (false, false) => Takes::Nothing,
        }
    }
}

fn wants_value(letter: char) -> bool {
    matches!(letter, 'c' | 'p' | 's' | 'l' | 'o' | 'a' | 'd' | 'n' | 'w' | 'C')
}

fn short_of(long: &str) -> Option<char> {
    Some(match long {
        "command" => 'c',
        "path" => 'p',
        "short-option" => 's',
        "long-option" => 'l',
        "old-option" => 'o',
        "arguments" => 'a',
        "description" => 'd',
        "condition" => 'n',
        "wraps" => 'w',
        "require-parameter" => 'r',
        "exclusive" => 'x',
        "force-files" => 'F',
        "erase" => 'e',
        _ => return None,
    })
}
