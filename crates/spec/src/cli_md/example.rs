//! AIP-29 `examples`: what people use the program for, and how.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;

/// The longest text of an example.
const LONGEST: usize = 2_000;

/// One use of the program.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What it is good for.
    #[schemars(length(min = 1, max = 2000))]
    pub goal: Spanned<String>,
    /// What is typed. For reading: it is never run.
    #[schemars(length(min = 1, max = 2000))]
    pub cmd: Spanned<String>,
    /// What else is worth knowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 2000))]
    pub note: Option<Spanned<String>>,
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Example> {
    let mut object = field.open(out)?;
    let goal = object
        .need("goal", out)
        .and_then(|field| field.prose(1..=LONGEST, out));
    let cmd = object
        .need("cmd", out)
        .and_then(|field| field.prose(1..=LONGEST, out));
    let note = object
        .take("note")
        .and_then(|field| field.prose(1..=LONGEST, out));
    object.shut(out);
    Some(Example {
        goal: goal?,
        cmd: cmd?,
        note,
    })
}
