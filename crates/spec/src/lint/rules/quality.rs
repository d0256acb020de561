//! Whether an agent or a person learns from it what they need: descriptions, examples, where to read on.

use std::collections::HashMap;

use super::super::findings::Findings;
use super::super::kind::stem;
use super::super::run::{Context, Extent};
use super::super::view::Tool;
use crate::doc::fields::Quoted;
use crate::doc::{Node, rules};

/// The most characters of a description that are read whole in a list of tools.
const LONG: usize = 200;
/// The most characters of a title.
const LONG_TITLE: usize = 60;

rules! {
    LONG_DESCRIPTION = "quality/long-description", "a description of more than one line",
        "Lists of tools show one line; an agent pays for every word of it in every conversation.";
    SAME_DESCRIPTION = "quality/same-description", "two commands side by side with the same description",
        "An agent chooses between commands by their descriptions.";
    SAYS_NAME = "quality/says-name", "a description that begins with the tool's own name",
        "The name stands beside it already.";
    NO_EXAMPLE = "quality/no-example", "a command that needs options and shows no example",
        "One example saves an agent a failing call.";
    NOTHING_TO_CALL = "quality/nothing-to-call", "a tool without commands",
        "Nothing is known about how it is called. The command \"\" stands for the tool itself.";
    HOMEPAGE = "quality/homepage", "a homepage that is no web address",
        "Nobody can follow it.";
    LICENCE = "quality/licence", "a licence that is no SPDX expression",
        "Programs compare licences by their SPDX identifiers.";
    TITLE = "quality/title", "a title that is empty or long",
        "It stands where a name stands.";
    FILE_NAME = "consistency/file-name", "a file that is not called as its tool",
        "Files of tools are found by name.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    if context.extent == Extent::Whole {
        whole(tool, context, findings);
    }
    if let Some(node) = tool.get("description") {
        description(node, tool.name, findings);
    }
    commands(tool, context, findings);
    if let Some((node, text)) = text(tool.get("homepage"))
        && !is_web_address(text)
    {
        let message = format!("homepage: {} is no web address", Quoted(text));
        findings.push(HOMEPAGE.warning(node.span, message).hint("write it as https://…"));
    }
    if let Some((node, text)) = text(tool.get("license"))
        && !is_licence(text)
    {
        let message = format!("license: {} is no SPDX expression", Quoted(text));
        findings.push(
            LICENCE
                .warning(node.span, message)
                .hint("such as MIT or Apache-2.0 OR MIT"),
        );
    }
    if let Some((node, text)) = text(tool.get("title"))
        && (text.trim().is_empty() || text.chars().count() > LONG_TITLE)
    {
        let message = format!(
            "title: expected 1 to {LONG_TITLE} characters, got {}",
            Quoted(text)
        );
        findings.push(
            TITLE
                .note(node.span, message)
                .hint("leave it out, or write a short one"),
        );
    }
}

fn text(node: Option<&Node>) -> Option<(&Node, &str)> {
    let node = node?;
    Some((node, node.as_str()?))
}

fn whole(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    if tool.commands.is_empty() && tool.globals.is_empty() {
        let message = "no command is described, so an agent cannot tell what to call";
        findings.push(
            NOTHING_TO_CALL
                .note(start(tool.root), message)
                .hint("add \"commands\""),
        );
    }
    // Elsewhere a file may be called as it likes; in these directories its name is how it is found.
    let directory = context.file_name.rsplit('/').nth(1);
    let stem = stem(context.file_name);
    if matches!(directory, Some("shims" | "tools")) && stem != tool.name {
        let span = tool.get("name").map_or(start(tool.root), |name| name.span);
        let message = format!("the file of {} is called {}", Quoted(tool.name), Quoted(stem));
        findings.push(
            FILE_NAME
                .warning(span, message)
                .hint("rename the file, or correct the name"),
        );
    }
}

/// The first character of a node that may go on for pages.
fn start(node: &Node) -> crate::doc::Span {
    crate::doc::Span {
        start: node.span.start,
        end: node.span.start + 1,
    }
}

