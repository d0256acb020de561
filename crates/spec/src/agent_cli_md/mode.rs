//! AIP-45, Modes: ways to run of which one at most is taken.

use indexmap::IndexMap;

use crate::declare::{AnyText, List, Prose, STEP_ID, manifest, texts};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, TWICE};
use crate::sandbox_block::Settings;

manifest! {
    /// One way to run.
    pub struct AgentMode closed {
        /// Its name.
        need id: Spanned<String> as ModeId,
        /// What it is for.
        may description: Option<Spanned<String>> as Prose<0, 2000>,
        /// Arguments after those of the manifest.
        may bin_args_append: Vec<Spanned<String>> as List<AnyText>,
        /// Variables that it sets.
        may env: IndexMap<String, Spanned<String>> as Settings,
    }
}

texts! {
    /// The id of a mode.
    ModeId = STEP_ID, "an id such as \"accept-edits\"", "use 1 to 64 small letters, digits and '-'";
}

/// Complains about ids that stand twice.
pub(super) fn check_ids<'a>(
    ids: impl Iterator<Item = &'a Spanned<String>> + Clone,
    field: &Field<'_>,
    out: &mut Complaints,
) {
    for (index, id) in ids.clone().enumerate() {
        if ids.clone().take(index).any(|other| other == id) {
            let what = format!("{}: the id {} stands twice", field.path, Quoted(id));
            out.push(TWICE.error(id.span, what).hint("give each an id of its own"));
        }
    }
}

pub(super) fn check_modes(modes: &[AgentMode], field: &Field<'_>, out: &mut Complaints) {
    check_ids(modes.iter().map(|mode| &mode.id), field, out);
}
