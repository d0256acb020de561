//! `x-argrail about`: who answers, and under which rules.

use argrail_acli::Command;
use serde_json::{Value, json};

pub(super) fn command() -> Command {
    Command::new(
        "about",
        "What argrail is and the directories you may name in paths",
    )
    .example("x-argrail about")
    // It tells them: those of the client, and not only ours.
    .reads_roots()
    .output_schema(json!({
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "version": {"type": "string"},
            "drafts": {"type": "array", "items": {"type": "string"}},
            "roots": {"type": "array", "items": {"type": "string"}},
        },
    }))
    .handler(|call| async move {
        let roots: Vec<Value> = call
            .caller()
            .roots
            .iter()
            .map(|root| root.to_string_lossy().into_owned().into())
            .collect();
        Ok(json!({
            "name": "argrail",
            "version": env!("CARGO_PKG_VERSION"),
            "drafts": ["ACLI 0.1.0"],
            "roots": roots,
        }))
    })
}
