//! What a command counts as, in one word.

use crate::atip::{Effects, claim};

/// What a command counts as, the worse the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It seems to read and to show. A hint, unless the effects claim it, too.
    Read,
    /// Nothing is known.
    Unknown,
    /// It changes something.
    Change,
    /// It destroys something for good, or costs money.
    Destructive,
}

impl Class {
    /// Every class, the harmless first.
    pub const ALL: [Self; 4] = [Self::Read, Self::Unknown, Self::Change, Self::Destructive];

    /// Returns the word for it in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Unknown => "unknown",
            Self::Change => "change",
            Self::Destructive => "destructive",
        }
    }

    /// Returns what these effects amount to, by what they say about changes. Where it talks to does not count.
    pub fn of(effects: &Effects) -> Self {
        let says = |key: &str| claim(effects, key) == Some(true);
        let changes = [
            "filesystem.write",
            "filesystem.delete",
            "creates",
            "modifies",
            "deletes",
        ];
        if says("destructive") || says("cost.billable") {
            Self::Destructive
        } else if changes.into_iter().any(says) || effects.idempotent == Some(false) {
            Self::Change
        } else if effects.idempotent == Some(true) {
            Self::Read
        } else {
            Self::Unknown
        }
    }
}
