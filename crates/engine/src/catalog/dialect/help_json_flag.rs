//! `TOOL --help-json`: the help text as JSON.
//!
//! Accepted: an object with `name`, `version`, `description` and any of `commands` or `subcommands` (a list or a map),
//! `options`, `flags`, `args`, `arguments`, `globals`; the same below `data`, `result` or `cli`; or a flat list of
//! commands whose names are paths (`"pr create"`). See `tree` for all spellings.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::table::{Attempt, Dialect};
use super::tree::{self, Want};
use super::unreadable::Unreadable;

pub(super) const DIALECT: Dialect = Dialect::new(
    "help-json-flag",
    &[Attempt {
        literal: "--help-json",
        words: &["--help-json"],
    }],
    read,
);

fn read(tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    tree::read(tool, answer, Want::Parameters)
}
