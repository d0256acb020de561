//! Why a file of the catalogue could not be read or written, for programs, people and agents.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text};
use argrail_spec::atip::NameError;

use crate::files::lock::LockError;
use crate::files::untrusted::FileError;

/// Why the catalogue could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or directory refuses, or cannot be trusted.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another writer does not finish.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The file is there and is not what it should be.
    #[error("{}: {problem}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was expected and what came.
        problem: String,
    },
    /// The file was written by a later program.
    #[error("{}: {problem}", path.display())]
    Later {
        /// The file.
        path: PathBuf,
        /// What was expected and what came.
        problem: String,
    },
    /// The file of trust is there and is not understood. It is never made again by itself.
    #[error("{}: {problem}", path.display())]
    Trust {
        /// The file.
        path: PathBuf,
        /// What was expected and what came.
        problem: String,
    },
    /// The path cannot be written into a file of ours.
    #[error("{}: the path is not UTF-8", path.display())]
    NotText {
        /// The path.
        path: PathBuf,
    },
    /// The name can be no file of ours.
    #[error("{given:?}: {problem}")]
    Name {
        /// The name.
        given: String,
        /// What is wrong with it.
        problem: NameError,
    },
}

impl StoreError {
    /// Returns the code that agents branch on.
    pub fn code(&self) -> Code {
        match self {
            Self::Name { .. } => Code::ValidationError,
            Self::File(_)
            | Self::Lock(_)
            | Self::Corrupt { .. }
            | Self::Later { .. }
            | Self::Trust { .. }
            | Self::NotText { .. } => Code::ExecutionError,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::File(error) => error.hint(),
            Self::Lock(error) => error.hint(),
            Self::Corrupt { .. } => {
                Text::new("Run: argrail scan, which keeps the broken file beside the new one")
            }
            Self::Later { path, .. } => {
                Text::new("Update argrail, or move {} away").value(path.to_string_lossy())
            }
            Self::Trust { path, .. } => {
                Text::new("Correct {}, or move it away and accept again with: argrail trust")
                    .value(path.to_string_lossy())
            }
            Self::NotText { .. } => Text::new("Use a directory whose name is UTF-8"),
            Self::Name { .. } => Text::new("Name a tool as its executable is called; see: argrail list"),
        }
    }
}

impl From<&StoreError> for Error {
    fn from(error: &StoreError) -> Self {
        let message = Text::new("the catalogue cannot be used: {}").value(error.to_string());
        Self::new(error.code(), message).hint(error.hint())
    }
}