fn description(node: &Node, tool: &str, findings: &mut Findings) {
    let Some(text) = node.as_str() else { return };
    if text.trim_end().contains('\n') {
        let message = "a description of several lines";
        findings.push(
            LONG_DESCRIPTION
                .warning(node.span, message)
                .hint("say it in one line"),
        );
    } else if text.chars().count() > LONG {
        let message = format!("a description of more than {LONG} characters");
        findings.push(
            LONG_DESCRIPTION
                .note(node.span, message)
                .hint("say it in one line"),
        );
    }
    let said = text.strip_prefix(tool).filter(|_| !tool.is_empty());
    if said.is_some_and(|rest| rest.starts_with([':', ' ', '-', ',']) || rest.is_empty()) {
        let message = format!("the description begins with the name {}", Quoted(tool));
        findings.push(SAYS_NAME.note(node.span, message).hint("begin with what it does"));
    }
}

fn commands(tool: &Tool<'_>, context: Context<'_>, findings: &mut Findings) {
    let mut seen: HashMap<(Option<usize>, &str), &str> = HashMap::new();
    for command in &tool.commands {
        if let Some((node, text)) = text(command.object.get("description")) {
            description(node, tool.name, findings);
            let known = seen.insert((command.parent, text), &command.member.key);
            if let Some(other) = known.filter(|_| !text.is_empty()) {
                let message = format!(
                    "{} has the description of {}",
                    Quoted(&command.member.key),
                    Quoted(other)
                );
                findings.push(
                    SAME_DESCRIPTION
                        .note(node.span, message)
                        .hint("say what makes them different"),
                );
            }
        }
        let needs = |option: &super::super::view::Parameter<'_>| {
            option
                .get("required")
                .is_some_and(|node| node.value == crate::doc::Value::Bool(true))
        };
        let examples = command.object.get("examples").and_then(Node::as_array);
        let shown = examples.is_some_and(|examples| !examples.is_empty());
        if context.extent == Extent::Whole && command.is_leaf && !shown && command.options.iter().any(needs) {
            let message = format!(
                "{} needs options and shows no example",
                Quoted(&tool.title(command))
            );
            findings.push(
                NO_EXAMPLE
                    .note(command.member.key_span, message)
                    .hint("add \"examples\""),
            );
        }
    }
}

fn is_web_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_graphic() && !"<>\"`{}|\\^".contains(c);
        !host.is_empty() && rest.chars().all(plain)
    })
}

/// Whether it has the shape of an SPDX expression; the list of identifiers is not kept here.
fn is_licence(text: &str) -> bool {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut depth = 0_i32;
    let mut wants_id = true;
    for word in spaced.split_whitespace() {
        match word {
            "(" if wants_id => depth += 1,
            ")" if !wants_id && depth > 0 => depth -= 1,
            "AND" | "OR" | "WITH" if !wants_id => wants_id = true,
            id if wants_id => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-.+:".contains(c);
                if !id.chars().all(plain) || matches!(id, "AND" | "OR" | "WITH") {
                    return false;
                }
                wants_id = false;
            }
            _ => return false,
        }
    }
    !wants_id && depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_have_the_shape_of_an_expression() {
        for good in [
            "MIT",
            "Apache-2.0",
            "MIT OR Apache-2.0",
            "(MIT OR BSD-3-Clause) AND Zlib",
            "GPL-2.0-only WITH Classpath-exception-2.0",
            "LicenseRef-x",
            "GPL-3.0+",
        ] {
            assert!(is_licence(good), "{good}");
        }
        for bad in [
            "",
            "Apache 2.0",
            "MIT/Apache-2.0",
            "MIT OR",
            "OR MIT",
            "(MIT",
            "MIT)",
            "see LICENSE",
        ] {
            assert!(!is_licence(bad), "{bad}");
        }
    }

    #[test]
    fn homepages_are_web_addresses() {
        for good in ["https://example.org", "http://example.org/a?b#c"] {
            assert!(is_web_address(good), "{good}");
        }
        for bad in [
            "example.org",
            "https://",
            "javascript:alert(1)",
            "https://a b",
            "https://x/\u{202e}",
        ] {
            assert!(!is_web_address(bad), "{bad}");
        }
    }
}
