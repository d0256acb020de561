//! What a person says to a question.

use std::time::Duration;

use super::asked::Asked;

/// An answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decision {
    /// The question, as it was shown.
    pub(crate) asked: Asked,
    /// The answer.
    pub(crate) choice: Choice,
}

/// What a person says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Yes, this once.
    Once,
    /// Yes, and to what fits the pattern, for a time.
    Grant {
        /// The pattern.
        scope: String,
        /// How long; nothing is until it is taken back.
        lives: Option<Duration>,
        /// The session that it is for, where it is for one alone.
        session: Option<String>,
    },
    /// No, and perhaps why.
    Deny(Option<String>),
}
