//! From everything that was read to one description, marked as inferred, and no larger than what may be kept.

use argrail_spec::atip::{Command, Commands, Metadata};
use argrail_spec::doc::Limits;
use argrail_spec::help::{Page, Tree, annotate, filler};
use serde_json::{Value, json};

use super::gathered::{Gathered, Source};
use super::request::Counts;
use super::walk::Path;
use super::withhold::withhold;

/// The key under which it stands where something was read.
pub(super) const MARK: &str = "x-inferred";
/// Who reads.
pub(super) const BY: &str = concat!("argrail ", env!("CARGO_PKG_VERSION"));

/// The most options of all commands together: with what is said about each they fit into what is read as metadata.
const OPTIONS: usize = 8_000;
/// The most commands.
const COMMANDS: usize = 5_000;
/// How much of what may be kept is filled.
const FULL: usize = Limits::metadata().bytes / 10 * 9;
const NODES: usize = Limits::metadata().nodes / 10 * 9;

/// A description, and what had to be left out of it.
pub(super) struct Described {
    pub(super) metadata: Metadata,
    pub(super) problem: Option<String>,
}

/// Makes the description of the tool `name` from what was read down to `depth`.
pub(super) fn describe(name: &str, gathered: Gathered, depth: usize) -> Described {
    let sources = sources(&gathered.sources);
    let mut pages: Vec<(Path, Page)> = gathered.into_pages().collect();
    // Whoever is nearer to the tool is told first, and left out last.
    pages.sort_by_key(|(path, _)| path.len());
    let all = pages.len();
    bound(&mut pages);
    loop {
        let mut metadata = whole(name, pages.iter().cloned());
        let mark = json!({"by": BY, "depth": depth, "sources": sources});
        metadata.extra.insert(MARK.to_owned(), mark);
        if fits(&metadata) || pages.len() <= 1 {
            let left_out = all - pages.len();
            let problem = (left_out > 0)
                .then(|| format!("it is more than can be kept: {left_out} pages were left out"));
            return Described { metadata, problem };
        }
        pages.truncate(pages.len() * 3 / 4);
    }
}

/// Returns the description of a tool that these pages make, with an estimate of what each command changes.
pub fn whole(name: &str, pages: impl IntoIterator<Item = (Path, Page)>) -> Metadata {
    let mut tree = Tree::new();
    for (path, page) in pages {
        tree.insert(path, page);
    }
    let mut metadata = tree.to_metadata(name, &mut filler(name));
    annotate(&mut metadata);
    // After the estimate, which a text that is not shown may still make worse.
    withhold(&mut metadata);
    metadata
}

/// Keeps so many pages, and of each so much, that few tries are needed to fit.
fn bound(pages: &mut Vec<(Path, Page)>) {
    let (mut options, mut commands) = (0, 0);
    pages.retain_mut(|(path, page)| {
        if path.is_empty() {
            page.options.truncate(OPTIONS);
            page.commands.truncate(COMMANDS);
        }
        options += page.options.len();
        commands += page.commands.len();
        path.is_empty() || (options <= OPTIONS && commands <= COMMANDS)
    });
}

fn fits(metadata: &Metadata) -> bool {
    let Ok(value) = serde_json::to_value(metadata) else {
        return false;
    };
    nodes(&value) <= NODES && value.to_string().len() <= FULL
}

fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Object(fields) => fields.values().map(nodes).sum(),
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

fn sources(list: &[Source]) -> Value {
    list.iter()
        .map(|source| json!({"kind": source.kind.as_str(), "from": source.from, "pages": source.pages}))
        .collect()
}

/// Counts what a description holds.
pub fn count(metadata: &Metadata) -> Counts {
    fn add(counts: &mut Counts, commands: &Commands) {
        for (name, command) in commands {
            let Command {
                options, arguments, ..
            } = command;
            counts.commands += usize::from(!name.is_empty());
            counts.options += options.len();
            counts.arguments += arguments.len();
            add(counts, &command.commands);
        }
    }
    let mut counts = Counts {
        options: metadata.global_options.len(),
        ..Counts::default()
    };
    add(&mut counts, &metadata.commands);
    counts
}
