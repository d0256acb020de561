//! AIP-45, Session model: how long a session lives, and how much of it there may be.

use super::rules::EXTRA;
use crate::declare::{Whole, manifest, words};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::Field;

manifest! {
    /// The policy of sessions.
    #[derive(Eq, Default)]
    pub struct SessionPolicy closed {
        /// What outlives what; `ephemeral` unless told otherwise.
        may mode: Option<Spanned<SessionMode>>,
        /// How long a session may be without a turn; ten minutes unless told otherwise.
        may idle_timeout_ms: Option<u64> as Whole<1000>,
        /// How many turns it may have; any number unless told otherwise.
        may max_turns: Option<u64> as Whole<1>,
        /// Whether a turn knows of those before it; it does unless told otherwise.
        may context_carryover: Option<Spanned<bool>>,
        /// How long a turn may be silent. Not of the draft; real adapters have it.
        may turn_idle_timeout_ms: Option<u64> as Whole<1000> => tell_turn_idle,
    }
}

words! {
    /// What a session outlives.
    #[derive(Default)]
    pub enum SessionMode {
        /// Nothing: it ends with the connection.
        #[default]
        Ephemeral = "ephemeral",
        /// A connection.
        Persistent = "persistent",
        /// The host.
        Resumable = "resumable",
    }
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

/// Tells of the time that a turn may be silent, which adapters write at the top or in the session.
pub(super) fn tell_turn_idle(_: &Option<u64>, field: &Field<'_>, out: &mut Complaints) {
    let what = "it is no field of the draft; here a turn that is silent for so long ends with an error";
    out.push(field.warn(EXTRA, what).hint("other hosts may not know it"));
}
