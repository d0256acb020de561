//! All files of a bundle.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::body::{LeftOut, body};
use super::cli::{UNFINISHED, front};
use super::ids::{bundle_id, tool_slug};
use super::known::Known;
use super::sandbox::Needs;
use super::tool::tool;
use super::yaml;
use crate::atip::{Leaf, leaves};

/// The most tools. A program with more keeps the rest as plain commands.
const MOST: usize = 200;

/// A program that cannot have a bundle.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// AIP-29 has letters, digits, `.`, `_` and `-` for a program.
    #[error("a bundle cannot name the program \"{bin}\"")]
    Name {
        /// The program.
        bin: String,
    },
}

/// Writes the bundle of a program. Returns its id, and its files by their names from the root of the bundle.
///
/// # Errors
/// When its name is none that a bundle can have.
pub fn write(known: &Known<'_>) -> Result<(String, BTreeMap<String, String>), Unwritable> {
    let unwritable = || Unwritable::Name {
        bin: known.bin.to_owned(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let fits = |bin: &&str| !bin.starts_with(['-', '.']) && bin.len() <= 255 && bin.chars().all(plain);
    let bin = Some(known.bin).filter(fits).ok_or_else(unwritable)?;
    let id = bundle_id(bin).ok_or_else(unwritable)?;
    let all = known.metadata.map(leaves).unwrap_or_default();
    let (listed, hidden): (Vec<Leaf<'_>>, Vec<Leaf<'_>>) = all.list.into_iter().partition(is_listed);
    let mut chosen = listed;
    let more = chosen.len().saturating_sub(MOST);
    chosen.truncate(MOST);
    let needs = Needs::of(bin, known.metadata, &chosen);
    let mut files = BTreeMap::new();
    let mut left_out = LeftOut {
        commands: more + hidden.len() + all.left_out,
        tools: 0,
    };
    let mut commands = Map::new();
    let mut taken: Vec<String> = Vec::new();
    for leaf in &chosen {
        let slug = tool_slug(&id, &leaf.path, &taken);
        let (text, incomplete) = tool(&id, &slug, bin, leaf, &needs);
        left_out.tools += usize::from(incomplete);
        if !place(&mut commands, &leaf.path, &slug) {
            left_out.commands += 1;
            continue;
        }
        files.insert(format!("tools/{slug}/TOOL.md"), text);
        taken.push(slug);
    }
    if chosen.is_empty() {
        let slug = "run";
        files.insert(format!("tools/{slug}/TOOL.md"), plain_tool(&id, bin));
        place(&mut commands, &[], slug);
    }
    let mut front = front(&id, known, &needs);
    front.insert("commands".to_owned(), Value::Object(commands));
    let (nothing, place) = UNFINISHED;
    let members = yaml::members(&front).replacen(nothing, place, 1);
    let text = format!("---\n{members}---\n{}", body(known, &needs, left_out));
    files.insert("CLI.md".to_owned(), text);
    Ok((id, files))
}

/// Whether a command is one that somebody should find, under words that a tree can hold.
fn is_listed(leaf: &Leaf<'_>) -> bool {
    let is_word = |word: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "._:-".contains(c);
        !word.is_empty() && !word.starts_with('-') && word.len() <= 64 && word.chars().all(plain)
    };
    !leaf.hidden && !leaf.deprecated && leaf.path.len() <= 10 && leaf.path.iter().all(is_word)
}

/// Puts a tool into the tree. A word that has both, a tool and words below it, keeps the tool under an empty name.
fn place(tree: &mut Map<String, Value>, words: &[&str], slug: &str) -> bool {
    let file = Value::from(format!("./tools/{slug}/TOOL.md"));
    let Some((first, rest)) = words.split_first() else {
        return tree.insert(String::new(), file).is_none();
    };
    if rest.is_empty() && !tree.contains_key(*first) {
        tree.insert((*first).to_owned(), file);
        return true;
    }
    let below = tree.entry(*first).or_insert_with(|| Value::Object(Map::new()));
    if below.is_string() {
        let own = below.take();
        let mut inner = Map::new();
        inner.insert(String::new(), own);
        *below = Value::Object(inner);
    }
    match below.as_object_mut() {
        Some(inner) => place(inner, rest, slug),
        None => false,
    }
}

/// The tool of a program about which nothing is known: its words are the caller's, and every call is asked about.
fn plain_tool(id: &str, bin: &str) -> String {
    format!(
        "---\nname: {bin}\nid: {id}.run\ndescription: \"Runs {bin}. Nothing is known about its commands, so every call is asked about.\"\nversion: 1.0.0\n\
         inputs:\n  type: object\n  properties:\n    words: {{ type: array, items: {{ type: string }}, description: \"Words that are no options\" }}\n  additionalProperties: false\n\
         outputs: {{ type: [string, object], description: \"What it printed\" }}\n\
         approval: always\nrisk_level: 2\nrunner:\n  cli: ../../CLI.md\n  argv: [\"${{input.words | default([])}}\"]\n---\n`{bin}`\n"
    )
}
