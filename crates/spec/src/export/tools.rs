//! From the metadata of any number of tools to what a provider takes.

use std::collections::{BTreeMap, HashMap};

use indexmap::IndexMap;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::definition::definitions;
use super::format::{Format, Strictness};
use super::prose::line;
use crate::atip::{Leaf, Metadata};

/// How many notes are kept, and how long a foreign name in them may be.
const NOTES: usize = 200;
const NAME: usize = 120;

/// Definitions, what their names lead to, and what is not among them.
#[derive(Debug, Clone)]
pub struct Export {
    /// What the provider takes.
    pub tools: Value,
    /// Which command each function calls.
    pub names: IndexMap<String, Target>,
    /// What was left out or made simpler, and why.
    pub notes: Vec<Note>,
    /// Definitions that are kept to the letter, by their place in the list.
    exact: BTreeMap<usize, Box<RawValue>>,
}

impl Export {
    /// Whether something has to be kept to the letter.
    pub fn is_exact(&self) -> bool {
        !self.exact.is_empty()
    }

    /// Returns what the provider takes, with the schemas of manifests byte for byte as they were written.
    pub fn exact(&self) -> impl Serialize + '_ {
        Exact(self)
    }
}

struct Exact<'a>(&'a Export);

impl Serialize for Exact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Export { tools, exact, .. } = self.0;
        let list = match tools {
            Value::Array(list) if !exact.is_empty() => list,
            other => return other.serialize(serializer),
        };
        let mut written = serializer.serialize_seq(Some(list.len()))?;
        for (index, definition) in list.iter().enumerate() {
            match exact.get(&index) {
                Some(text) => written.serialize_element(text)?,
                None => written.serialize_element(definition)?,
            }
        }
        written.end()
    }
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
    /// Makes the note of a whole tool that is left out.
    pub fn left_out(tool: &str, what: &'static str) -> Self {
        Self::new(tool, &[], what, None)
    }

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
    let mut exact = BTreeMap::new();
    for definition in &found {
        if let Some(text) = provider.exact(definition) {
            exact.insert(written.len(), text);
        }
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
    Export {
        tools,
        names,
        notes,
        exact,
    }
}
