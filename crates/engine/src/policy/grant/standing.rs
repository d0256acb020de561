//! The grant itself, and whether it holds.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::pattern::Pattern;

/// A short name for a grant, to be typed: `g-4xk2m`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GrantId(pub String);

impl fmt::Display for GrantId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A standing yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    /// Its name.
    pub id: GrantId,
    /// Which calls it covers.
    pub pattern: Pattern,
    /// Whose calls. Nobody named means everybody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// The session whose calls, where it holds no longer than that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The question that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Who gave it.
    pub given_by: String,
    /// When.
    pub created_at: Timestamp,
    /// Until when. Nothing means until it is taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<Timestamp>,
    /// When it last answered a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    /// How many it answered.
    #[serde(default)]
    pub uses: u64,
}

impl Grant {
    /// Whether it holds at `now`.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end) && self.created_at <= now
    }
}
