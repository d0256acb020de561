//! AIP-45, Modes: ways to run of which one at most is taken.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Field, TWICE, is_step_id, texts_or_none};
use crate::sandbox_block::decode_settings;

/// One way to run.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentMode {
    /// Its name.
    #[schemars(regex(pattern = r"^[a-z0-9][a-z0-9\-]{0,63}$"))]
    pub id: Spanned<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<Spanned<String>>,
    /// Arguments after those of the manifest.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub bin_args_append: Vec<Spanned<String>>,
    /// Variables that it sets.
    #[serde(skip_serializing_if = "IndexMap::is_empty", default)]
    pub env: IndexMap<String, Spanned<String>>,
}

/// Reads the modes; none is called like another.
pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Vec<AgentMode>> {
    let modes = field.list(out, one)?;
    for (index, mode) in modes.iter().enumerate() {
        if modes.iter().take(index).any(|other| other.id == mode.id) {
            twice(field, &mode.id, out);
        }
    }
    Some(modes)
}

/// Complains about an id that stands twice.
pub(super) fn twice(field: &Field<'_>, id: &Spanned<String>, out: &mut Complaints) {
    let what = format!("{}: the id {} stands twice", field.path, Quoted(id));
    out.push(TWICE.error(id.span, what).hint("give each an id of its own"));
}

fn one(field: &Field<'_>, out: &mut Complaints) -> Option<AgentMode> {
    let mut object = field.open(out)?;
    let id = object.need("id", out).and_then(|field| {
        let hint = "use 1 to 64 small letters, digits and '-'";
        field.shaped(is_step_id, "an id such as \"accept-edits\"", hint, out)
    });
    let description = object
        .take("description")
        .and_then(|field| field.prose(0..=2000, out));
    let bin_args_append = texts_or_none(object.take("bin_args_append"), out).unwrap_or_default();
    let env = decode_settings(object.take("env"), out).unwrap_or_default();
    object.shut(out);
    Some(AgentMode {
        id: id?,
        description,
        bin_args_append,
        env,
    })
}
