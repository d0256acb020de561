//! Everything that was read about a tool, by command, with where it stood.

use std::collections::{BTreeMap, BTreeSet};

use argrail_spec::help::{Origin, Page, merge_pages};

use super::answer::is_empty;
use super::question::Learned;
use super::walk::Path;

/// Where something was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What kind of text it was.
    pub kind: Origin,
    /// What was asked, or the file: `git --help`, `/usr/share/man/man1/git.1.gz`.
    pub from: String,
    /// How many pages came of it.
    pub pages: usize,
}

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    pages: BTreeMap<Path, Vec<Page>>,
    pub(super) sources: Vec<Source>,
    pub(super) problems: Vec<String>,
    pub(super) interrupted: bool,
    /// Whether the tool itself did not end in time.
    pub(super) hung: bool,
    /// Commands whose page of the manual is among the pages.
    manuals: BTreeSet<Path>,
    /// Commands that the program does not know.
    denied: BTreeSet<Path>,
    name: String,
}

impl Gathered {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Keeps what a command said about itself.
    pub(super) fn heard(&mut self, path: &[String], learned: &Learned) {
        for words in &learned.asked {
            let from = format!("{} {}", self.name, pattern(words, path));
            self.note(Origin::Help, &from);
        }
        self.add(path, learned.page.clone());
    }

    /// Whether the manual's page about a command was read.
    pub(super) fn has_manual(&self, path: &[String]) -> bool {
        self.manuals.contains(path)
    }

    /// Keeps what a file says about a command.
    pub(super) fn read(&mut self, kind: Origin, from: &str, path: &[String], page: Page) {
        self.note(kind, from);
        if kind == Origin::Man {
            self.manuals.insert(path.to_vec());
        }
        self.add(path, page);
    }

    fn add(&mut self, path: &[String], page: Page) {
        if self.denied.iter().any(|denied| path.starts_with(denied)) {
            return;
        }
        self.pages.entry(path.to_vec()).or_default().push(page);
    }

    fn note(&mut self, kind: Origin, from: &str) {
        match self
            .sources
            .iter_mut()
            .find(|known| known.kind == kind && known.from == from)
        {
            Some(known) => known.pages += 1,
            None => self.sources.push(Source {
                kind,
                from: from.to_owned(),
                pages: 1,
            }),
        }
    }

    /// Takes back a command that the program itself does not know. It lists only what it has, so that its help was not
    /// understood, or an older text spoke of it.
    pub(super) fn deny(&mut self, path: &[String]) {
        let Some((name, above)) = path.split_last() else {
            return;
        };
        for page in self.pages.get_mut(above).into_iter().flatten() {
            page.commands.retain(|command| command.name != *name);
        }
        self.pages.retain(|known, _| !known.starts_with(path));
        self.denied.insert(path.to_vec());
    }

    /// Notes the version of the tool.
    pub(super) fn version(&mut self, version: Option<String>) {
        if let (Some(version), Some(page)) = (
            version,
            self.pages
                .get_mut([].as_slice())
                .and_then(|pages| pages.first_mut()),
        ) {
            page.version = Some(version);
        }
    }

    /// Returns every command that is known, whether or not anything is known about it.
    pub(super) fn paths(&self) -> BTreeSet<Path> {
        let mut paths = BTreeSet::new();
        for (path, pages) in &self.pages {
            let names = pages.iter().flat_map(|page| &page.commands);
            paths
                .extend(names.map(|command| [path.as_slice(), std::slice::from_ref(&command.name)].concat()));
            paths.insert(path.clone());
        }
        paths
    }

    /// Whether nothing is known at all.
    pub(super) fn is_empty(&self) -> bool {
        self.pages.values().flatten().all(is_empty)
    }

    /// Returns what is known of one command.
    pub(super) fn page(&self, path: &[String]) -> Page {
        self.pages.get(path).cloned().map(merge_pages).unwrap_or_default()
    }

    /// Returns everything, each command once.
    pub(super) fn into_pages(self) -> impl Iterator<Item = (Path, Page)> {
        self.pages
            .into_iter()
            .map(|(path, pages)| (path, merge_pages(pages)))
    }
}

/// The words that were asked, with `COMMAND` for the command: two hundred lines that differ in one word say less.
fn pattern(words: &[String], path: &[String]) -> String {
    let joined = |before: &[String], after: &[String]| {
        let before = before.iter().map(String::as_str);
        let words: Vec<&str> = before
            .chain(["COMMAND"])
            .chain(after.iter().map(String::as_str))
            .collect();
        words.join(" ")
    };
    match (words.strip_prefix(path), words.strip_suffix(path)) {
        (Some(_), _) | (_, Some(_)) if path.is_empty() => words.join(" "),
        (Some(after), _) => joined(&[], after),
        (None, Some(before)) => joined(before, &[]),
        (None, None) => words.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use argrail_spec::help::{Confidence, FoundCommand, Seen};

    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn listing(origin: Origin, confidence: Confidence) -> Page {
        Page {
            commands: vec![FoundCommand {
                name: "run".to_owned(),
                aliases: Vec::new(),
                group: None,
                description: String::new(),
                deprecated: false,
                seen: Seen {
                    origin,
                    line: 1,
                    confidence,
                },
            }],
            ..Page::default()
        }
    }

    #[test]
    fn questions_about_commands_are_told_as_one() {
        let check = |asked: &str, path: &str, want: &str| {
            assert_eq!(pattern(&words(asked), &words(path)), want);
        };
        check("--help", "", "--help");
        check("log --help", "log", "COMMAND --help");
        check("remote add --help", "remote add", "COMMAND --help");
        check("help log", "log", "help COMMAND");
        check("help -a", "", "help -a");
    }

    #[test]
    fn what_the_program_denies_is_taken_back() {
        let mut gathered = Gathered::new("tool");
        gathered.read(
            Origin::Man,
            "somewhere",
            &[],
            listing(Origin::Man, Confidence::Certain),
        );
        gathered.read(Origin::Completion, "elsewhere", &words("run"), Page::default());
        gathered.deny(&words("run"));
        assert!(gathered.page(&[]).commands.is_empty());
        assert_eq!(gathered.paths().len(), 1);
        // What speaks of it later is not heard.
        gathered.read(Origin::Man, "somewhere", &words("run fast"), Page::default());
        assert_eq!(gathered.paths().len(), 1);
    }
}
