//! What could stand next on an unfinished command line, for people at a prompt.

use std::borrow::Cow;

use crate::bind::scan;
use crate::cli::Cli;
use crate::model::{Arg, Command, Kind, RESERVED};
use crate::tokenize::{Limits, quote, tokenize};

/// Returns where the unfinished word starts (a byte offset into `line`) and what it could become.
pub fn complete(cli: &Cli, line: &str) -> (usize, Vec<String>) {
    let start = line.rfind([' ', '\t', '\n']).map_or(0, |at| at + 1);
    let (Some(before), Some(partial)) = (line.get(..start), line.get(start..)) else {
        return (start, Vec::new());
    };
    let words = if before.trim().is_empty() {
        Ok(Vec::new())
    } else {
        tokenize(before, &Limits::default())
    };
    let Ok(words) = words else {
        return (start, Vec::new());
    };
    let mut found: Vec<String> = candidates(cli, &words, partial)
        .filter(|name| name.starts_with(partial))
        .map(|name| quote(&name))
        .collect();
    found.sort();
    found.dedup();
    (start, found)
}

fn candidates<'c>(
    cli: &'c Cli,
    words: &[Cow<'_, str>],
    partial: &str,
) -> Box<dyn Iterator<Item = String> + 'c> {
    let scan = scan(cli.root(), words);
    let here = match scan.path.as_slice() {
        // What `help` and `schema` take are the commands themselves.
        [first, ..] if matches!(first.name(), "help" | "schema") => {
            let asked: Option<Vec<&Command>> = follow(cli.root(), words.get(1..).unwrap_or_default());
            return Box::new(
                asked
                    .into_iter()
                    .flat_map(|path| names(path.last().copied().unwrap_or(cli.root()))),
            );
        }
        [.., last] => *last,
        [] => cli.root(),
    };
    let waiting = words.last().and_then(|word| {
        here.args()
            .iter()
            .find(|arg| arg.spellings.iter().any(|spelling| spelling == word))
    });
    if let Some(Kind::Enum(values)) = waiting.map(Arg::kind) {
        return Box::new(values.iter().cloned());
    }
    if partial.starts_with('-') {
        let shown = here.args().iter().filter(|arg| !arg.hidden);
        return Box::new(shown.flat_map(|arg| arg.spellings.iter().cloned()));
    }
    let reserved = if scan.path.is_empty() {
        RESERVED.as_slice()
    } else {
        &[]
    };
    Box::new(names(here).chain(reserved.iter().map(|name| (*name).to_owned())))
}

fn names(command: &Command) -> impl Iterator<Item = String> + '_ {
    command.listed().map(|child| child.name().to_owned())
}

fn follow<'c>(root: &'c Command, words: &[Cow<'_, str>]) -> Option<Vec<&'c Command>> {
    words.iter().try_fold(vec![], |mut path: Vec<&Command>, word| {
        let here = path.last().copied().unwrap_or(root);
        path.push(here.find(word)?);
        Some(path)
    })
}
