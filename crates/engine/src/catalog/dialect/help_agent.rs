//! `TOOL --help-agent`: help for agents, as text, YAML or JSON. Only JSON is an answer here.
//!
//! Accepted: what `--help-json` prints. The plural `--help-agents`, which some programs use, holds the literal too and
//! is tried after it.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::table::{Attempt, Dialect};
use super::tree::{self, Want};
use super::unreadable::Unreadable;

pub(super) const DIALECT: Dialect = Dialect::new(
    "help-agent",
    &[
        Attempt {
            literal: "--help-agent",
            words: &["--help-agent"],
        },
        Attempt {
            literal: "--help-agents",
            words: &["--help-agents"],
        },
    ],
    read,
);

fn read(tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    tree::read(tool, answer, Want::Parameters)
}
