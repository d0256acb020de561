//! Why a call did not run.

use crate::refusal::HOST_WORDS;

/// A child that was not started, or was lost.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The sandbox refused or failed. Nothing ran.
    #[error("{0}")]
    Sandbox(#[from] argrail_sandbox::Error),
    /// The host has no thread or descriptor left.
    #[error("no {what} is left to start a program with: {source}")]
    Host {
        /// What is missing.
        what: &'static str,
        /// What the system says.
        source: std::io::Error,
    },
    /// Whoever took its output failed, and it was ended.
    #[error("the program's output could not be taken, and it was ended")]
    Lost,
}

impl Error {
    /// Returns what to do about it. Our own words, with foreign text only in quotes.
    pub fn hint(&self) -> String {
        match self {
            Self::Sandbox(error) => error.hint().worded(HOST_WORDS),
            Self::Host { .. } => "Try again when fewer calls run at once".to_owned(),
            Self::Lost => "Try again; run 'argrail doctor' if it happens twice".to_owned(),
        }
    }
}
