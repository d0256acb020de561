//! Everything that can be said about a manifest: the draft's errors, one for each tool, and what would surprise its
//! author.

use argrail_acli::nearest;

use super::argument_check::{ArgumentCheck, SchemaError};
use super::decode::every_error;
use super::manifest::Schema;
use crate::atip::check_tool_name;
use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Document, Member, Node, Object, Value, rules};

rules! {
    MANIFEST = "tools-json/manifest", "something that the draft forbids",
        "The whole manifest is refused.";
    UNKNOWN = "tools-json/unknown-field", "a field that the draft does not know",
        "Nobody reads it.";
    NO_TOOLS = "tools-json/no-tools", "a manifest without tools",
        "It offers nothing.";
    NAME = "tools-json/name", "a name that cannot be typed as a command",
        "The tool can be exported, and not be called.";
    SCHEMA = "tools-json/schema", "a schema that cannot be used",
        "Arguments cannot be checked, so the tool refuses every call.";
    DESCRIPTION = "tools-json/no-description", "a tool without a description",
        "A model cannot tell what it is for.";
    TIMEOUT = "tools-json/no-time", "a timeout of no time",
        "It counts as none: the caller's applies.";
    => pub(crate) RULES
}

/// The fields of a tool.
const FIELDS: [&str; 6] = [
    "name",
    "description",
    "schema",
    "command",
    "timeoutSec",
    "envPassthrough",
];

/// Returns every complaint about a manifest.
pub(crate) fn complaints(document: &Document) -> Vec<Diagnostic> {
    let errors = every_error(document).into_iter();
    let mut found: Vec<Diagnostic> = errors
        .map(|error| MANIFEST.error(error.span(), error.to_string()).hint(error.hint()))
        .collect();
    let Some(root) = document.root.as_object() else {
        return found;
    };
    found.extend(
        root.members
            .iter()
            .filter_map(|member| unknown(member, &["tools"])),
    );
    let tools = root.get("tools").and_then(Node::as_array).unwrap_or_default();
    if tools.is_empty() && found.is_empty() {
        found.push(
            NO_TOOLS
                .warning(document.root.span, "it lists no tools")
                .hint("list some under \"tools\""),
        );
    }
    for tool in tools.iter().filter_map(Node::as_object) {
        found.extend(of_tool(document, tool));
    }
    found
}

fn of_tool(document: &Document, tool: &Object) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = tool
        .members
        .iter()
        .filter_map(|member| unknown(member, &FIELDS))
        .collect();
    if let Some((name, node)) = tool
        .get("name")
        .and_then(|node| Some((node.as_str()?.trim(), node)))
        && !name.is_empty()
    {
        if let Err(problem) = check_tool_name(name) {
            found.push(
                NAME.warning(node.span, format!("{}: {problem}", Quoted(name)))
                    .hint("use letters, digits, '-', '_', '.' and '+'"),
            );
        }
        if tool.get("description").is_none() {
            let message = format!("{} has no description", Quoted(name));
            found.push(
                DESCRIPTION
                    .note(node.span, message)
                    .hint("say in one line what it does"),
            );
        }
    }
    if let Some(node) = tool.get("schema").filter(|node| node.as_object().is_some()) {
        let text = document
            .text()
            .get(node.span.start..node.span.end)
            .unwrap_or_default();
        let unusable = Schema::new(text)
            .ok()
            .and_then(|schema| ArgumentCheck::new(Some(&schema)).err());
        found.extend(unusable.map(|why| {
            let why = match why {
                SchemaError::TooMuch(why) => why.to_string(),
                SchemaError::Invalid(why) => format!("it is no JSON Schema: {}", Quoted(&why)),
            };
            SCHEMA
                .warning(node.span, format!("the schema cannot be used: {why}"))
                .hint("mend the schema: until then every call of the tool is refused")
        }));
    }
    if let Some(node) = tool.get("timeoutSec")
        && matches!(&node.value, Value::Number(number) if number.as_u64() == Some(0))
    {
        found.push(
            TIMEOUT
                .warning(node.span, "0 seconds count as no timeout: the caller's applies")
                .hint("leave it out, or give it at least 1"),
        );
    }
    found
}

fn unknown(member: &Member, known: &[&str]) -> Option<Diagnostic> {
    let key = member.key.as_str();
    let own = ["x-", "_", "$"].iter().any(|prefix| key.starts_with(prefix));
    if own || known.contains(&key) {
        return None;
    }
    let complaint = UNKNOWN.warning(member.key_span, format!("nobody reads {}", Quoted(key)));
    Some(match nearest(key, known.iter().copied()) {
        Some(near) => complaint.hint(format!("did you mean {near:?}?")),
        None => complaint.hint("leave it out"),
    })
}
