//! `version` (§6.4) and the declaration of extensions (§9.2).

use serde_json::json;

use super::ACLI_VERSION;
use super::help::visible_children;
use super::view::View;
use crate::envelope::Answer;

/// How many names are listed.
const NAMES: usize = 50;

/// Answers `version`. Commands that start with `x-` are extensions; all others are commands.
pub(crate) fn version(view: View<'_>) -> Answer {
    let (extensions, commands): (Vec<&str>, Vec<&str>) = names(view).partition(|name| name.starts_with("x-"));
    let implementation = &view.cli.implementation;
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
        "implementation": {"name": implementation.name, "version": implementation.version},
        "capabilities": {"commands": first(&commands), "extensions": first(&extensions), "total": total},
    }))
}

/// Returns the names of the top-level commands that may be used.
pub(crate) fn names<'c>(view: View<'c>) -> impl Iterator<Item = &'c str> {
    visible_children(view, &[], &view.cli.root).map(|command| command.name())
}
