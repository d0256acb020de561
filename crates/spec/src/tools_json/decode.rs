//! From the text of a manifest to its tools: types first, then the draft's checks in the draft's order.
//!
//! The first error wins. Fields that the draft does not know are ignored here; lint speaks of them.

use std::collections::HashSet;

use super::env_names::env_names;
use super::manifest::{Manifest, Schema, ToolSpec};
use super::manifest_error::{Fault, ManifestError};
use super::program_path::program;
use crate::doc::fields::{Trail, came};
use crate::doc::{Diagnostic, Document, Limits, Node, Object, Span, Value, place};

/// The most tools of one manifest.
const MOST_TOOLS: usize = 10_000;

/// Reads a manifest.
///
/// # Errors
/// What is wrong with it, in the draft's words.
pub fn load(text: &[u8]) -> Result<Manifest, ManifestError> {
    let document = Document::json(text, &Limits::metadata()).map_err(|problem| unreadable(text, &problem))?;
    decode(&document)
}

fn unreadable(text: &[u8], problem: &Diagnostic) -> ManifestError {
    let at = place(text, problem.span.start);
    ManifestError::Parse {
        why: format!("{}:{}: {}", at.line, at.column, problem.message),
        span: problem.span,
    }
}

/// Reads a manifest from a document.
///
/// # Errors
/// What is wrong with it, in the draft's words.
pub fn decode(document: &Document) -> Result<Manifest, ManifestError> {
    let drafts = drafts(document)?;
    // Types come first, as for a reader that decodes the whole file before it looks at it.
    let drafts: Vec<Draft<'_>> = drafts.into_iter().collect::<Result<_, _>>()?;
    let mut names = HashSet::new();
    let tools = drafts.into_iter().map(|draft| draft.checked(&mut names));
    Ok(Manifest {
        tools: tools.collect::<Result<_, _>>()?,
    })
}

/// Returns every error of a manifest, one for each tool.
pub(super) fn every_error(document: &Document) -> Vec<ManifestError> {
    let mut names = HashSet::new();
    match drafts(document) {
        Err(error) => vec![error],
        Ok(drafts) => drafts
            .into_iter()
            .filter_map(|draft| draft.and_then(|draft| draft.checked(&mut names)).err())
            .collect(),
    }
}

/// A tool whose fields have the right types.
struct Draft<'a> {
    index: usize,
    object: &'a Object,
    span: Span,
    spec: ToolSpec,
}

fn drafts(document: &Document) -> Result<Vec<Result<Draft<'_>, ManifestError>>, ManifestError> {
    let trail = Trail::root();
    let Some(root) = document.root.as_object() else {
        return Err(wrong(&document.root, trail, "an object"));
    };
    let Some(list) = given(root, "tools") else {
        return Ok(Vec::new());
    };
    let trail = trail.key("tools");
    let items = list
        .as_array()
        .ok_or_else(|| wrong(list, trail, "an array of tools"))?;
    if items.len() > MOST_TOOLS {
        return Err(ManifestError::Parse {
            why: format!("tools: at most {MOST_TOOLS} are read, got {}", items.len()),
            span: list.span,
        });
    }
    let draft = |(index, node)| draft(document.text(), index, node, trail.index(index));
    Ok(items.iter().enumerate().map(draft).collect())
}

