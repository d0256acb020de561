//! Whether patterns can be filled in: holes, variables, steps that are commands.

use std::collections::HashMap;

use argrail_acli::{Limits, tokenize};

use super::super::findings::Findings;
use super::super::view::Tool;
use crate::atip::{self, Pattern, Problem, check_tool_name};
use crate::doc::fields::Quoted;
use crate::doc::{Node, Span, Value, rules};

rules! {
    UNDECLARED = "patterns/undeclared", "a step with a hole that no variable describes",
        "Nobody knows what goes into it.";
    UNUSED = "patterns/unused", "a variable that no step uses",
        "An agent asks for a value that changes nothing.";
    BAD_VARIABLE = "patterns/bad-variable", "a variable that no hole can name",
        "It cannot be used.";
    NO_COMMAND = "patterns/no-command", "a step that is no command",
        "It cannot be run.";
    NO_STEPS = "patterns/no-steps", "a pattern without steps",
        "It says nothing.";
    OTHER_HOLE = "patterns/other-hole", "a hole that is written in another way than {name}",
        "It stays as it is when the pattern is filled in.";
    OTHER_TOOL = "patterns/other-tool", "a tool's pattern that never calls the tool",
        "It belongs in a file of patterns.";
    SAME_NAME = "patterns/same-name", "two patterns of one name",
        "The second replaces the first.";
    => pub(super) RULES
}

/// Checks the patterns that a tool brings.
pub(super) fn of_tool(tool: &Tool<'_>, findings: &mut Findings) {
    let nodes = tool.get("patterns").and_then(Node::as_array).unwrap_or_default();
    all(nodes, Some(tool.name), findings);
}

/// Checks a file of patterns.
pub(super) fn of_file(root: &Node, findings: &mut Findings) {
    let inside = root
        .as_object()
        .and_then(|object| object.get("patterns")?.as_array());
    match (&root.value, inside) {
        (Value::Array(nodes), _) => all(nodes, None, findings),
        (_, Some(nodes)) => all(nodes, None, findings),
        (_, None) => all(std::slice::from_ref(root), None, findings),
    }
}

fn all(nodes: &[Node], tool: Option<&str>, findings: &mut Findings) {
    let mut names = std::collections::HashSet::new();
    for node in nodes {
        // Each alone, so that what is found can be placed.
        let Ok(loaded) = atip::decode_patterns(node) else {
            continue;
        };
        let Some(pattern) = loaded.patterns.first() else {
            continue;
        };
        one(node, pattern, tool, findings);
        if !names.insert(pattern.name.clone()) {
            let message = format!("two patterns are called {}", Quoted(&pattern.name));
            let span = node
                .as_object()
                .and_then(|object| object.get("name"))
                .map_or(node.span, |name| name.span);
            findings.push(
                SAME_NAME
                    .warning(span, message)
                    .hint("give one of them another name"),
            );
        }
    }
}

fn one(node: &Node, pattern: &Pattern, tool: Option<&str>, findings: &mut Findings) {
    let Some(object) = node.as_object() else { return };
    let steps = commands(object.get("steps"));
    let name_span = object.get("name").map_or(node.span, |name| name.span);
    let step_span = |step: usize| {
        steps
            .get(step.saturating_sub(1))
            .map_or(name_span, |(span, _)| *span)
    };
    let variables = object.get("variables").and_then(Node::as_object);
    let members = variables.into_iter().flat_map(|variables| &variables.members);
    let spans: HashMap<&str, Span> = members
        .map(|member| (member.key.as_str(), member.key_span))
        .collect();
    let variable_span = |name: &str| spans.get(name).copied().unwrap_or(name_span);
    for problem in atip::check(pattern) {
        let message = problem.to_string();
        findings.push(match &problem {
            Problem::Undeclared { step, .. } => UNDECLARED
                .note(step_span(*step), message)
                .hint("describe it under \"variables\""),
            Problem::Unused { name } => UNUSED
                .warning(variable_span(name), message)
                .hint("remove it, or use it in a step"),
            Problem::BadName { name } => BAD_VARIABLE.error(variable_span(name), message).hint("rename it"),
            Problem::NoCommand { step, .. } => NO_COMMAND
                .error(step_span(*step), message)
                .hint("write one command and its words"),
            Problem::NoSteps => NO_STEPS.warning(name_span, message).hint("add \"steps\""),
        });
    }
    let mut calls = false;
    for (span, command) in &steps {
        other_holes(command, *span, findings);
        let words = tokenize(command, &Limits::default()).unwrap_or_default();
        let Some(first) = words.first() else { continue };
        calls |= Some(first.as_ref()) == tool;
        if check_tool_name(first).is_err() || first.contains('{') {
            let message = format!("a step begins with {}, which is no name of a tool", Quoted(first));
            findings.push(
                NO_COMMAND
                    .warning(*span, message)
                    .hint("begin it with the name of a tool"),
            );
        }
    }
    if let Some(tool) = tool.filter(|_| !calls && !steps.is_empty()) {
        let message = format!("no step of {} calls {}", Quoted(&pattern.name), Quoted(tool));
        findings.push(
            OTHER_TOOL
                .note(name_span, message)
                .hint("move it into a file of patterns"),
        );
    }
}

/// Returns the commands of the steps that decoding keeps, with their places.
fn commands(steps: Option<&Node>) -> Vec<(Span, &str)> {
    let steps = steps.and_then(Node::as_array).unwrap_or_default();
    let command = |node: &'_ Node| {
        node.as_object()
            .and_then(|step| step.get("command"))
            .map(|node| node.span)
    };
    steps
        .iter()
        .filter_map(|node| {
            let text = node
                .as_str()
                .or_else(|| node.as_object()?.get("command")?.as_str())?;
            Some((command(node).unwrap_or(node.span), text))
        })
        .collect()
}

fn other_holes(command: &str, span: Span, findings: &mut Findings) {
    let written = ["{{", "${", "$("]
        .into_iter()
        .find(|opening| command.contains(opening));
    let angled = command.split('<').skip(1).any(|rest| {
        let name = rest.split_once('>').map(|(name, _)| name).unwrap_or_default();
        !name.is_empty() && name.len() < 40 && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c))
    });
    if let Some(opening) = written.or(angled.then_some("<")) {
        let message = format!("a step holds {opening:?}, which is no hole");
        findings.push(OTHER_HOLE.warning(span, message).hint("a hole is written {name}"));
    }
}
