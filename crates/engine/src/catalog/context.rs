//! The tools of this machine as agents hand them to each other (ATIP §4.2).
//!
//! Only tools that may be used are in it. Which of them are signed in is not known yet, so none is said to be.

use serde_json::{Map, Value, json};

use super::known::{Catalogue, Known};
use crate::recent::Recent;

/// The key of an override that says in which state a tool is.
const STATE: &str = "toolState";

/// Makes the context of whoever made the calls in `recent` and may reach the tools that `is_reachable` says.
pub fn tool_context(
    catalogue: &Catalogue<'_>,
    recent: &[Recent],
    is_reachable: impl Fn(&str) -> bool,
) -> Value {
    let (tools, _) = catalogue.heads();
    let usable = |known: &&Known| known.is_usable() && is_reachable(&known.tool.metadata.name);
    let usable: Vec<&Known> = tools.iter().filter(usable).collect();
    let name = |known: &Known| known.tool.metadata.name.clone();
    let is_usable = |tool: &str| usable.iter().any(|known| known.tool.metadata.name == tool);
    let calls = recent.iter().filter(|call| is_usable(&call.tool)).map(|call| {
        let mut told = json!({"tool": call.tool, "command": call.command});
        if let (Some(exit), Some(fields)) = (call.exit, told.as_object_mut()) {
            fields.insert("exitCode".to_owned(), exit.into());
        }
        told
    });
    let states: Map<String, Value> = usable
        .iter()
        .filter_map(|known| Some((name(known), state(known)?.clone())))
        .collect();
    json!({"toolContext": {
        "availableTools": usable.iter().map(|known| name(known)).collect::<Vec<_>>(),
        "authenticatedTools": [],
        "toolStates": states,
        "recentCommands": calls.collect::<Vec<_>>(),
    }})
}

/// Returns the state of a tool, if the user says it: nobody else's word counts.
fn state(known: &Known) -> Option<&Value> {
    let told = known.tool.metadata.extra.get(STATE)?;
    let (own, below) = (format!("/{STATE}"), format!("/{STATE}/"));
    let fields = known.tool.provenance.fields(&known.tool.metadata);
    let said = fields.iter().any(|(pointer, origin)| {
        (*pointer == own || pointer.starts_with(&below)) && origin.starts_with("override:")
    });
    said.then_some(told)
}
