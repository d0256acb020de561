//! A completion script of any shell, read.

use super::pages::Pages;
use super::{bash, fish, zsh};
use crate::help::page::Page;
use crate::help::subject::Subject;

/// Whose script it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shell {
    /// bash.
    Bash,
    /// fish.
    Fish,
    /// zsh.
    Zsh,
}

impl Shell {
    /// Every shell whose scripts are read, the most telling first.
    pub const ALL: [Self; 3] = [Self::Fish, Self::Zsh, Self::Bash];
}

/// Returns what a script says about the tool, a page for each of its commands, by the words to it.
///
/// No shell runs: what a script works out when it runs is not known here.
pub fn read_completion(shell: Shell, text: &str, subject: &Subject<'_>) -> Vec<(Vec<String>, Page)> {
    let mut pages = Pages::default();
    match shell {
        Shell::Bash => bash::read(text, subject.name, &mut pages),
        Shell::Fish => fish::read(text, subject.name, &mut pages),
        Shell::Zsh => zsh::read(text, subject.name, &mut pages),
    }
    pages.finish()
}
