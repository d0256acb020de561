//! The commands of a tool, level by level: each is asked for its own help, many at a time.
//!
//! What a command says is taken for its own only if it differs from what the tool and its parent say: some programs
//! print one text whatever they are asked, and following that would never end.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use argrail_spec::help::Page;

use super::answer::is_empty;
use super::gathered::Gathered;
use super::lead;
use super::manual::Manual;
use super::question::{Learned, Pointer, Questioner, Way};
use super::request::Progress;
use crate::catalog::probe::together;

/// The names of the command that only explains the others.
const HELP: &str = "help";
/// How many commands are asked one by one, to learn how the others are best asked.
const TELLING: usize = 2;
/// The most commands that are kept.
const COMMANDS: usize = 5_000;

/// A command, by its path below the tool.
pub(super) type Path = Vec<String>;

/// How the walk is done.
pub(super) struct Walk<'w> {
    pub(super) questioner: Questioner<'w>,
    /// How many levels below the tool.
    pub(super) depth: usize,
    /// How many questions at a time.
    pub(super) jobs: usize,
    /// The manual, read from its files.
    pub(super) manual: &'w Manual,
    pub(super) progress: &'w (dyn Fn(Progress) + Sync),
}

impl Walk<'_> {
    /// Asks every command below the tool, whose own pages are in `gathered` already.
    pub(super) fn run(&self, tool: &Learned, gathered: &mut Gathered) {
        let root = gathered.page(&[]);
        let mut ways = Way::all(root.commands.iter().any(|command| command.name == HELP));
        let mut texts: HashSet<String> = HashSet::from([tool.text.clone()]);
        let mut parents: BTreeMap<Path, Page> = BTreeMap::from([(Vec::new(), root)]);
        let mut total = 0;
        for _ in 0..self.depth {
            let wanted = below(&parents, COMMANDS.saturating_sub(total));
            if wanted.is_empty() || gathered.interrupted {
                return;
            }
            let done = total;
            total += wanted.len();
            let answers = self.ask(&wanted, &mut ways, done, total);
            parents = self.keep(wanted, answers, &parents, &mut texts, gathered);
        }
    }

    /// Asks these commands: the first few one by one, to learn how this tool is asked, and then many at a time.
    ///
    /// A tool whose help of a command is the manual is not started for what the manual, read from its files, says as
    /// well; and where only one way works, that is tried first.
    fn ask(&self, wanted: &[Path], ways: &mut [Way], done: usize, total: usize) -> Vec<Option<Learned>> {
        let answers = Mutex::new(vec![None; wanted.len()]);
        let (count, helpful) = (AtomicUsize::new(done), AtomicUsize::new(0));
        let one = |at: usize, path: &Path, ways: &[Way]| {
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            let pointer = if self.manual.has(path) {
                Pointer::Leave
            } else {
                Pointer::Follow
            };
            let learned = self.questioner.command(&words, ways, pointer);
            let is_helpful = usize::from(learned.way.is_some());
            let found = helpful.fetch_add(is_helpful, Ordering::Relaxed) + is_helpful;
            let done = count.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress { done, total, found });
            let told = (learned.way, learned.manual);
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = answers.get_mut(at) {
                *slot = Some(learned);
            }
            told
        };
        // Those that the manual describes tell most about the others.
        let mut first: Vec<usize> = (0..wanted.len()).collect();
        first.sort_by_key(|at| !wanted.get(*at).is_some_and(|path| self.manual.has(path)));
        first.truncate(TELLING);
        let told: Vec<(Option<Way>, bool)> = first
            .iter()
            .filter_map(|at| Some(one(*at, wanted.get(*at)?, ways)))
            .collect();
        let is_manual = told.iter().any(|(_, manual)| *manual);
        prefer(ways, told.iter().map(|(way, _)| *way));
        let ways: &[Way] = ways;
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = wanted.get(at) else { return };
                if first.contains(&at) || (is_manual && self.manual.has(path)) {
                    continue;
                }
                one(at, path, ways);
            }
        };
        together(self.jobs.min(wanted.len()), &work);
        answers.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what is new, and returns the pages whose commands are asked next.
    fn keep(
        &self,
        wanted: Vec<Path>,
        answers: Vec<Option<Learned>>,
        parents: &BTreeMap<Path, Page>,
        texts: &mut HashSet<String>,
        gathered: &mut Gathered,
    ) -> BTreeMap<Path, Page> {
        let mut next = BTreeMap::new();
        for (path, learned) in wanted.into_iter().zip(answers) {
            if let Some(learned) = learned {
                gathered.interrupted |= learned.interrupted;
                gathered.problems.extend(learned.problems.iter().cloned());
                let parent = path.split_last().and_then(|(_, above)| parents.get(above));
                if learned.denied {
                    gathered.deny(&path);
                    continue;
                }
                let is_new = learned.text.is_empty() || texts.insert(learned.text.clone());
                let repeats = parent.is_some_and(|parent| is_same_list(&learned.page, parent));
                if is_new && !repeats && !is_empty(&learned.page) {
                    gathered.heard(&path, &learned);
                }
            }
            self.manual.add(&path, gathered);
            let page = gathered.page(&path);
            if !page.commands.is_empty() {
                next.insert(path, page);
            }
        }
        next
    }
}

