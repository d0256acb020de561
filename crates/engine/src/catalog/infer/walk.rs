//! The commands of a tool, level by level: each is asked for its own help, many at a time.
//!
//! What a command says is taken for its own only if it differs from what the tool and its parent say: some programs
//! print one text whatever they are asked, and following that would never end.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use argrail_spec::help::{Confidence, Page};

use super::answer::is_empty;
use super::gathered::Gathered;
use super::lead;
use super::question::{Advertised, Learned, Questioner};
use super::request::Progress;
use crate::catalog::probe::together;

/// The names of the command that only explains the others.
const HELP: &str = "help";
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
    /// Whether the manual, read from its file, has a page for a command.
    pub(super) has_manual: &'w (dyn Fn(&[String]) -> bool + Sync),
    pub(super) progress: &'w (dyn Fn(Progress) + Sync),
}

impl Walk<'_> {
    /// Asks every command below the tool, whose own pages are in `gathered` already.
    pub(super) fn run(&self, tool: &Learned, gathered: &mut Gathered) {
        let root = gathered.page(&[]);
        let advertised = if root.commands.iter().any(|command| command.name == HELP) {
            Advertised::Help
        } else {
            Advertised::Nothing
        };
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
            let answers = self.ask(&wanted, advertised, done, total);
            parents = self.keep(wanted, answers, &parents, &mut texts, gathered);
        }
    }

    /// Asks these commands, many at a time. A tool whose help of a command is the manual is not started for what the
    /// manual, read from its files, says as well.
    fn ask(
        &self,
        wanted: &[Path],
        advertised: Advertised,
        done: usize,
        total: usize,
    ) -> Vec<Option<Learned>> {
        let answers = Mutex::new(vec![None; wanted.len()]);
        let count = AtomicUsize::new(done);
        let helpful = AtomicUsize::new(0);
        let one = |at: usize, path: &Path| {
            let words: Vec<&str> = path.iter().map(String::as_str).collect();
            let learned = self.questioner.command(&words, advertised);
            let manual = learned.manual;
            let is_helpful = usize::from(!learned.asked.is_empty());
            let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(slot) = answers.get_mut(at) {
                *slot = Some(learned);
            }
            drop(answers);
            let found = helpful.fetch_add(is_helpful, Ordering::Relaxed) + is_helpful;
            let done = count.fetch_add(1, Ordering::Relaxed) + 1;
            (self.progress)(Progress { done, total, found });
            manual
        };
        // The first of those that the manual describes tells for all of them.
        let first = wanted.iter().position(|path| (self.has_manual)(path));
        let is_manual = first.is_some_and(|at| wanted.get(at).is_some_and(|path| one(at, path)));
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(path) = wanted.get(at) else { return };
                if Some(at) == first || (is_manual && (self.has_manual)(path)) {
                    continue;
                }
                one(at, path);
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
            let page = gathered.page(&path);
            if !page.commands.is_empty() {
                next.insert(path, page);
            }
        }
        next
    }
}

/// Lists the commands of these pages that can be asked, in their order.
fn below(parents: &BTreeMap<Path, Page>, most: usize) -> Vec<Path> {
    let mut seen = HashSet::new();
    let mut list = Vec::new();
    for (path, page) in parents {
        for command in &page.commands {
            let is_itself = path.last() == Some(&command.name);
            let is_sure = command.seen.confidence >= Confidence::Likely;
            if command.name == HELP || is_itself || !is_sure || !lead::is_command(&command.name) {
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
