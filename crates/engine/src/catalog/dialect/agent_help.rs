//! `TOOL --agent-help`: a guide for agents. Most programs print Markdown, which is no answer here; some print JSON.
//!
//! Accepted: what `--help-json` prints.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::table::{Attempt, Dialect};
use super::tree::{self, Want};
use super::unreadable::Unreadable;

pub(super) const DIALECT: Dialect = Dialect::new(
    "agent-help",
    &[Attempt {
        literal: "--agent-help",
        words: &["--agent-help"],
    }],
    read,
);

fn read(tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    tree::read(tool, answer, Want::Parameters)
}
