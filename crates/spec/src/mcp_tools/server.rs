//! A server with its tools as the metadata of one tool. Its name is the one that the user gave it.

use serde_json::Value;

use super::command::command;
use super::room::{WORD, cut};
use crate::atip::{Atip, Commands, Extra, Loaded, Metadata, Omitted, check_tool_name};
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Diagnostic, Severity, Span};

/// The most tools of one server that become commands.
pub const MOST_TOOLS: usize = 1_000;
/// The most bytes of all commands as JSON: metadata is read again up to 4 MiB.
const MOST_BYTES: usize = 3 << 20;
/// The most values in all commands: metadata is read again up to 200,000.
const MOST_NODES: usize = 150_000;

/// Returns the tools of a server as the commands of the tool `server_name`.
///
/// `server_info` is what it says of itself when a session begins, `tools` the array of all pages of `tools/list`.
///
/// # Errors
/// `mcp/bad-server-name` when the name is none, `mcp/not-tools` when `tools` is no array.
pub fn metadata(server_name: &str, server_info: &Value, tools: &Value) -> Result<Loaded, Diagnostic> {
    let refuse = |code, message| Diagnostic::new(Severity::Error, code, Span::default(), message);
    check_tool_name(server_name).map_err(|problem| {
        refuse(
            "mcp/bad-server-name",
            format!("server {}: {problem}", Quoted(server_name)),
        )
        .hint("Give the server another name under \"mcpServers\" in config.json")
    })?;
    let Some(tools) = tools.as_array() else {
        let message = format!("server {}: expected an array of tools", Quoted(server_name));
        return Err(
            refuse("mcp/not-tools", message).hint("Ask the author of the server to follow tools/list")
        );
    };
    let mut complaints = Complaints::default();
    let commands = commands(tools, &mut complaints);
    let some = |key: &str| {
        let text = server_info.get(key)?.as_str()?.trim();
        (!text.is_empty()).then(|| cut(text, WORD))
    };
    let is_url = |url: &String| url.starts_with("https://") || url.starts_with("http://");
    let (total, included) = (count(tools.len()), count(commands.len()));
    let all = tools.len() == commands.len();
    let own_name = some("name").unwrap_or_else(|| server_name.to_owned());
    let metadata = Metadata {
        atip: Atip {
            version: "0.1".to_owned(),
            ..Atip::default()
        },
        name: server_name.to_owned(),
        version: some("version"),
        title: some("title"),
        description: some("description").unwrap_or_else(|| format!("Tools of the MCP server {server_name}")),
        homepage: some("websiteUrl").filter(is_url),
        partial: (!all).then_some(true),
        total_commands: (!all).then_some(total),
        included_commands: (!all).then_some(included),
        omitted: (!all).then(|| Omitted {
            reason: Some("size-limited".to_owned()).filter(|_| tools.len() > MOST_TOOLS),
            safety_assumption: Some("unknown".to_owned()),
            extra: Extra::new(),
        }),
        commands,
        extra: Extra::from_iter([("x-mcp-server".to_owned(), own_name.into())]),
        ..Metadata::default()
    };
    Ok(Loaded {
        metadata,
        warnings: complaints.into_list(),
    })
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn commands(tools: &[Value], complaints: &mut Complaints) -> Commands {
    let mut commands = Commands::new();
    let (mut bytes, mut nodes) = (0, 0);
    for (index, tool) in tools.iter().take(MOST_TOOLS).enumerate() {
        let Some((name, command)) = command(index, tool, complaints) else {
            continue;
        };
        let json = serde_json::to_value(&command).unwrap_or_default();
        let (more_bytes, more_nodes) = (json.to_string().len() + name.len(), nodes_of(&json));
        let reason = if commands.contains_key(&name) {
            // The first one stays: a later tool must not take the place of one that is known.
            Some(("mcp/two-names", "another one has this name"))
        } else if bytes + more_bytes > MOST_BYTES || nodes + more_nodes > MOST_NODES {
            Some(("mcp/too-large", "all together are too large"))
        } else {
            None
        };
        if let Some((code, reason)) = reason {
            let message = format!("tools[{index}] {}: left out, because {reason}", Quoted(&name));
            complaints.warn(code, Span::default(), message);
            continue;
        }
        bytes += more_bytes;
        nodes += more_nodes;
        commands.insert(name, command);
    }
    let surplus = tools.len().saturating_sub(MOST_TOOLS);
    if surplus > 0 {
        let message = format!("{surplus} tools are left out: a server may have {MOST_TOOLS}");
        complaints.warn("mcp/too-many", Span::default(), message);
    }
    commands
}

fn nodes_of(value: &Value) -> usize {
    let mut open = vec![value];
    let mut count = 0;
    while let Some(value) = open.pop() {
        count += 1;
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    count
}
