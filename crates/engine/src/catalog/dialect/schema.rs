//! `TOOL schema`: the interface as JSON. To many programs it is the schema of something else, a database or a settings
//! file, so only a document with commands counts.
//!
//! Accepted: what `--help-json` prints, with commands in it; and lists of tools as model providers have them, each with
//! `name`, `description` and `inputSchema`, `input_schema` or `parameters` as JSON Schema.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::table::{Attempt, Dialect};
use super::tree::{self, Want};
use super::unreadable::Unreadable;

pub(super) const DIALECT: Dialect = Dialect::new(
    "schema",
    &[Attempt {
        literal: "schema",
        words: &["schema"],
    }],
    read,
);

fn read(tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    tree::read(tool, answer, Want::Commands)
}
