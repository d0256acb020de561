//! What a scan left out, and why: nothing is passed over in silence that a person could have expected.

use std::path::{Path, PathBuf};

/// A directory or program that is not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Which one, as it was named.
    pub path: PathBuf,
    /// Why, in our own words.
    pub reason: String,
}

impl Skipped {
    /// Says why a path is left out.
    pub fn new(path: impl AsRef<Path>, reason: impl Into<String>) -> Self {
        Self {
            path: path.as_ref().to_owned(),
            reason: reason.into(),
        }
    }
}
