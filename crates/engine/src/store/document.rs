//! Small facts that one process writes and another reads, guarded by a revision.

use serde_json::Value;

/// What a document is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A person's decision about a tool or project.
    Trust,
    /// Which steps of a tool's setup were done.
    Ledger,
    /// Who is signed in where.
    Auth,
    /// A conversation with an agent.
    Session,
    /// The digest of a token that answers for a person.
    Token,
}

impl Kind {
    /// Returns its name, as a backend keeps it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trust => "trust",
            Self::Ledger => "ledger",
            Self::Auth => "auth",
            Self::Session => "session",
            Self::Token => "token",
        }
    }
}

/// Which state of a document it is. Each write makes a new one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Revision(pub u64);

/// One document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its key within its kind.
    pub key: String,
    /// Which state this is.
    pub revision: Revision,
    /// When it was written.
    pub written: jiff::Timestamp,
    /// What it says.
    pub body: Value,
}
