//! AIP-45, Session model: how long a session lives, and how much of it there may be.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::EXTRA;
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;

const MODES: [(&str, SessionMode); 3] = [
    ("ephemeral", SessionMode::Ephemeral),
    ("persistent", SessionMode::Persistent),
    ("resumable", SessionMode::Resumable),
];

/// The policy of sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionPolicy {
    /// What outlives what; `ephemeral` unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<Spanned<SessionMode>>,
    /// How long a session may be without a turn; ten minutes unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1000))]
    pub idle_timeout_ms: Option<u64>,
    /// How many turns it may have; any number unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub max_turns: Option<u64>,
    /// Whether a turn knows of those before it; it does unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_carryover: Option<Spanned<bool>>,
    /// How long a turn may be silent. Not of the draft; real adapters have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1000))]
    pub turn_idle_timeout_ms: Option<u64>,
}

/// What a session outlives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionMode {
    /// Nothing: it ends with the connection.
    #[default]
    Ephemeral,
    /// A connection.
    Persistent,
    /// The host.
    Resumable,
}

impl SessionPolicy {
    /// How long a session may be without a turn when nothing is said.
    pub const IDLE_TIMEOUT_MS: u64 = 600_000;

    /// Returns what a session outlives.
    pub fn mode(&self) -> SessionMode {
        self.mode.as_ref().map(|mode| mode.value).unwrap_or_default()
    }

    /// Returns how long a session may be without a turn.
    pub fn idle_timeout_ms(&self) -> u64 {
        self.idle_timeout_ms.unwrap_or(Self::IDLE_TIMEOUT_MS)
    }

    /// Whether a turn knows of those before it.
    pub fn context_carryover(&self) -> bool {
        self.context_carryover.as_ref().is_none_or(|carry| carry.value)
    }
}

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<SessionPolicy> {
    let mut object = field.open(out)?;
    let mode = object.take("mode").and_then(|field| {
        let mode = field.choice(&MODES, out)?;
        Some(Spanned::new(mode, field.span()))
    });
    let mut whole = |key, least| {
        let number = object
            .take(key)
            .and_then(|field| field.whole(least..=u64::MAX, out));
        number.map(|number| number.value)
    };
    let (idle_timeout_ms, max_turns) = (whole("idle_timeout_ms", 1000), whole("max_turns", 1));
    let context_carryover = object.take("context_carryover").and_then(|field| {
        let truth = field.truth(out)?;
        Some(Spanned::new(truth, field.span()))
    });
    let turn_idle_timeout_ms = turn_idle(object.take("turn_idle_timeout_ms"), out);
    object.shut(out);
    Some(SessionPolicy {
        mode,
        idle_timeout_ms,
        max_turns,
        context_carryover,
        turn_idle_timeout_ms,
    })
}

/// Reads how long a turn may be silent, which adapters write at the top or in the session.
pub(super) fn turn_idle(field: Option<Field<'_>>, out: &mut Complaints) -> Option<u64> {
    let field = field?;
    let time = field.whole(1000..=u64::MAX, out)?;
    let what = "it is no field of the draft; here a turn that is silent for so long ends with an error";
    out.push(field.warn(EXTRA, what).hint("other hosts may not know it"));
    Some(time.value)
}
