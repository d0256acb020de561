//! Completions for bash: lists of words, and what is offered behind an option.
//!
//! Only functions that are the tool's own are read; a script may serve others, too. Hand-written ones, and those that clap, cobra and systemd's authors make. A list says that an option exists; only a
//! `case` on the previous word says that it takes a value.

use std::collections::HashMap;

use super::pages::{Named, Pages, Path, is_name, is_spelling};
use super::values::{enumeration, is_worked_out, value};
use super::walk::{Case, Scope, Visitor, Word, walk};
use super::words::{Quoting, Token, tokens};
use crate::help::page::{Confidence, FoundValue, Takes};

/// Reads a script about the tool of that name.
pub(super) fn read(script: &str, name: &str, pages: &mut Pages) {
    let tokens = tokens(script, Quoting::Posix);
    let mut reader = Bash {
        name,
        functions: bound(&tokens, name),
        pages,
        paths: HashMap::new(),
        current: Path::new(),
        is_cobra: false,
        reads: Reads::Commands,
    };
    // Names of commands may come after the functions about them, so they are read first.
    walk(&tokens, &mut reader);
    reader.reads = Reads::All;
    reader.current = Path::new();
    walk(&tokens, &mut reader);
}

/// The functions that `complete -F` binds to the tool.
fn bound(tokens: &[Token], name: &str) -> Vec<String> {
    let mut functions = Vec::new();
    for statement in tokens.split(|token| !matches!(token, Token::Word(..))) {
        let words: Vec<String> = statement.iter().filter_map(Token::word).take(100).collect();
        let binds =
            words.first().is_some_and(|word| word == "complete") && words.iter().any(|word| word == name);
        if let Some(function) = words
            .iter()
            .skip_while(|word| *word != "-F")
            .nth(1)
            .filter(|_| binds)
        {
            functions.push(function.clone());
        }
    }
    functions.truncate(20);
    functions
}

/// What is read on a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    Commands,
    All,
}

/// What a function speaks about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Speaks {
    /// The tool itself, or the command that the arms around tell.
    Tool,
    /// A command of it: `_tool_sub`.
    Command(String),
    /// Something else.
    Not,
}

struct Bash<'n, 'p> {
    name: &'n str,
    functions: Vec<String>,
    pages: &'p mut Pages,
    /// What clap's scripts call each command: `tool__sub`.
    paths: HashMap<String, Path>,
    /// The command that cobra's function is about.
    current: Path,
    is_cobra: bool,
    reads: Reads,
}

impl Visitor for Bash<'_, '_> {
    fn command(&mut self, words: &[Word<'_>], scope: &Scope) {
        let Some(first) = words.first() else {
            return;
        };
        let Some(list) = words.iter().skip_while(|word| word.text != "-W").nth(1) else {
            return;
        };
        let binds = first.text == "complete" && words.iter().any(|word| word.text == self.name);
        if binds || first.text == "compgen" && self.speaks(scope) != Speaks::Not {
            self.list(&list.text, list.line, Lists::Options, scope);
        }
    }

    fn assign(&mut self, name: &str, values: &[Word<'_>], scope: &Scope) {
        let Some(first) = values.first() else {
            return;
        };
        match name {
            "cmd" => return self.transition(&first.text, scope),
            "last_command" => {
                self.current = cobra_path(&first.text, self.name);
                self.is_cobra = true;
                return;
            }
            "flags" | "two_word_flags" if self.is_cobra => {
                let path = self.current.clone();
                for word in values {
                    let takes = if name == "flags" {
                        Taken::AsSpelt
                    } else {
                        Taken::Value
                    };
                    self.option(&path, &word.text, word.line, takes);
                }
                return;
            }
            _ => {}
        }
        let cobra = name == "commands" && !scope.function.is_empty() && self.is_cobra;
        if !cobra && self.speaks(scope) == Speaks::Not {
            return;
        }
        let lower = name.to_ascii_lowercase();
        let commands = ["command", "cmds", "verb", "action"]
            .iter()
            .any(|part| lower.contains(part));
        let lists = match (commands, lower.as_str()) {
            (true, _) => Lists::Commands,
            (false, "opts") if self.clap_path(scope).is_some() => Lists::Commands,
            (false, _) => Lists::Options,
        };
        for word in values {
            self.keyed_list(word, lists, scope);
        }
    }

    fn arm(&mut self, case: &Case, scope: &Scope) {
        if self.speaks(scope) == Speaks::Not || !is_previous(&case.subject) || self.reads == Reads::Commands {
            return;
        }
        let offers = ["compgen", "_filedir", "COMPREPLY", "_comp_", "__"]
            .iter()
            .any(|word| case.body.contains(word))
            || case
                .body
                .split_whitespace()
                .next()
                .is_some_and(|word| word.starts_with('_'));
        if !offers {
            return;
        }
        let found = offered(&case.body);
        for path in self.where_at(scope) {
            for spelling in case.patterns.iter().filter(|pattern| is_spelling(pattern)) {
                let named = Named {
                    spellings: vec![spelling.clone()],
                    takes: Takes::Value(found.clone()),
                    line: case.line,
                    ..Named::default()
                };
                self.pages.option(&path, named, Confidence::Mentioned);
            }
        }
    }
}

/// What the words without a dash are in a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lists {
    Commands,
    Options,
}

/// What is known about the value of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// What its spelling tells: `--out=`.
    AsSpelt,
    Value,
}

