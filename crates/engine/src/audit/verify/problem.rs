//! What can be wrong with the record, in one word and in a sentence.

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// A line is not what was written: its hash does not fit, or it is no record at all.
    Changed,
    /// Numbers are left out.
    Missing,
    /// A record stands where another belongs.
    Reordered,
    /// A record does not follow the one before it: one of them was put in the other's place.
    Replaced,
    /// A record is earlier than the one before it.
    Earlier,
    /// The last line was not finished.
    Torn,
    /// Records at the end are gone.
    Truncated,
    /// The file is there, and nothing is in it.
    Emptied,
    /// The file is gone.
    Deleted,
    /// It is another chain than the one that is known: an older copy, perhaps with something added.
    RolledBack,
}

impl Problem {
    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Missing => "missing",
            Self::Reordered => "reordered",
            Self::Replaced => "replaced",
            Self::Earlier => "earlier",
            Self::Torn => "torn",
            Self::Truncated => "truncated",
            Self::Emptied => "emptied",
            Self::Deleted => "deleted",
            Self::RolledBack => "rolled-back",
        }
    }
}

/// The first thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bad {
    /// The number of the record, or the one that was expected.
    pub seq: u64,
    /// The file, without its directory.
    pub file: String,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: Problem,
    /// The same in a sentence. No foreign text is in it.
    pub detail: String,
}
