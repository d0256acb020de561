//! AIP-45 `examples`: what people ask the agent for.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;

/// The longest text of an example.
const LONGEST: usize = 2_000;

/// One use of the agent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgentExample {
    /// What it is good for.
    #[schemars(length(min = 1, max = 2000))]
    pub goal: Spanned<String>,
    /// What is said. For reading: it is never sent.
    #[schemars(length(min = 1, max = 2000))]
    pub prompt: Spanned<String>,
    /// What else is worth knowing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 2000))]
    pub note: Option<Spanned<String>>,
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<AgentExample> {
    let mut object = field.open(out)?;
    let mut need = |key| {
        let field = object.need(key, out)?;
        field.prose(1..=LONGEST, out)
    };
    let (goal, prompt) = (need("goal"), need("prompt"));
    let note = object
        .take("note")
        .and_then(|field| field.prose(1..=LONGEST, out));
    object.shut(out);
    Some(AgentExample {
        goal: goal?,
        prompt: prompt?,
        note,
    })
}
