//! Completions for zsh: specs of `_arguments`, and arrays of `name:text` for `_describe`.
//!
//! A word counts as a spec only where its form leaves no doubt. Which command it belongs to follows from the arms of
//! `case $line[1]` around it, as clap writes it, or from the name of the function.

use super::pages::{Named, Pages, Path, is_name};
use super::spec::{Positional, Spec, spec};
use super::walk::{Case, Scope, Visitor, Word, walk};
use super::words::{Quoting, tokens};
use crate::help::page::{Confidence, FoundPositional, Origin, Seen};

/// Reads a script about the tool of that name.
pub(super) fn read(script: &str, name: &str, pages: &mut Pages) {
    let about = script.lines().find_map(|line| line.strip_prefix("#compdef "));
    if about.is_some_and(|names| !names.split_whitespace().any(|word| is_about(word, name))) {
        return;
    }
    let tokens = tokens(script, Quoting::Posix);
    // Names of commands may come after the functions about them, so they are read first.
    let mut reader = Zsh {
        name,
        pages,
        reads: Reads::Commands,
    };
    walk(&tokens, &mut reader);
    reader.reads = Reads::Options;
    walk(&tokens, &mut reader);
}

/// `tool`, `tool=other`.
fn is_about(word: &str, name: &str) -> bool {
    word.split('=').next().is_some_and(|word| word == name)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    Commands,
    Options,
}

struct Zsh<'n, 'p> {
    name: &'n str,
    pages: &'p mut Pages,
    reads: Reads,
}

impl Visitor for Zsh<'_, '_> {
    fn command(&mut self, words: &[Word<'_>], scope: &Scope) {
        let arguments = words.iter().take(3).any(|word| word.text == "_arguments");
        if self.reads == Reads::Options && arguments {
            self.specs(words, Sure::Yes, scope);
        }
    }

    fn assign(&mut self, name: &str, values: &[Word<'_>], scope: &Scope) {
        let lower = name.to_ascii_lowercase();
        let commands = ["command", "cmds", "verb"]
            .iter()
            .any(|part| lower.contains(part));
        match (self.reads, commands) {
            (Reads::Commands, true) => self.commands(values, scope),
            (Reads::Options, false) => self.specs(values, Sure::WithText, scope),
            (Reads::Commands, false) | (Reads::Options, true) => {}
        }
    }

    fn arm(&mut self, _case: &Case, _scope: &Scope) {}
}

/// Whether words are specs because of where they stand, or only if they hold a text in brackets, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sure {
    Yes,
    WithText,
}

impl Zsh<'_, '_> {
    fn commands(&mut self, values: &[Word<'_>], scope: &Scope) {
        let Some(path) = self.described(scope) else {
            return;
        };
        for word in values {
            if let Some((name, text)) = word.text.split_once(':')
                && is_name(name)
            {
                self.pages
                    .command(&path, name, text, word.line, Confidence::Certain);
            }
        }
    }

    /// The command whose commands an array lists: `_tool__sub_commands`, `_tool_commands`, or the place itself.
    fn described(&self, scope: &Scope) -> Option<Path> {
        let inner = scope.function.trim_start_matches('_').strip_prefix(self.name)?;
        let inner = inner.strip_suffix("_commands").unwrap_or_default();
        // clap puts the names between, and what belongs together cannot be told where names hold the same sign.
        let inner = inner.replace("__subcmd", "");
        let deeper: Path = inner
            .split("__")
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        Some(if deeper.is_empty() { arms(scope) } else { deeper })
    }

    fn specs(&mut self, words: &[Word<'_>], sure: Sure, scope: &Scope) {
        let Some(path) = self.path(scope) else {
            return;
        };
        let mut last: Option<Named> = None;
        for word in words {
            let Some(found) = spec(word.pieces) else {
                continue;
            };
            let named = match (found, sure) {
                (Spec::Option(named), Sure::WithText) if named.description.is_empty() => continue,
                (Spec::Option(named), Sure::Yes | Sure::WithText) => Named {
                    line: word.line,
                    ..named
                },
                (Spec::Positional(positional), Sure::Yes) => {
                    self.pages.positional(&path, seen_at(positional, word.line));
                    continue;
                }
                (Spec::Positional(_), Sure::WithText) => continue,
            };
            match &mut last {
                Some(before) if is_same(before, &named) => before.spellings.extend(named.spellings),
                Some(before) => {
                    let before = std::mem::replace(before, named);
                    self.pages.option(&path, before, Confidence::Certain);
                }
                None => last = Some(named),
            }
        }
        if let Some(named) = last {
            self.pages.option(&path, named, Confidence::Certain);
        }
    }

    /// The command that specs are about. `None` where the function serves something else.
    fn path(&self, scope: &Scope) -> Option<Path> {
        let path = arms(scope);
        let inner = scope.function.trim_start_matches('_').strip_prefix(self.name);
        match inner {
            Some("") | None => Some(path),
            Some(inner) => {
                let word = inner.trim_start_matches(['_', '-']);
                let known = |word: &str| self.pages.has_command(&[], word);
                let dashed = word.replace('_', "-");
                if known(word) {
                    Some(vec![word.to_owned()])
                } else if known(&dashed) {
                    Some(vec![dashed])
                } else {
                    None
                }
            }
        }
    }
}

fn seen_at(positional: Positional, line: usize) -> FoundPositional {
    FoundPositional {
        value: positional.value,
        required: positional.required,
        variadic: positional.variadic,
        description: positional.description,
        seen: Seen {
            origin: Origin::Completion,
            line,
            confidence: Confidence::Mentioned,
        },
    }
}

/// The commands that the arms of `case $line[1]` and the like name.
fn arms(scope: &Scope) -> Path {
    let cases = scope.cases.iter().filter(|case| {
        let subject = case.subject.trim_matches(['$', '{', '}', '(', ')']);
        subject.starts_with("line[")
            || subject.starts_with("words[1]")
            || matches!(subject, "cmd" | "command" | "subcmd")
    });
    cases
        .filter_map(|case| case.patterns.first())
        .filter(|word| is_name(word))
        .cloned()
        .collect()
}

/// Whether two specs are one option: clap writes each spelling by itself, with the same text.
fn is_same(before: &Named, named: &Named) -> bool {
    let is_long = |named: &Named| named.spellings.iter().all(|spelling| spelling.starts_with("--"));
    !before.description.is_empty()
        && before.description == named.description
        && before.takes == named.takes
        && is_long(before) != is_long(named)
}
