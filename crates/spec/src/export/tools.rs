//! From the metadata of any number of tools to what a provider takes.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;

use super::definition::definitions;
use super::format::{Format, Strictness};
use super::prose::line;
use crate::atip::{Leaf, Metadata};

/// How many notes are kept, and how long a foreign name in them may be.
const NOTES: usize = 200;
const NAME: usize = 120;

/// Definitions, what their names lead to, and what is not among them.
#[derive(Debug, Clone, PartialEq)]
pub struct Export {
    /// What the provider takes.
    pub tools: Value,
    /// Which command each function calls.
    pub names: IndexMap<String, Target>,
    /// What was left out or made simpler, and why.
    pub notes: Vec<Note>,
}

/// A command of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// The tool.
    pub tool: String,
    /// The words after its name.
    pub path: Vec<String>,
}

/// Something that is not as the metadata has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The tool.
    pub tool: String,
    /// The words after its name.
    pub path: Vec<String>,
    /// What it is about, in our words.
    pub what: &'static str,
    /// The option or argument, where it is about one.
    pub name: Option<String>,
}

impl Note {
    pub(crate) fn new(tool: &str, path: &[&str], what: &'static str, name: Option<&str>) -> Self {
        Self {
            tool: line(tool, NAME),
            path: path.iter().map(|word| line(word, NAME)).collect(),
            what,
            name: name.map(|name| line(name, NAME)),
        }
    }
}

/// Returns the definitions of every command of `tools` that is not hidden.
///
/// Two commands that would have the same name are both left out: nobody could say which of them is meant.
pub fn export(tools: &[Metadata], format: Format, strictness: Strictness) -> Export {
    let provider = format.provider();
    let visible = |leaf: &Leaf<'_>| !leaf.hidden;
    let (mut found, mut notes) = definitions(tools, provider, &visible);
    let mut times: HashMap<String, usize> = HashMap::new();
    for definition in &found {
        *times.entry(definition.name.clone()).or_default() += 1;
    }
    found.retain(|definition| {
        let is_only = times.get(&definition.name) == Some(&1);
        if !is_only {
            let what = "another command has the same name";
            notes.push(Note::new(
                &definition.tool.name,
                &definition.leaf.path,
                what,
                None,
            ));
        }
        is_only
    });
    if strictness == Strictness::Strict && !format.has_strict_mode() {
        notes.push(Note::new("", &[], "the format has no strict mode", None));
    }
    let mut names = IndexMap::new();
    let mut written = Vec::new();
    for definition in &found {
        let (value, note) = provider.definition(definition, strictness);
        if let Some(what) = note {
            notes.push(Note::new(
                &definition.tool.name,
                &definition.leaf.path,
                what,
                None,
            ));
        }
        written.push(value);
        let target = Target {
            tool: definition.tool.name.clone(),
            path: definition
                .leaf
                .path
                .iter()
                .map(|word| (*word).to_owned())
                .collect(),
        };
        names.insert(definition.name.clone(), target);
    }
    notes.truncate(NOTES);
    let tools = match format {
        Format::Atip => super::atip::metadata(tools),
        Format::Openai | Format::Anthropic | Format::Gemini | Format::Mcp => provider.wrap(written),
    };
    Export { tools, names, notes }
}
