//! `version` (§6.4) and the declaration of extensions (§9.2).

use serde_json::json;

use super::ACLI_VERSION;
use super::help::visible_children;
use crate::cli::Cli;
use crate::envelope::Answer;

/// How many names are listed.
const NAMES: usize = 50;

/// Answers `version`. Commands that start with `x-` are extensions; all others are commands.
pub(crate) fn version(cli: &Cli) -> Answer {
    let (extensions, commands): (Vec<&str>, Vec<&str>) = names(cli).partition(|name| name.starts_with("x-"));
    let total = commands.len() + extensions.len();
    let first = |names: &[&str]| {
        names
            .iter()
            .take(NAMES)
            .map(|name| (*name).to_owned())
            .collect::<Vec<_>>()
    };
    Answer::new(json!({
        "acli_version": ACLI_VERSION,
        "implementation": {"name": cli.implementation.name, "version": cli.implementation.version},
        "capabilities": {"commands": first(&commands), "extensions": first(&extensions), "total": total},
    }))
}

/// Returns the names of the top-level commands that may be used.
pub(crate) fn names(cli: &Cli) -> impl Iterator<Item = &str> {
    visible_children(cli, &[], &cli.root).map(|command| command.name())
}
