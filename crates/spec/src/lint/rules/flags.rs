//! Whether options can be told apart and typed: names, flags, what excludes what.

use std::collections::HashMap;

use super::super::findings::Findings;
use super::super::view::{Command, Parameter, Tool};
use crate::atip::is_operator;
use crate::doc::fields::Quoted;
use crate::doc::{Node, Span, rules};

rules! {
    DUPLICATE_OPTION = "consistency/duplicate-option", "two options of one command with the same name",
        "A program that fills in options by name fills in only one.";
    DUPLICATE_FLAG = "consistency/duplicate-flag", "one flag for two options of a command",
        "Nobody knows which one is meant.";
    REPEATED_FLAG = "consistency/repeated-flag", "a flag that one option lists twice",
        "It is superfluous.";
    SHADOWED_FLAG = "consistency/shadowed-flag", "a flag that an outer command uses for another option",
        "The outer option cannot be given here under that flag.";
    FLAG_SHAPE = "consistency/flag-shape", "a flag that is not written as one",
        "It is put on the command line as it stands.";
    EXCLUSIVE = "consistency/exclusive", "an option that excludes one that does not exist",
        "The exclusion has no effect.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, findings: &mut Findings) {
    one_list(&tool.globals, findings);
    exclusions(tool, None, &tool.globals, findings);
    for command in &tool.commands {
        one_list(&command.options, findings);
        exclusions(tool, Some(command), &command.options, findings);
        shadows(tool, command, findings);
    }
}

/// What must hold among options that are described together.
fn one_list(options: &[Parameter<'_>], findings: &mut Findings) {
    let mut names: HashMap<&str, Span> = HashMap::new();
    let mut owners: HashMap<&str, usize> = HashMap::new();
    for (index, option) in options.iter().enumerate() {
        let span = option.get("name").map_or(option.span, |name| name.span);
        if !option.name.is_empty() && names.insert(option.name, span).is_some() {
            let message = format!("two options are called {}", Quoted(option.name));
            findings.push(
                DUPLICATE_OPTION
                    .error(span, message)
                    .hint("give one of them another name"),
            );
        }
        let mut before: Option<&Node> = None;
        for (flag, node) in &option.flags {
            shape(flag, node, findings);
            let flag = flag.trim();
            match owners.insert(flag, index) {
                Some(owner) if owner == index => repeated(flag, node, before, findings),
                Some(_) => {
                    let message = format!("two options have the flag {}", Quoted(flag));
                    findings.push(
                        DUPLICATE_FLAG
                            .error(node.span, message)
                            .hint("leave it to one of them"),
                    );
                }
                None => {}
            }
            before = Some(node);
        }
    }
}

fn repeated(flag: &str, node: &Node, before: Option<&Node>, findings: &mut Findings) {
    let complaint = REPEATED_FLAG
        .warning(node.span, format!("the flag {} is listed twice", Quoted(flag)))
        .hint("remove one");
    // With the comma before it.
    findings.push(match before {
        Some(before) => {
            let span = Span {
                start: before.span.end,
                end: node.span.end,
            };
            complaint.fix(span, "")
        }
        None => complaint,
    });
}

/// How flags are written: `-x`, `--long`, `-long` as Go programs have it, `+x`, `key=` and the `(` of `find` as a few do.
fn shape(flag: &str, node: &Node, findings: &mut Findings) {
    let trimmed = flag.trim();
    if trimmed.is_empty() || trimmed.chars().all(|c| c == '-') {
        let message = format!("flags: {} is no flag", Quoted(flag));
        findings.push(
            FLAG_SHAPE
                .error(node.span, message)
                .hint("write it as -x or --long"),
        );
    } else if trimmed != flag {
        let message = format!("flags: {} has blanks around it", Quoted(flag));
        let quoted = serde_json::Value::from(trimmed).to_string();
        findings.push(
            FLAG_SHAPE
                .warning(node.span, message)
                .hint("remove them")
                .fix(node.span, quoted),
        );
    } else if trimmed.contains(char::is_whitespace) {
        let message = format!("flags: {} holds more than the flag", Quoted(flag));
        let hint = "list only the flag; what follows it is the value";
        findings.push(FLAG_SHAPE.error(node.span, message).hint(hint));
    } else if trimmed.starts_with('+')
        || is_operator(trimmed)
        || (!trimmed.starts_with('-') && trimmed.ends_with('='))
    {
        let message = format!("flags: {} is of a kind that few tools have", Quoted(flag));
        findings.push(
            FLAG_SHAPE
                .note(node.span, message)
                .hint("keep it if the tool is called so"),
        );
    } else if !trimmed.starts_with('-') {
        let message = format!("flags: {} does not begin with '-'", Quoted(flag));
        findings.push(
            FLAG_SHAPE
                .warning(node.span, message)
                .hint("write it as -x or --long"),
        );
    } else if trimmed.ends_with('=') || trimmed.contains(['<', '>', '[', ']']) {
        let message = format!("flags: {} holds more than the flag", Quoted(flag));
        let hint = "list only the flag; what follows it is the value";
        findings.push(FLAG_SHAPE.warning(node.span, message).hint(hint));
    }
}

fn exclusions(
    tool: &Tool<'_>,
    command: Option<&Command<'_>>,
    options: &[Parameter<'_>],
    findings: &mut Findings,
) {
    for option in options {
        let others = option
            .get("exclusive")
            .and_then(Node::as_array)
            .unwrap_or_default();
        for node in others {
            let Some(other) = node.as_str() else { continue };
            let known = tool.knows_name(command, other);
            if !known || other == option.name {
                let message = format!(
                    "{} excludes {}, which is no other option of this command",
                    Quoted(option.name),
                    Quoted(other)
                );
                findings.push(
                    EXCLUSIVE
                        .warning(node.span, message)
                        .hint("name it as its \"name\" has it"),
                );
            }
        }
    }
}

fn shadows(tool: &Tool<'_>, command: &Command<'_>, findings: &mut Findings) {
    let outer = command.parent.and_then(|parent| tool.commands.get(parent));
    for option in &command.options {
        for (flag, node) in &option.flags {
            if tool.flag(outer, flag.trim()).is_some() {
                let message = format!("{} means another option outside this command", Quoted(flag));
                findings.push(
                    SHADOWED_FLAG
                        .note(node.span, message)
                        .hint("say so in the description"),
                );
            }
        }
    }
}
