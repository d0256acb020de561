//! `TOOL help --json`: the whole tree of commands as JSON.
//!
//! Asked only where the program itself mentions these two words together, as programs that know them do in their own
//! help: `help` alone would be a file name to many others. Accepted: what `--help-json` prints, with commands in it.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::table::{Attempt, Dialect};
use super::tree::{self, Want};
use super::unreadable::Unreadable;

pub(super) const DIALECT: Dialect = Dialect::new(
    "help-json",
    &[Attempt {
        literal: "help --json",
        words: &["help", "--json"],
    }],
    read,
);

fn read(tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
    tree::read(tool, answer, Want::Commands)
}
