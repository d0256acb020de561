//! An entry that cannot be read: it is told by its name, answers nothing, and keeps nobody from the others.

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DamagedKind {
    /// A question whose time is not over.
    Question,
    /// A grant.
    Grant,
}

impl DamagedKind {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Grant => "grant",
        }
    }
}

/// An entry that this program would not have written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// Its name, as far as it can be read.
    pub id: String,
    /// What it is.
    pub kind: DamagedKind,
    /// What is wrong with it.
    pub problem: String,
}
