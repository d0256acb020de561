//! AIP-29, Subcommands: a tree of words whose leaves are `TOOL.md` files.
//!
//! The words from the root to a leaf are the subcommand. A leaf with an empty name is the command that the words before
//! it make, so that a program without subcommands has one, too.

use std::borrow::Cow;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::declare::own;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, Reference, TYPE, VALUE};

/// The most words of a subcommand.
const DEEPEST: usize = 12;
/// The most leaves. The largest programs have some hundred.
const MOST: usize = 4_000;

/// Words, and what each leads to.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct CommandTree(IndexMap<String, CommandEntry>);

/// What a word leads to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CommandEntry {
    /// A tool.
    Tool(Reference),
    /// More words.
    Tree(CommandTree),
}

/// A tool and the words that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLeaf<'a> {
    /// The words; none for the program itself.
    pub words: Vec<&'a str>,
    /// The file, seen from the bundle.
    pub tool: &'a Reference,
}

impl CommandTree {
    /// Adds what a word leads to, for whoever writes a bundle.
    pub fn insert(&mut self, word: impl Into<String>, entry: CommandEntry) {
        self.0.insert(word.into(), entry);
    }

    /// Returns the words of this level and what they lead to.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &CommandEntry)> {
        self.0.iter().map(|(word, entry)| (word.as_str(), entry))
    }

    /// Returns every tool, in the order of the text.
    pub fn leaves(&self) -> Vec<CommandLeaf<'_>> {
        let mut leaves = Vec::new();
        self.collect(&mut Vec::new(), &mut leaves);
        leaves
    }

    fn collect<'a>(&'a self, words: &mut Vec<&'a str>, leaves: &mut Vec<CommandLeaf<'a>>) {
        for (word, entry) in &self.0 {
            words.push(word);
            match entry {
                CommandEntry::Tool(tool) => {
                    let words = words.iter().copied().filter(|word| !word.is_empty()).collect();
                    leaves.push(CommandLeaf { words, tool });
                }
                CommandEntry::Tree(tree) => tree.collect(words, leaves),
            }
            words.pop();
        }
    }
}

impl JsonSchema for CommandTree {
    fn schema_name() -> Cow<'static, str> {
        "CommandTree".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let tree = generator.subschema_for::<Self>();
        let tool = generator.subschema_for::<Reference>();
        json_schema!({
            "description": "Words of subcommands; a leaf is the path of a TOOL.md.",
            "type": "object",
            "propertyNames": {"pattern": r"^([^\s\-][^\s]*)?$"},
            "additionalProperties": {"anyOf": [tool, tree]},
        })
    }
}

own! {
    CommandTree: |field, out| tree(field, 1, &mut { MOST }, out);
}

fn tree(field: &Field<'_>, depth: usize, left: &mut usize, out: &mut Complaints) -> Option<CommandTree> {
    let object = field.open(out)?;
    if depth > DEEPEST {
        let what = format!("subcommands have at most {DEEPEST} words");
        out.push(field.refuse(VALUE, what).hint("make the tree flatter"));
        return None;
    }
    let mut entries = IndexMap::new();
    for (member, value) in object.members() {
        if !is_word(&member.key) {
            let what = format!(
                "{}: expected the word of a subcommand, got {}",
                field.path,
                Quoted(&member.key)
            );
            out.push(
                VALUE
                    .error(member.key_span, what)
                    .hint("write one word that does not start with '-'"),
            );
            continue;
        }
        if *left == 0 {
            let what = format!("there are more than {MOST} subcommands");
            out.push(field.refuse(VALUE, what).hint("describe those that are used"));
            return None;
        }
        *left -= 1;
        let entry = if value.node.as_str().is_some() {
            value.root_reference(out).map(CommandEntry::Tool)
        } else if value.node.as_object().is_some() && !member.key.is_empty() {
            tree(&value, depth + 1, left, out).map(CommandEntry::Tree)
        } else {
            let what = format!(
                "expected the path of a TOOL.md, or more subcommands, got {}",
                crate::doc::fields::came(value.node)
            );
            out.push(
                value
                    .refuse(TYPE, what)
                    .hint("write a path such as ./tools/pr-list/TOOL.md"),
            );
            None
        };
        entries.extend(entry.map(|entry| (member.key.clone(), entry)));
    }
    Some(CommandTree(entries))
}

fn is_word(word: &str) -> bool {
    let plain = |c: char| {
        !c.is_whitespace() && !c.is_control() && !argrail_acli::is_invisible(c) && !"/\\'\"".contains(c)
    };
    word.len() <= 64 && !word.starts_with('-') && word.chars().all(plain)
}
