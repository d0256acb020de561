//! The two outputs of a tool.

use std::fmt;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// Its answer.
    Stdout,
    /// What it says beside that.
    Stderr,
}

impl Stream {
    /// Returns the name, in JSON, on a command line, and of a file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }

    /// Returns the stream of this name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::Stdout, Self::Stderr]
            .into_iter()
            .find(|stream| stream.as_str() == name)
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
