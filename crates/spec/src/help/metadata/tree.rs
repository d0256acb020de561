//! The pages of a tool, by the command that they are about.

use std::collections::BTreeMap;

use super::build::Fill;
use crate::atip::Metadata;
use crate::help::{FoundCommand, Page};

/// The pages of a tool, by the path of their command. The tool's own has the empty path.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    pages: BTreeMap<Vec<String>, Page>,
}

impl Tree {
    /// Returns a tree without a page.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts the page of a command into its place, and returns the one that was there.
    pub fn insert<S: Into<String>>(&mut self, path: impl IntoIterator<Item = S>, page: Page) -> Option<Page> {
        self.pages
            .insert(path.into_iter().map(Into::into).collect(), page)
    }

    /// Returns the page of a command.
    pub fn page(&self, path: &[&str]) -> Option<&Page> {
        let path: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
        self.pages.get(&path)
    }

    /// Returns every page with its path.
    pub fn pages(&self) -> impl Iterator<Item = (&[String], &Page)> {
        self.pages.iter().map(|(path, page)| (path.as_slice(), page))
    }

    /// Returns the names below a command: those its page lists, then those that only have a page.
    pub(super) fn below<'t>(&'t self, path: &[&str]) -> Vec<(&'t str, Option<&'t FoundCommand>)> {
        let mut names: Vec<(&str, Option<&FoundCommand>)> = Vec::new();
        let listed = self
            .page(path)
            .map(|page| page.commands.as_slice())
            .unwrap_or_default();
        names.extend(
            listed
                .iter()
                .map(|command| (command.name.as_str(), Some(command))),
        );
        let mut seen: std::collections::HashSet<&str> =
            listed.iter().map(|command| command.name.as_str()).collect();
        for deeper in self.pages.keys().filter(|deeper| deeper.len() > path.len()) {
            let is_below = deeper.iter().zip(path).all(|(one, other)| one == other);
            if let Some(name) = deeper.get(path.len()).filter(|_| is_below)
                && seen.insert(name)
            {
                names.push((name, None));
            }
        }
        names
    }

    /// Returns the metadata of the tool `name`.
    pub fn to_metadata(&self, name: &str, fill: &mut Fill<'_>) -> Metadata {
        super::build::build(self, name, fill)
    }
}
