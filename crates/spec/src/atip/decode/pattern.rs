//! Patterns (ATIP §3.2.8): of a tool, or a file of them.

use indexmap::IndexMap;

use super::super::model::{Kind, Pattern, Step, Variable};
use crate::doc::fields::{Complaints, Fields, Trail, wrong_type};
use crate::doc::{Diagnostic, Member, Node, Severity, Value};

/// Patterns of a file, and what was odd about them.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedPatterns {
    /// The patterns, in order.
    pub patterns: Vec<Pattern>,
    /// What was not understood.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a pattern file: one pattern, an array of them, or `{"patterns": […]}`.
///
/// # Errors
/// When it is none of these.
pub fn decode_patterns(root: &Node) -> Result<LoadedPatterns, Diagnostic> {
    let mut complaints = Complaints::default();
    let trail = Trail::root();
    let patterns = match &root.value {
        Value::Array(items) => list(items, &trail, &mut complaints),
        Value::Object(object) if object.get("patterns").is_some() => {
            let mut fields = Fields::of(root, trail, &mut complaints);
            fields
                .as_mut()
                .map(|fields| patterns(fields, &mut complaints))
                .unwrap_or_default()
        }
        Value::Object(_) => pattern(root, trail, &mut complaints).into_iter().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let message = format!("expected a pattern or a list of patterns, got {}", root.kind());
            return Err(Diagnostic::new(
                Severity::Error,
                "atip/not-patterns",
                root.span,
                message,
            ));
        }
    };
    Ok(LoadedPatterns {
        patterns,
        warnings: complaints.into_list(),
    })
}

/// Takes the field `patterns`.
pub(super) fn patterns(owner: &mut Fields<'_>, complaints: &mut Complaints) -> Vec<Pattern> {
    let items = owner.items("patterns", complaints).unwrap_or_default();
    let parent = owner.trail();
    list(items, &parent.key("patterns"), complaints)
}

fn list(items: &[Node], trail: &Trail<'_>, complaints: &mut Complaints) -> Vec<Pattern> {
    let read = |(index, item)| pattern(item, trail.index(index), complaints);
    items.iter().enumerate().filter_map(read).collect()
}

fn pattern(node: &Node, trail: Trail<'_>, complaints: &mut Complaints) -> Option<Pattern> {
    let mut fields = Fields::of(node, trail, complaints)?;
    let Some(name) = fields.text("name", complaints).filter(|name| !name.is_empty()) else {
        let message = format!("{trail}: left out, because it has no \"name\"");
        complaints.warn("atip/missing", node.span, message);
        return None;
    };
    let items = fields.items("steps", complaints).unwrap_or_default();
    if items.is_empty() {
        complaints.warn("atip/missing", node.span, format!("{trail}: no \"steps\""));
    }
    let steps = trail.key("steps");
    let read = |(index, item)| step(item, steps.index(index), complaints);
    let steps = items.iter().enumerate().filter_map(read).collect();
    let described = fields.take("variables");
    Some(Pattern {
        name,
        description: fields.text("description", complaints).unwrap_or_default(),
        steps,
        variables: variables(described, &trail.key("variables"), complaints),
        tags: fields.texts("tags", complaints).unwrap_or_default(),
        executable: fields.truth("executable", complaints),
        extra: fields.rest(),
    })
}

/// A step is an object; a bare command is one without a description.
fn step(node: &Node, trail: Trail<'_>, complaints: &mut Complaints) -> Option<Step> {
    if let Some(command) = node.as_str() {
        return Some(Step {
            command: command.to_owned(),
            ..Step::default()
        });
    }
    let mut fields = Fields::of(node, trail, complaints)?;
    let Some(command) = fields.text("command", complaints) else {
        let message = format!("{trail}: left out, because it has no \"command\"");
        complaints.warn("atip/missing", node.span, message);
        return None;
    };
    Some(Step {
        command,
        description: fields.text("description", complaints).unwrap_or_default(),
        extra: fields.rest(),
    })
}

fn variables(
    member: Option<&Member>,
    trail: &Trail<'_>,
    complaints: &mut Complaints,
) -> IndexMap<String, Variable> {
    let Some(fields) = member.and_then(|member| Fields::of(&member.node, *trail, complaints)) else {
        return IndexMap::new();
    };
    let read = |member: &Member| Some((member.key.clone(), variable(member, trail, complaints)?));
    fields.left().filter_map(read).collect()
}

fn variable(member: &Member, trail: &Trail<'_>, complaints: &mut Complaints) -> Option<Variable> {
    let trail = trail.key(&member.key);
    let mut fields = Fields::of(&member.node, trail, complaints)?;
    let mut kind = Kind::default();
    if let Some(member) = fields.take("type") {
        match member.node.as_str().and_then(Kind::named) {
            Some(known) => kind = known,
            None => wrong_type(&member.node, trail.key("type"), "a type of the draft", complaints),
        }
    }
    let values = fields.items("enum", complaints);
    Some(Variable {
        kind,
        description: fields.text("description", complaints).unwrap_or_default(),
        default: fields.json("default"),
        values: values.map(|items| items.iter().map(Node::to_json).collect()),
        extra: fields.rest(),
    })
}