/// Puts the way that was answered each time first.
fn prefer(ways: &mut [Way], mut told: impl Iterator<Item = Option<Way>>) {
    let Some(Some(way)) = told.next() else { return };
    if told.all(|other| other == Some(way))
        && let Some(at) = ways.iter().position(|known| *known == way)
        && let Some(front) = ways.get_mut(..=at)
    {
        front.rotate_right(1);
    }
}

/// Lists the commands of these pages that can be asked, in their order.
fn below(parents: &BTreeMap<Path, Page>, most: usize) -> Vec<Path> {
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for (path, page) in parents {
        for command in &page.commands {
            let is_itself = path.last() == Some(&command.name);
            if command.name == HELP || is_itself || !lead::is_command(&command.name) {
                continue;
            }
            let below: Path = path.iter().cloned().chain([command.name.clone()]).collect();
            if list.len() < most && seen.insert(below.clone()) {
                list.push(below);
            }
        }
    }
    list
}

/// Whether two pages list the same commands: then one of them is not about what was asked.
fn is_same_list(page: &Page, parent: &Page) -> bool {
    let names = |page: &Page| -> HashSet<String> {
        page.commands.iter().map(|command| command.name.clone()).collect()
    };
    let own = names(page);
    !own.is_empty() && own == names(parent)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex as Lock;

    use argrail_spec::help::{Confidence, Origin};

    use super::super::asker::Ask;
    use super::super::heard::{Exit, Heard, Said, Silence};
    use super::*;

    /// A program made of a function, and every question that it was asked.
    struct Program<F> {
        says: F,
        asked: Lock<Vec<String>>,
    }

    impl<F: Fn(&[&str]) -> Option<String> + Sync> Ask for Program<F> {
        fn ask(&self, words: &[&str]) -> Heard {
            self.asked.lock().unwrap().push(words.join(" "));
            match (self.says)(words) {
                Some(text) => Heard::Text(Said {
                    exit: if text.starts_with("error") {
                        Exit::Complaining
                    } else {
                        Exit::Content
                    },
                    text,
                    other: String::new(),
                }),
                None => Heard::Silence(Silence::Empty),
            }
        }
    }

    /// Walks a program, and returns the commands that were found and the questions that were asked.
    fn walk(depth: usize, says: impl Fn(&[&str]) -> Option<String> + Sync) -> (Vec<String>, Vec<String>) {
        let program = Program {
            says,
            asked: Lock::new(Vec::new()),
        };
        let questioner = Questioner {
            program: &program,
            name: "tool",
        };
        let mut gathered = Gathered::new("tool");
        let tool = questioner.tool();
        gathered.heard(&[], &tool);
        let walk = Walk {
            questioner,
            depth,
            jobs: 4,
            manual: &Manual::none(),
            progress: &|_| {},
        };
        walk.run(&tool, &mut gathered);
        let found = gathered.paths().into_iter().map(|path| path.join(" ")).collect();
        let mut asked = program.asked.into_inner().unwrap();
        asked.sort();
        (found, asked)
    }

    fn help(about: &str, commands: &[&str]) -> String {
        let mut text = format!("Usage: {about} [OPTIONS]\n\n");
        if !commands.is_empty() {
            text.push_str("Commands:\n");
            for name in commands {
                text.push_str(&format!("  {name}    Does {name} things\n"));
            }
            text.push('\n');
        }
        text.push_str("Options:\n  -q, --quiet    Say less\n");
        text
    }

    #[test]
    fn commands_are_asked_level_by_level() {
        let says = |words: &[&str]| {
            Some(match words {
                ["--help"] => help("tool", &["log", "remote"]),
                ["log", "--help"] => help("tool log", &[]),
                ["remote", "--help"] => help("tool remote", &["add"]),
                ["remote", "add", "--help"] => help("tool remote add", &[]),
                _ => "error: unknown option\n".to_owned(),
            })
        };
        let (found, asked) = walk(1, says);
        assert_eq!(found, ["", "log", "remote", "remote add"]);
        assert_eq!(asked, ["--help", "log --help", "remote --help"]);
        let (_, asked) = walk(2, says);
        assert_eq!(asked.len(), 4);
        assert_eq!(walk(0, says).1, ["--help"]);
    }

    #[test]
    fn a_program_that_says_the_same_to_everything_is_not_asked_for_ever() {
        let (found, asked) = walk(8, |_| Some(help("tool", &["one", "two"])));
        assert_eq!(found, ["", "one", "two"]);
        assert_eq!(asked, ["--help", "one --help", "two --help"]);
        // Each prints its own name, and the same list.
        let (found, asked) = walk(8, |words| Some(help(&words.join(" "), &["one", "two"])));
        assert_eq!(found, ["", "one", "two"]);
        assert_eq!(asked.len(), 3);
        // Each lists itself.
        let (_, asked) = walk(8, |words| Some(help(&words.join(" "), &["one"])));
        assert_eq!(asked, ["--help", "one --help"]);
    }

    #[test]
    fn the_way_that_works_is_tried_first_for_the_others() {
        let names = ["a1", "a2", "a3", "a4", "a5"];
        let says = |words: &[&str]| {
            Some(match words {
                ["--help"] => help("tool", &["a1", "a2", "a3", "a4", "a5", "help"]),
                [name, "-h"] => help(&format!("tool {name}"), &[]),
                _ => "error: unrecognized option\n".to_owned(),
            })
        };
        let (found, asked) = walk(1, says);
        assert_eq!(found.len(), 2 + names.len());
        // Two are asked in all three ways, and the others in the one that works.
        assert_eq!(asked.len(), 1 + 2 * 3 + 3);
        let only = |word: &str| asked.iter().filter(|line| line.ends_with(word)).count();
        assert_eq!((only(" -h"), only(" --help")), (5, 2));
    }

    #[test]
    fn help_is_asked_as_a_word_only_where_it_is_advertised() {
        let says = |words: &[&str]| {
            Some(match words {
                ["--help"] => help("tool", &["run"]),
                _ => "error: unrecognized option\n".to_owned(),
            })
        };
        assert_eq!(walk(1, says).1, ["--help", "run --help", "run -h"]);
    }

    #[test]
    fn help_that_is_only_a_pointer_is_followed() {
        let says = |words: &[&str]| {
            Some(match words {
                ["--help"] => help("tool", &["run"]),
                ["run", "--help"] => "usage: tool run [-n]\nRun 'tool help run' for details.\n".to_owned(),
                ["help", "run"] => help("tool run", &[]),
                _ => "error: unrecognized option\n".to_owned(),
            })
        };
        assert_eq!(walk(1, says).1, ["--help", "help run", "run --help"]);
    }

    #[test]
    fn what_the_program_does_not_know_is_no_command() {
        let says = |words: &[&str]| {
            Some(match words {
                ["--help"] => help("tool", &["run", "wrapped"]),
                ["run", "--help"] => help("tool run", &[]),
                [name, ..] => format!("error: '{name}' is not a tool command. See 'tool --help'.\n"),
                [] => String::new(),
            })
        };
        assert_eq!(walk(1, says).0, ["", "run"]);
    }

    #[test]
    fn only_names_that_can_be_nothing_else_are_asked() {
        let page = Page {
            commands: ["run", "-rf", "a/b", "help", "x=y"]
                .map(|name| argrail_spec::help::FoundCommand {
                    name: name.to_owned(),
                    aliases: Vec::new(),
                    group: None,
                    description: String::new(),
                    deprecated: false,
                    seen: argrail_spec::help::Seen {
                        origin: Origin::Help,
                        line: 1,
                        confidence: Confidence::Certain,
                    },
                })
                .to_vec(),
            ..Page::default()
        };
        let wanted = below(&BTreeMap::from([(Vec::new(), page)]), 10);
        assert_eq!(wanted, [vec!["run".to_owned()]]);
    }
}
