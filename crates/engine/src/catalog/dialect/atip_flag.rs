//! ATIP's own flag (§3.1): `TOOL --agent` prints metadata and nothing else.
//!
//! In some programs `--agent` means something else, so JSON without an `atip` field is no answer, whatever it holds.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::table::{Attempt, Dialect};
use super::unreadable::Unreadable;

pub(super) const DIALECT: Dialect = Dialect::new(
    "atip",
    &[Attempt {
        literal: "--agent",
        words: &["--agent"],
    }],
    read,
);

/// Only metadata counts, and that is read before a dialect is asked.
fn read(_: &str, _: &Value) -> Result<Metadata, Unreadable> {
    Err(Unreadable::NotADescription)
}
