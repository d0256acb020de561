//! The commands as one caller may see them.

use std::borrow::Cow;

use super::find::find;
use crate::bind::{BindError, scan};
use crate::cli::Cli;
use crate::host::Caller;
use crate::model::Command;

/// A command line in the eyes of one caller, or of anybody.
#[derive(Clone, Copy)]
pub(crate) struct View<'c> {
    pub(crate) cli: &'c Cli,
    caller: Option<&'c Caller>,
}

impl<'c> View<'c> {
    /// What everybody together may see.
    pub(crate) fn of_anybody(cli: &'c Cli) -> Self {
        Self { cli, caller: None }
    }

    /// What this caller may see.
    pub(crate) fn of(cli: &'c Cli, caller: &'c Caller) -> Self {
        Self {
            cli,
            caller: Some(caller),
        }
    }

    /// Whether a command is told of.
    pub(crate) fn shows(self, path: &[&Command]) -> bool {
        self.reaches(path) && self.cli.lists.shows(path)
    }

    /// Whether the caller may reach what the path begins with.
    pub(crate) fn reaches(self, path: &[&Command]) -> bool {
        let (Some(caller), Some(first)) = (self.caller, path.first()) else {
            return true;
        };
        self.cli.reaches(caller, first)
    }

    /// The error without the names that the lists deny: a suggestion must be something that works.
    pub(crate) fn concealed(self, mut error: BindError) -> BindError {
        if let BindError::SubcommandMissing { path, subcommands } = &mut error {
            subcommands.retain(|name| self.offers(&format!("{path} {name}")));
        }
        if let BindError::CommandNotFound { nearest, .. } = &mut error {
            *nearest = nearest.take().filter(|name| self.offers(name));
        }
        error
    }

    /// Whether an example is of something that may be called. One that is not a command is left as it is.
    pub(crate) fn offers_example(self, text: &str) -> bool {
        let Some(words) = self.cli.words(text) else {
            return true;
        };
        let path = scan(&self.cli.root, &words).path;
        let about: &[Cow<'_, str>] = match (path.as_slice(), words.get(1..)) {
            // `help x` is worth showing when `x` is.
            ([command], Some(asked)) if matches!(command.name(), "help" | "schema") => asked,
            _ => return path.is_empty() || (self.reaches(&path) && self.cli.lists.permits(&path)),
        };
        let asked: Vec<String> = about.iter().map(|word| word.to_string()).collect();
        find(self, &asked).is_ok_and(|path| path.is_empty() || self.shows(&path))
    }

    fn offers(self, command: &str) -> bool {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        find(self, &words).is_ok_and(|path| self.shows(&path))
    }
}
