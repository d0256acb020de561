//! Why the store could not be used, for programs, people and agents.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text};

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is there and is no store. It is left as it is.
    #[error("{}: {problem}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        problem: String,
    },
    /// The file was written by a later program.
    #[error("{}: it has version {found}, and this program knows {known}", path.display())]
    Later {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest that is known.
        known: i64,
    },
    /// The file belongs to somebody else, or others may write to it.
    #[error("{}: {problem}", path.display())]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Another process does not finish.
    #[error("{}: another process does not let go of it", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be read or written.
    #[error("{}: {problem}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        problem: String,
    },
    /// It is more than one entry may hold.
    #[error("{bytes} bytes are too many for one entry of the store, which holds {longest}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        longest: usize,
    },
    /// The system gives no random numbers.
    #[error("the system gives no random numbers: {problem}")]
    NoRandom {
        /// What it said.
        problem: String,
    },
    /// There is nothing of this name.
    #[error("there is no {what} {id:?}")]
    NotFound {
        /// `request` or `grant`.
        what: &'static str,
        /// The name.
        id: String,
    },
    /// Somebody else wrote in between.
    #[error("{key:?} was changed by another process")]
    Conflict {
        /// The document.
        key: String,
    },
}

impl StoreError {
    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::Corrupt { path, .. } => {
                Text::new("Move {} away: open questions and grants in it are lost, the record is not")
                    .value(path.to_string_lossy())
            }
            Self::Later { .. } => Text::new("Update argrail"),
            Self::Unsafe { path, .. } => {
                Text::new("Make {} yours alone: chmod 600").value(path.to_string_lossy())
            }
            Self::Busy { .. } => Text::new("Try again; see which argrail processes run"),
            Self::Io { path, .. } => {
                Text::new("Make {} readable and writable, and look at the disk").value(path.to_string_lossy())
            }
            Self::TooLong { .. } => Text::new("Split the call, or put the long text into a file"),
            Self::NoRandom { .. } => Text::new("See: argrail doctor"),
            Self::NotFound { what: "grant", .. } => Text::new("See: argrail grants"),
            Self::NotFound { .. } => Text::new("See: argrail approvals"),
            Self::Conflict { .. } => Text::new("Try again"),
        }
    }
}

impl From<&StoreError> for Error {
    fn from(error: &StoreError) -> Self {
        let code = match error {
            StoreError::NotFound { .. } | StoreError::TooLong { .. } => Code::ValidationError,
            StoreError::Corrupt { .. }
            | StoreError::Later { .. }
            | StoreError::Unsafe { .. }
            | StoreError::Busy { .. }
            | StoreError::Io { .. }
            | StoreError::NoRandom { .. }
            | StoreError::Conflict { .. } => Code::ExecutionError,
        };
        let message = Text::new("the store cannot be used: {}").value(error.to_string());
        Self::new(code, message).hint(error.hint())
    }
}