impl Bash<'_, '_> {
    fn speaks(&self, scope: &Scope) -> Speaks {
        let function = scope.function.as_str();
        let bare = function.trim_start_matches('_');
        if self.functions.iter().any(|bound| bound == function) || bare == self.name {
            return Speaks::Tool;
        }
        let inner = bare
            .strip_prefix(self.name)
            .map(|inner| inner.trim_start_matches(['_', '-']));
        let known = |name: &str| self.pages.has_command(&[], name);
        match inner {
            Some(inner) if known(inner) => Speaks::Command(inner.to_owned()),
            Some(inner) if known(&inner.replace('_', "-")) => Speaks::Command(inner.replace('_', "-")),
            Some(_) | None => Speaks::Not,
        }
    }

    /// A list, perhaps with a key before it: `[ARG]='--type --state'`.
    fn keyed_list(&mut self, word: &Word<'_>, lists: Lists, scope: &Scope) {
        let keyed = word.text.strip_prefix('[').and_then(|text| text.split_once("]="));
        match keyed {
            Some((key, list)) if key.to_ascii_uppercase().starts_with("ARG") => {
                for path in self.where_at(scope) {
                    for option in list.split_whitespace() {
                        self.option(&path, option, word.line, Taken::Value);
                    }
                }
            }
            Some((_, list)) => self.list(list, word.line, lists, scope),
            None => self.list(&word.text, word.line, lists, scope),
        }
    }

    fn list(&mut self, list: &str, line: usize, lists: Lists, scope: &Scope) {
        // Behind an option the words are its values.
        if scope
            .cases
            .iter()
            .any(|case| is_previous(&case.subject) && case.patterns.iter().any(|word| is_spelling(word)))
        {
            return;
        }
        for path in self.where_at(scope) {
            for word in list.split_whitespace().filter(|word| !is_worked_out(word)) {
                if word.starts_with('-') {
                    self.option(&path, word, line, Taken::AsSpelt);
                } else if lists == Lists::Commands && is_name(word) {
                    self.pages.command(&path, word, "", line, Confidence::Likely);
                }
            }
        }
    }

    fn option(&mut self, path: &[String], word: &str, line: usize, taken: Taken) {
        if self.reads == Reads::Commands {
            return;
        }
        let bare = word.strip_suffix('=').unwrap_or(word);
        let takes = if taken == Taken::Value || bare != word {
            Takes::Value(FoundValue::default())
        } else {
            Takes::Nothing
        };
        let named = Named {
            spellings: vec![bare.to_owned()],
            takes,
            line,
            ..Named::default()
        };
        // A list of words does not say whether there is a value, so whoever says so is surer.
        self.pages.option(path, named, Confidence::Mentioned);
    }

    /// `tool,sub)  cmd="tool__sub"`: how clap's scripts go from a command to the one below.
    fn transition(&mut self, to: &str, scope: &Scope) {
        let Some(case) = scope.cases.last() else {
            return;
        };
        for pattern in &case.patterns {
            let path = match pattern.split_once(',') {
                Some(("", _)) => Some(Path::new()),
                Some((from, word)) => self.paths.get(from).map(|path| {
                    let mut path = path.clone();
                    path.push(word.to_owned());
                    path
                }),
                None => None,
            };
            if let Some(path) = path
                && !self.paths.contains_key(to)
                && self.paths.len() < 5_000
            {
                self.paths.insert(to.to_owned(), path);
            }
        }
    }

    fn clap_path(&self, scope: &Scope) -> Option<Path> {
        let cases = scope
            .cases
            .iter()
            .filter(|case| matches!(case.subject.as_str(), "${cmd}" | "$cmd"));
        let mut patterns = cases.flat_map(|case| &case.patterns);
        patterns.find_map(|pattern| self.paths.get(pattern)).cloned()
    }

    /// The commands that the place in the script is about.
    fn where_at(&self, scope: &Scope) -> Vec<Path> {
        if let Some(path) = self.clap_path(scope) {
            return vec![path];
        }
        let mut paths = match self.speaks(scope) {
            Speaks::Command(name) => vec![vec![name]],
            Speaks::Tool | Speaks::Not => vec![self.current.clone()],
        };
        for case in &scope.cases {
            let names: Vec<&String> = case.patterns.iter().filter(|pattern| is_name(pattern)).collect();
            if is_command(&case.subject) && !names.is_empty() {
                let deeper = paths.iter().flat_map(|path| {
                    names.iter().map(|name| {
                        let mut path = path.clone();
                        path.push((*name).clone());
                        path
                    })
                });
                paths = deeper.take(100).collect();
            }
        }
        paths
    }
}

/// Whether a `case` looks at the word before.
fn is_previous(subject: &str) -> bool {
    subject.trim_matches(['$', '{', '}']).eq_ignore_ascii_case("prev")
}

/// Whether a `case` looks at the command.
fn is_command(subject: &str) -> bool {
    let subject = subject.trim_matches(['$', '{', '}']).to_ascii_lowercase();
    let names = [
        "cmd",
        "command",
        "subcmd",
        "subcommand",
        "verb",
        "action",
        "words[1]",
        "comp_words[1]",
    ];
    names.contains(&subject.as_str())
}

/// `tool_sub_name` as cobra writes the path of a command.
fn cobra_path(last: &str, name: &str) -> Path {
    let rest = last.strip_prefix(name).unwrap_or_default();
    rest.split('_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// What an arm offers behind an option.
fn offered(body: &str) -> FoundValue {
    if let Some((_, list)) = body.split_once("compgen -W ") {
        let list = list.split(" -- ").next().unwrap_or(list);
        return enumeration(list.split_whitespace().map(str::to_owned), list);
    }
    let mut found = value(body);
    if !found.values.is_empty() {
        found = FoundValue::default();
    }
    found
}
