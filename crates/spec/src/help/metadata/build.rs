//! Commands from pages.

use std::collections::HashSet;

use serde_json::json;

use super::parameter::{arguments, options};
use super::tree::Tree;
use crate::atip::{Command, Metadata, Opt, Trust, check_tool_name};
use crate::help::{FoundCommand, Page, Seen, Subject};

/// What stands where a text says nothing.
const NO_DESCRIPTION: &str = "Not described in the text it was read from.";
const NO_VERSION: &str = "0.0.0";
const MAX_DEPTH: usize = 8;

/// Adds to a command what texts do not say outright, such as effects. It gets the path of the command, its page (an
/// empty one where there is none) and what the command is for.
pub type Fill<'f> = dyn FnMut(&[&str], &Page, Option<&str>, &mut Command) + 'f;

/// Returns the metadata of one page.
pub fn to_metadata(subject: &Subject<'_>, page: &Page, fill: &mut Fill<'_>) -> Metadata {
    let mut tree = Tree::new();
    tree.insert(subject.path.iter().copied(), page.clone());
    build(&tree, subject.name, fill)
}

pub(super) fn build(tree: &Tree, name: &str, fill: &mut Fill<'_>) -> Metadata {
    let root = tree.page(&[]);
    let empty = Page::default();
    let mut building = Building {
        tree,
        fill,
        empty: &empty,
    };
    let mut itself = building.command(&[], None, &HashSet::new());
    let below = std::mem::take(&mut itself.commands);
    let mut metadata = Metadata {
        name: name.to_owned(),
        version: root
            .and_then(|page| page.version.clone())
            .or_else(|| Some(NO_VERSION.to_owned())),
        description: described(root.and_then(|page| page.about.as_deref()).unwrap_or_default()),
        trust: Some(Trust {
            source: Some("inferred".to_owned()),
            verified: Some(false),
            ..Trust::default()
        }),
        ..Metadata::default()
    };
    if below.is_empty() {
        metadata.commands.insert(String::new(), itself);
        return metadata;
    }
    metadata.global_options = before_commands(std::mem::take(&mut itself.options), root);
    if !itself.arguments.is_empty() {
        // It can be called without a command, too.
        metadata.commands.insert(String::new(), itself);
    }
    metadata.commands.extend(below);
    metadata
}

/// A tool with commands reads its own options before the command, and those that it calls global anywhere.
fn before_commands(options: Vec<Opt>, root: Option<&Page>) -> Vec<Opt> {
    let global: HashSet<&String> = root
        .iter()
        .flat_map(|page| &page.options)
        .filter(|option| option.global)
        .flat_map(|option| &option.spellings)
        .collect();
    options
        .into_iter()
        .map(|mut option| {
            if !option.flags.iter().any(|flag| global.contains(flag)) {
                option.extra.insert("x-before".to_owned(), true.into());
            }
            option
        })
        .collect()
}

struct Building<'t, 'f, 'g> {
    tree: &'t Tree,
    fill: &'f mut Fill<'g>,
    empty: &'t Page,
}

impl Building<'_, '_, '_> {
    /// Makes the command at `path`. `outer` are the flags of the tool itself.
    fn command(&mut self, path: &[&str], listed: Option<&FoundCommand>, outer: &HashSet<String>) -> Command {
        let found = self.tree.page(path);
        let page = found.unwrap_or(self.empty);
        let in_list = listed.map(|command| command.description.as_str());
        let about = [in_list, page.about.as_deref()]
            .into_iter()
            .flatten()
            .find(|text| !text.trim().is_empty());
        let mut command = Command {
            description: described(about.unwrap_or_default()),
            aliases: listed.map(|command| command.aliases.clone()).unwrap_or_default(),
            options: options(&page.options, outer),
            deprecated: listed.is_some_and(|command| command.deprecated).then_some(true),
            ..Command::default()
        };
        if let Some(listed) = listed {
            command
                .extra
                .insert("x-inferred".to_owned(), inferred(listed.seen));
            if let Some(group) = &listed.group {
                command.extra.insert("x-group".to_owned(), group.as_str().into());
            }
        }
        let below = self.tree.below(path);
        command.arguments = arguments(&page.positionals);
        if path.len() < MAX_DEPTH {
            self.commands(path, below, &mut command, outer);
        }
        if found.is_some() || listed.is_some() {
            (self.fill)(path, page, about, &mut command);
        }
        command
    }

    fn commands(
        &mut self,
        path: &[&str],
        below: Vec<(&str, Option<&FoundCommand>)>,
        command: &mut Command,
        outer: &HashSet<String>,
    ) {
        let own: HashSet<String> = command
            .options
            .iter()
            .flat_map(|option| option.flags.clone())
            .collect();
        let outer = if path.is_empty() { &own } else { outer };
        for (name, listed) in below {
            if check_tool_name(name).is_ok() {
                let built = self.command(&[path, &[name]].concat(), listed, outer);
                command.commands.insert(name.to_owned(), built);
            }
        }
    }
}

/// Returns a description that is never empty and shows all it holds.
pub(super) fn described(text: &str) -> String {
    let visible: String = text
        .trim()
        .chars()
        .filter(|c| !c.is_control() && !argrail_acli::is_invisible(*c))
        .collect();
    if visible.trim().is_empty() {
        NO_DESCRIPTION.to_owned()
    } else {
        visible
    }
}

pub(super) fn inferred(seen: Seen) -> serde_json::Value {
    json!({"from": seen.origin.as_str(), "line": seen.line, "confidence": seen.confidence.as_str()})
}
