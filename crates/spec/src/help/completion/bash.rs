//! Completions for bash: lists of words, and what is offered behind an option.
//!
//! Hand-written ones, and those that clap, cobra and systemd's authors make. A list says that an option exists; only a
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
    let Some(functions) = Functions::of(&tokens, name) else {
        return;
    };
    let mut reader = Bash {
        name,
        functions,
        pages,
        paths: HashMap::new(),
        current: Path::new(),
    };
    walk(&tokens, &mut reader);
}

/// Which functions speak about the tool.
enum Functions {
    All,
    Only(Vec<String>),
}

impl Functions {
    /// Looks at the `complete` commands of a script; `None` where it is about other tools only.
    fn of(tokens: &[Token], name: &str) -> Option<Self> {
        let mut bound: Vec<(String, bool)> = Vec::new();
        for statement in tokens.split(|token| !matches!(token, Token::Word(..))) {
            let words: Vec<String> = statement.iter().filter_map(Token::word).take(100).collect();
            if words.first().map(String::as_str) != Some("complete") {
                continue;
            }
            let mut after = words.iter().skip_while(|word| *word != "-F").skip(1);
            if let Some(function) = after.next() {
                let ours = words.iter().any(|word| word == name);
                bound.push((function.clone(), ours));
            }
        }
        let mine: Vec<String> = bound
            .iter()
            .filter(|(_, ours)| *ours)
            .map(|(function, _)| function.clone())
            .collect();
        let distinct = bound
            .iter()
            .any(|(function, _)| bound.first().is_some_and(|(first, _)| first != function));
        match (distinct, mine.is_empty()) {
            (false, _) => Some(Self::All),
            (true, false) => Some(Self::Only(mine)),
            (true, true) => None,
        }
    }

    fn speak(&self, function: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(functions) => functions.iter().any(|one| one == function),
        }
    }
}

struct Bash<'n, 'p> {
    name: &'n str,
    functions: Functions,
    pages: &'p mut Pages,
    /// What clap's scripts call each command: `tool__sub`.
    paths: HashMap<String, Path>,
    /// The command that cobra's function is about.
    current: Path,
}

impl Visitor for Bash<'_, '_> {
    fn command(&mut self, words: &[Word<'_>], scope: &Scope) {
        if !self.functions.speak(&scope.function) {
            return;
        }
        if words.first().is_some_and(|word| word.text == "compgen") {
            let mut after = words.iter().skip_while(|word| word.text != "-W").skip(1);
            if let Some(list) = after.next() {
                self.list(&list.text, list.line, Lists::Options, scope);
            }
        }
    }

    fn assign(&mut self, name: &str, values: &[Word<'_>], scope: &Scope) {
        if !self.functions.speak(&scope.function) {
            return;
        }
        let Some(first) = values.first() else {
            return;
        };
        match name {
            "cmd" => return self.transition(&first.text, scope),
            "last_command" => {
                self.current = cobra_path(&first.text, self.name);
                return;
            }
            "flags" | "two_word_flags" => {
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
        if !self.functions.speak(&scope.function) || !is_previous(&case.subject) {
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
        let mut paths = vec![self.current.clone()];
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
