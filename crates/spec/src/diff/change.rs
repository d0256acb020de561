//! One change, and what all of them call for.

use crate::doc::pointer_step;
use serde::Serialize;
use serde_json::Value;

/// What changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Every change, in the order of the metadata.
    pub changes: Vec<Change>,
    /// Which part of the version number should grow.
    pub advice: Advice,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Whom it concerns.
    pub kind: ChangeKind,
    /// Where it is, or would be: a JSON pointer into the new metadata, or into the old for a command, an option or an
    /// argument that is gone.
    pub pointer: String,
    /// What happened, in our words.
    pub what: &'static str,
    /// What was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<Value>,
    /// What is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Value>,
    /// What this change alone calls for.
    pub advice: Advice,
}

/// Whom a change concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// Somebody's call no longer works, or means something else.
    Breaking,
    /// Nobody's.
    Safe,
    /// What a command does to the world is claimed otherwise.
    Effects,
}

impl ChangeKind {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Breaking => "breaking",
            Self::Safe => "safe",
            Self::Effects => "effects",
        }
    }
}

/// Which part of a semantic version should grow. The later ones outweigh the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Advice {
    /// None of them.
    None,
    /// The last.
    Patch,
    /// The middle one.
    Minor,
    /// The first.
    Major,
}

impl Advice {
    /// Returns the word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

/// The changes that were found so far, and where we are.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    found: Vec<Change>,
    place: Vec<String>,
}

impl Changes {
    /// Looks one step deeper while `look` runs.
    pub(crate) fn at(&mut self, step: impl ToString, look: impl FnOnce(&mut Self)) {
        self.place.push(pointer_step(&step.to_string()));
        look(self);
        self.place.pop();
    }

    /// Notes that a call breaks.
    pub(crate) fn breaking(&mut self, what: &'static str, old: Option<Value>, new: Option<Value>) {
        self.note(ChangeKind::Breaking, Advice::Major, what, old, new);
    }

    /// Notes something that was not there before.
    pub(crate) fn added(&mut self, what: &'static str, old: Option<Value>, new: Option<Value>) {
        self.note(ChangeKind::Safe, Advice::Minor, what, old, new);
    }

    /// Notes other words for the same.
    pub(crate) fn reworded(&mut self, what: &'static str, old: Option<Value>, new: Option<Value>) {
        self.note(ChangeKind::Safe, Advice::Patch, what, old, new);
    }

    /// Notes another claim about effects.
    pub(crate) fn effect(
        &mut self,
        advice: Advice,
        what: &'static str,
        old: Option<Value>,
        new: Option<Value>,
    ) {
        self.note(ChangeKind::Effects, advice, what, old, new);
    }

    fn note(
        &mut self,
        kind: ChangeKind,
        advice: Advice,
        what: &'static str,
        old: Option<Value>,
        new: Option<Value>,
    ) {
        let pointer = self.place.iter().map(|step| format!("/{step}")).collect();
        self.found.push(Change {
            kind,
            pointer,
            what,
            old,
            new,
            advice,
        });
    }

    /// Returns what the changes so far call for.
    pub(crate) fn advice(&self) -> Advice {
        let advice = self.found.iter().map(|change| change.advice).max();
        advice.unwrap_or(Advice::None)
    }

    /// Returns all of them.
    pub(crate) fn finish(self) -> Difference {
        Difference {
            advice: self.advice(),
            changes: self.found,
        }
    }
}
