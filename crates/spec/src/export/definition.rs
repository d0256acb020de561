//! One function as every provider gets it: name, description, parameters.

use super::describe::describe;
use super::names::function;
use super::parameter::{Parameter, Source, parameters};
use super::prose::line;
use super::provider::Provider;
use super::schema;
use super::tools::Note;
use crate::atip::{Leaf, Metadata, check_tool_name, leaves};
use crate::tools_json::{JSON_OPTION, Written, written};
use argrail_acli::is_invisible;
use serde_json::{Map, Value};

/// How long a title may be.
const TITLE: usize = 120;

/// One function.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Definition<'a> {
    /// The tool it calls.
    pub(crate) tool: &'a Metadata,
    /// The command of it.
    pub(crate) leaf: Leaf<'a>,
    /// The name of the function.
    pub(crate) name: String,
    /// What it does and changes.
    pub(crate) description: String,
    /// What it takes.
    pub(crate) parameters: Vec<Parameter<'a>>,
    /// What a manifest says of it, which is kept to the letter.
    pub(crate) written: Option<Written<'a>>,
}

impl Definition<'_> {
    /// Returns the schema of its arguments as JSON Schema: the manifest's own, else one made from the parameters.
    pub(crate) fn input(&self, allows: &dyn Fn(&str) -> bool) -> Value {
        let Some(written) = self.written else {
            return schema::object(&self.parameters, allows);
        };
        let given = written.schema.and_then(|text| serde_json::from_str(text).ok());
        let mut given: Map<String, Value> = given.unwrap_or_default();
        given.entry("type").or_insert_with(|| "object".into());
        Value::Object(given)
    }

    /// Returns a name for people.
    pub(crate) fn title(&self) -> String {
        let tool = self.tool.title.as_deref().unwrap_or(&self.tool.name);
        let words = std::iter::once(tool).chain(self.leaf.path.iter().copied());
        line(&words.collect::<Vec<_>>().join(" "), TITLE)
    }
}

/// Returns the functions of `tools` that `keep` wants, and what was left out of them.
pub(crate) fn definitions<'a>(
    tools: &'a [Metadata],
    provider: &dyn Provider,
    keep: &dyn Fn(&Leaf<'_>) -> bool,
) -> (Vec<Definition<'a>>, Vec<Note>) {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    for tool in tools {
        let mut note = |path: &[&str], what: &'static str, name: Option<&str>| {
            notes.push(Note::new(&tool.name, path, what, name));
        };
        if check_tool_name(&tool.name).is_err() {
            note(&[], "the tool's name cannot be called", None);
            continue;
        }
        let all = leaves(tool);
        if all.left_out > 0 {
            note(&[], "it has more commands than are listed", None);
        }
        for leaf in all.list.into_iter().filter(keep) {
            if !leaf.path.iter().all(|word| is_word(word)) {
                note(&leaf.path, "the command's name cannot be written as a word", None);
                continue;
            }
            let (parameters, unwritable) = parameters(&leaf, |name| provider.allows_property(name));
            for option in unwritable {
                note(
                    &leaf.path,
                    "the option has no flag that can be written",
                    Some(option),
                );
            }
            let words = std::iter::once(tool.name.as_str()).chain(leaf.path.iter().copied());
            let written = written(tool).filter(|_| leaf.path.is_empty());
            found.push(match written {
                None => Definition {
                    name: function(words),
                    description: describe(&leaf),
                    tool,
                    parameters,
                    leaf,
                    written,
                },
                Some(said) => Definition {
                    name: tool.name.clone(),
                    description: said.description.unwrap_or_default().to_owned(),
                    tool,
                    parameters: parameters
                        .into_iter()
                        .filter(|one| !is_whole_input(one))
                        .collect(),
                    leaf,
                    written,
                },
            });
        }
    }
    (found, notes)
}

/// Whether a parameter stands for all the others.
fn is_whole_input(parameter: &Parameter<'_>) -> bool {
    match &parameter.source {
        Source::Option { option, .. } => option.flags.contains(&JSON_OPTION),
        Source::Argument(_) => false,
    }
}

/// Whether the name of a command is one word and no option.
fn is_word(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && !word.contains(|c: char| c.is_whitespace() || is_invisible(c))
}
