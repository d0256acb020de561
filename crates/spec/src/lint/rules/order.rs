//! Whether words on the command line find their place: the order of arguments, groups and what is in them.

use super::super::findings::Findings;
use super::super::view::{Command, Parameter, Tool};
use crate::doc::fields::Quoted;
use crate::doc::{Value, rules};

rules! {
    TWO_LISTS = "consistency/two-variadic", "two arguments that take any number of words",
        "Nobody can tell where the first one ends.";
    LIST_FIRST = "consistency/variadic-not-last", "an argument of any number of words before another",
        "Few tools are called so; most that say so have their arguments in the wrong order.";
    GAP = "consistency/required-after-optional", "an argument that must be given after one that need not",
        "With one word given, nobody can tell which of the two it is.";
    EMPTY_GROUP = "consistency/empty-group", "a group of commands without any",
        "It looks like something that can be called.";
    GROUP_WITH_ARGUMENTS = "consistency/group-with-arguments", "a group of commands that takes arguments itself",
        "A word after it may be a command or an argument.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, findings: &mut Findings) {
    for command in &tool.commands {
        arguments(&command.arguments, findings);
        group(command, findings);
    }
}

fn says(parameter: &Parameter<'_>, key: &str) -> Option<bool> {
    match parameter.get(key).map(|node| &node.value) {
        Some(Value::Bool(truth)) => Some(*truth),
        Some(Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_))
        | None => None,
    }
}

fn arguments(arguments: &[Parameter<'_>], findings: &mut Findings) {
    let mut list: Option<&Parameter<'_>> = None;
    let mut optional: Option<&Parameter<'_>> = None;
    for (index, argument) in arguments.iter().enumerate() {
        let name = Quoted(argument.name);
        if says(argument, "variadic") == Some(true) {
            if let Some(first) = list {
                let message = format!("{} and {name} both take any number of words", Quoted(first.name));
                findings.push(
                    TWO_LISTS
                        .warning(argument.span, message)
                        .hint("make one of them an option"),
                );
            } else if index + 1 < arguments.len() {
                let message = format!("{name} takes any number of words and is not the last argument");
                findings.push(
                    LIST_FIRST
                        .note(argument.span, message)
                        .hint("keep it if the tool is called so"),
                );
            }
            list = Some(argument);
        }
        let required = says(argument, "required").unwrap_or(argument.get("default").is_none());
        match (required, optional) {
            (true, Some(before)) => {
                let message = format!(
                    "{name} must be given, and {} before it need not",
                    Quoted(before.name)
                );
                findings.push(
                    GAP.warning(argument.span, message)
                        .hint("put those that must be given first"),
                );
            }
            (true, None) => {}
            (false, _) => optional = Some(argument),
        }
    }
}

fn group(command: &Command<'_>, findings: &mut Findings) {
    let name = Quoted(&command.member.key);
    let span = command.member.key_span;
    if command.object.get("commands").is_some() && command.is_leaf {
        let message = format!("{name} is a group without commands");
        findings.push(
            EMPTY_GROUP
                .warning(span, message)
                .hint("remove \"commands\", or fill it"),
        );
    }
    if !command.is_leaf && !command.arguments.is_empty() {
        let message = format!("{name} has commands and arguments");
        let hint = "give the arguments to a command below it";
        findings.push(GROUP_WITH_ARGUMENTS.note(span, message).hint(hint));
    }
}
