//! Whether values fit what is said about them: types, lists of values, defaults, regular expressions.

use std::collections::HashSet;

use super::super::findings::Findings;
use super::super::view::{Parameter, Tool};
use crate::doc::fields::{Quoted, came};
use crate::doc::{Node, Value, rules};

/// A longer expression is not compiled: it costs more than it could check.
const LONGEST_PATTERN: usize = 1000;
/// The most memory that one compiled expression may take.
const LARGEST_PATTERN: usize = 1 << 20;
/// The most expressions of a file that are compiled: a few thousand large ones would take minutes.
const MOST_PATTERNS: usize = 200;

rules! {
    NO_VALUES = "consistency/enum-without-values", "the type enum without a list of values",
        "No value is allowed, so the option cannot be used.";
    IDLE_VALUES = "consistency/enum-on-other-type", "a list of values on a type that has none",
        "The draft gives the list to the type enum.";
    SAME_VALUE = "consistency/enum-repeats", "a list that holds a value twice",
        "JSON Schema forbids it, so providers refuse the tool.";
    DEFAULT_VALUE = "consistency/default-not-listed", "a default that is none of the listed values",
        "Either the list or the default is wrong.";
    DEFAULT_TYPE = "consistency/default-type", "a default of another type",
        "An agent that repeats it is refused.";
    DEFAULT_REQUIRED = "consistency/default-of-required", "a default of something that must be given",
        "It never counts.";
    BAD_PATTERN = "consistency/pattern", "a pattern that cannot be used as a regular expression",
        "No value can be checked against it.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, findings: &mut Findings) {
    let all = || {
        let commands = tool.commands.iter();
        let of_commands = commands.flat_map(|command| command.options.iter().chain(&command.arguments));
        tool.globals.iter().chain(of_commands)
    };
    for parameter in all() {
        values(parameter, findings);
        default(parameter, findings);
    }
    let patterned = all().filter(|parameter| parameter.get("pattern").is_some());
    for parameter in patterned.take(MOST_PATTERNS) {
        pattern(parameter, findings);
    }
}

fn values(parameter: &Parameter<'_>, findings: &mut Findings) {
    let list = parameter.get("enum").and_then(Node::as_array);
    match (parameter.kind, list) {
        (Some("enum"), None | Some([])) => {
            let message = format!("{} is an enum without values", Quoted(parameter.name));
            findings.push(NO_VALUES.error(parameter.span, message).hint("add \"enum\": […]"));
        }
        (Some(kind @ ("boolean" | "file" | "directory" | "url")), Some(_)) => {
            let span = parameter.get("enum").map_or(parameter.span, |node| node.span);
            let message = format!(
                "{} lists values and has the type {kind:?}",
                Quoted(parameter.name)
            );
            findings.push(
                IDLE_VALUES
                    .note(span, message)
                    .hint("the type that has values is \"enum\""),
            );
        }
        (_, _) => {}
    }
    let mut seen = HashSet::new();
    for node in list.unwrap_or_default() {
        if !seen.insert(node.to_json().to_string()) {
            let message = format!("enum: {} stands twice", came(node));
            findings.push(SAME_VALUE.warning(node.span, message).hint("remove one"));
        }
    }
}

fn default(parameter: &Parameter<'_>, findings: &mut Findings) {
    let Some(default) = parameter.get("default").filter(|node| node.value != Value::Null) else {
        return;
    };
    let name = Quoted(parameter.name);
    if parameter
        .get("required")
        .is_some_and(|node| node.value == Value::Bool(true))
    {
        let message = format!("{name} must be given, so its default never counts");
        findings.push(
            DEFAULT_REQUIRED
                .warning(default.span, message)
                .hint("remove one of the two"),
        );
    }
    if let Some(list) = parameter.get("enum").and_then(Node::as_array) {
        let all: HashSet<String> = list.iter().map(|item| item.to_json().to_string()).collect();
        let listed = |value: &Node| all.contains(&value.to_json().to_string());
        let all_listed = match &default.value {
            Value::Array(items) => listed(default) || items.iter().all(listed),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                listed(default)
            }
        };
        if !list.is_empty() && !all_listed {
            let message = format!(
                "the default of {name} is {}, which \"enum\" does not list",
                came(default)
            );
            findings.push(
                DEFAULT_VALUE
                    .error(default.span, message)
                    .hint("list it, or choose a listed one"),
            );
        }
    } else if let Some(kind) = parameter
        .kind
        .filter(|kind| !fits(kind, &default.value, parameter))
    {
        let message = format!(
            "{name} has the type {}, and its default is {}",
            Quoted(kind),
            came(default)
        );
        let complaint = DEFAULT_TYPE
            .warning(default.span, message)
            .hint("write the default as a value of that type");
        findings.push(match bare(kind, &default.value) {
            Some(text) => complaint.fix(default.span, text),
            None => complaint,
        });
    }
}

/// Whether a value is of a type. A variadic parameter may have a list of such values.
fn fits(kind: &str, value: &Value, parameter: &Parameter<'_>) -> bool {
    let variadic = parameter
        .get("variadic")
        .is_some_and(|node| node.value == Value::Bool(true));
    if let (true, Value::Array(items)) = (variadic, value) {
        return items.iter().all(|item| fits_one(kind, &item.value));
    }
    fits_one(kind, value)
}

fn fits_one(kind: &str, value: &Value) -> bool {
    match (kind, value) {
        ("string" | "file" | "directory" | "url" | "enum", value) => matches!(value, Value::String(_)),
        ("integer", Value::Number(number)) => number.is_i64() || number.is_u64(),
        ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) | ("array", Value::Array(_)) => true,
        ("integer" | "number" | "boolean" | "array", _) => false,
        // A type that the draft lacks was complained about; nothing is known about its values.
        (_, _) => true,
    }
}

/// Returns the value that stands in quotes and should not.
fn bare(kind: &str, value: &Value) -> Option<String> {
    let Value::String(text) = value else { return None };
    let meant = match kind {
        "boolean" => text == "true" || text == "false",
        "integer" => text
            .parse::<i64>()
            .is_ok_and(|number| number.to_string() == *text),
        _ => false,
    };
    meant.then(|| text.clone())
}

fn pattern(parameter: &Parameter<'_>, findings: &mut Findings) {
    let Some((node, text)) = parameter
        .get("pattern")
        .and_then(|node| Some((node, node.as_str()?)))
    else {
        return;
    };
    let name = Quoted(parameter.name);
    if text.chars().count() > LONGEST_PATTERN {
        let message = format!("the pattern of {name} has more than {LONGEST_PATTERN} characters");
        findings.push(
            BAD_PATTERN
                .warning(node.span, message)
                .hint("write a shorter one"),
        );
        return;
    }
    let compiled = fancy_regex::RegexBuilder::new(text)
        .delegate_size_limit(LARGEST_PATTERN)
        .build();
    if let Err(problem) = compiled {
        let problem = problem.to_string();
        let message = format!("the pattern of {name} cannot be used: {}", Quoted(&problem));
        let hint = "patterns are regular expressions as JavaScript has them";
        findings.push(BAD_PATTERN.warning(node.span, message).hint(hint));
    }
}
