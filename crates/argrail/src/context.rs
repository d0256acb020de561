//! The tools of this machine as agents hand them to each other (ATIP §4.2).
//!
//! Only tools that may be used are in it. Which of them are signed in is not known yet, so none is said to be.

use argrail_engine::catalog::{Catalogue, Known};
use serde_json::{Map, Value, json};

/// The key of an override that says in which state a tool is.
const STATE: &str = "toolState";

/// Makes the context.
pub(crate) fn of(catalogue: &Catalogue<'_>) -> Value {
    let (tools, _) = catalogue.list();
    let usable: Vec<&Known> = tools.iter().filter(|known| known.is_usable()).collect();
    let names: Vec<&str> = usable
        .iter()
        .map(|known| known.tool.metadata.name.as_str())
        .collect();
    let states: Map<String, Value> = usable
        .iter()
        .filter_map(|known| {
            let origin = known.tool.provenance.iter().find(|(pointer, _)| {
                *pointer == &format!("/{STATE}") || pointer.starts_with(&format!("/{STATE}/"))
            });
            // Only what the user says about the state of a tool counts.
            origin.filter(|(_, origin)| origin.starts_with("override:"))?;
            let state = known.tool.metadata.extra.get(STATE)?;
            Some((known.tool.metadata.name.clone(), state.clone()))
        })
        .collect();
    json!({"toolContext": {
        "availableTools": names,
        "authenticatedTools": [],
        "toolStates": states,
        "recentCommands": [],
    }})
}
