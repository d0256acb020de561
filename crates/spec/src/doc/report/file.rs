//! One checked file and what was found in it.

use crate::doc::{Diagnostic, Severity};

/// What is reported about one file.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    /// Its name as the caller gave it.
    pub name: &'a str,
    /// What kind of file it was taken for.
    pub kind: &'a str,
    /// What stands in it.
    pub text: &'a [u8],
    /// The complaints.
    pub diagnostics: &'a [Diagnostic],
}

impl File<'_> {
    /// Whether it can be used: nothing in it is an error.
    pub fn is_ok(&self) -> bool {
        self.diagnostics
            .iter()
            .all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}