fn draft<'a>(text: &str, index: usize, node: &'a Node, trail: Trail<'_>) -> Result<Draft<'a>, ManifestError> {
    let object = node.as_object().ok_or_else(|| wrong(node, trail, "an object"))?;
    let string = |key| match given(object, key) {
        None => Ok(None),
        Some(node) => match node.as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(wrong(node, trail.key(key), "a string")),
        },
    };
    let schema = match given(object, "schema") {
        None => None,
        Some(node) if node.as_object().is_none() => {
            return Err(wrong(node, trail.key("schema"), "an object"));
        }
        Some(node) => {
            let written = text.get(node.span.start..node.span.end).unwrap_or_default();
            Some(Schema::new(written).map_err(|error| ManifestError::Parse {
                why: format!("{}: {error}", trail.key("schema")),
                span: node.span,
            })?)
        }
    };
    let timeout_sec = match given(object, "timeoutSec") {
        None => None,
        Some(node) => Some(
            seconds(node).ok_or_else(|| wrong(node, trail.key("timeoutSec"), "a whole number of seconds"))?,
        ),
    };
    Ok(Draft {
        index,
        object,
        span: node.span,
        spec: ToolSpec {
            name: string("name")?
                .map(|name| name.trim().to_owned())
                .unwrap_or_default(),
            description: string("description")?.filter(|text| !text.is_empty()),
            schema,
            command: strings(object, "command", trail)?,
            timeout_sec,
            env_passthrough: strings(object, "envPassthrough", trail)?,
        },
    })
}

fn seconds(node: &Node) -> Option<u64> {
    match &node.value {
        Value::Number(number) => number.as_u64(),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

fn strings(object: &Object, key: &str, trail: Trail<'_>) -> Result<Vec<String>, ManifestError> {
    let Some(node) = given(object, key) else {
        return Ok(Vec::new());
    };
    let trail = trail.key(key);
    let items = node
        .as_array()
        .ok_or_else(|| wrong(node, trail, "an array of strings"))?;
    let string = |(index, item): (usize, &Node)| match item.as_str() {
        Some(text) if text.contains('\0') => Err(ManifestError::Parse {
            why: format!(
                "{}: it holds a NUL, which no program can be given",
                trail.index(index)
            ),
            span: item.span,
        }),
        Some(text) => Ok(text.to_owned()),
        None => Err(wrong(item, trail.index(index), "a string")),
    };
    items.iter().enumerate().map(string).collect()
}

/// Returns a field, unless it is absent or `null`.
fn given<'a>(object: &'a Object, key: &str) -> Option<&'a Node> {
    object.get(key).filter(|node| node.value != Value::Null)
}

fn wrong(node: &Node, trail: Trail<'_>, expected: &str) -> ManifestError {
    ManifestError::Parse {
        why: format!("{trail}: expected {expected}, got {}", came(node)),
        span: node.span,
    }
}

impl Draft<'_> {
    /// Asks the draft's questions in the draft's order.
    fn checked(self, names: &mut HashSet<String>) -> Result<ToolSpec, ManifestError> {
        let (index, mut spec) = (self.index, self.spec.clone());
        if spec.name.is_empty() {
            let span = self.span_of("name");
            return Err(ManifestError::NoName { index, span });
        }
        let fault = |fault, span| {
            Err(ManifestError::Tool {
                index,
                name: spec.name.clone(),
                fault,
                span,
            })
        };
        if !names.insert(spec.name.clone()) {
            return fault(Fault::Duplicate, self.span_of("name"));
        }
        let Some(first) = spec.command.first() else {
            return fault(Fault::NoCommand, self.span_of("command"));
        };
        let passed = match env_names(spec.env_passthrough.iter().map(String::as_str)) {
            Ok(names) => names,
            Err(error) => {
                let span = self.span_of_item("envPassthrough", error.index);
                return fault(Fault::EnvName(error), span);
            }
        };
        if let Err(error) = program(first) {
            return fault(Fault::Program(error), self.span_of_item("command", 0));
        }
        spec.env_passthrough = passed;
        Ok(spec)
    }

    fn span_of(&self, key: &str) -> Span {
        let start = Span {
            start: self.span.start,
            end: self.span.start + 1,
        };
        given(self.object, key).map_or(start, |node| node.span)
    }

    fn span_of_item(&self, key: &str, index: usize) -> Span {
        let items = self.object.get(key).and_then(Node::as_array);
        let item = items.and_then(|items| items.get(index));
        item.map_or_else(|| self.span_of(key), |node| node.span)
    }
}
