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
    /// It is nested deeper than can be read again.
    #[error("it is nested too deep for an entry of the store")]
    TooDeep,
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
    /// Returns what happened, as it is told to an agent.
    fn message(&self) -> Text {
        match self {
            Self::NotFound { what, id } => Text::new("there is no {} {}").word(what).value(id),
            Self::Conflict { key } => Text::new("{} was changed by another process").value(key),
            Self::TooLong { .. } | Self::TooDeep => {
                Text::new("the call cannot be kept: {}").value(self.to_string())
            }
            Self::Corrupt { .. }
            | Self::Later { .. }
            | Self::Unsafe { .. }
            | Self::Busy { .. }
            | Self::Io { .. }
            | Self::NoRandom { .. } => Text::new("the store cannot be used: {}").value(self.to_string()),
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::Corrupt { path, .. } => {
                Text::new("Move {} away: open questions and grants in it are lost, the record is not")
                    .value(path.to_string_lossy())
            }
            Self::Later { .. } => Text::new("Update argrail"),
            Self::Unsafe { path, .. } => {
                Text::new("Make {} yours, no link, and take writing from others: chmod go-w")
                    .value(path.to_string_lossy())
            }
            Self::Busy { .. } => Text::new("Try again; see which argrail processes run"),
            Self::Io { path, .. } => {
                let hint = "Look at what the system says: the disk ('df -h'), the limits ('ulimit -n'), who may write {}";
                Text::new(hint).value(path.to_string_lossy())
            }
            Self::TooLong { .. } => Text::new("Split the call, or put the long text into a file"),
            Self::TooDeep => Text::new("Put the nested value into a file"),
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
            StoreError::NotFound { .. } | StoreError::TooLong { .. } | StoreError::TooDeep => {
                Code::ValidationError
            }
            StoreError::Corrupt { .. }
            | StoreError::Later { .. }
            | StoreError::Unsafe { .. }
            | StoreError::Busy { .. }
            | StoreError::Io { .. }
            | StoreError::NoRandom { .. }
            | StoreError::Conflict { .. } => Code::ExecutionError,
        };
        Self::new(code, error.message()).hint(error.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_has_a_code_a_message_and_a_next_step() {
        let path = || PathBuf::from("/srv/state/store.db");
        let problem = || "x\u{1b}[2J".to_owned();
        let check = |error: &StoreError, code: Code, message: &str, hint: &str| {
            let told = Error::from(error);
            assert_eq!(*told.code(), code, "{error:?}");
            let said = error.message().to_string();
            assert!(said.contains(message), "{said}");
            assert!(error.hint().to_string().contains(hint), "{error:?}");
            assert!(!said.contains('\u{1b}'), "{said:?}");
        };
        let corrupt = StoreError::Corrupt {
            path: path(),
            problem: problem(),
        };
        check(
            &corrupt,
            Code::ExecutionError,
            "cannot be used",
            "Move '/srv/state/store.db' away",
        );
        let unsafe_file = StoreError::Unsafe {
            path: path(),
            problem: problem(),
        };
        check(&unsafe_file, Code::ExecutionError, "store.db", "chmod go-w");
        let later = StoreError::Later {
            path: path(),
            found: 9,
            known: 1,
        };
        check(&later, Code::ExecutionError, "version 9", "Update argrail");
        let busy = StoreError::Busy { path: path() };
        check(&busy, Code::ExecutionError, "does not let go", "Try again");
        let missing = StoreError::NotFound {
            what: "grant",
            id: "g-\u{1b}".to_owned(),
        };
        check(
            &missing,
            Code::ValidationError,
            "there is no grant",
            "argrail grants",
        );
        let missing = StoreError::NotFound {
            what: "request",
            id: "abc".to_owned(),
        };
        check(
            &missing,
            Code::ValidationError,
            "there is no request 'abc'",
            "argrail approvals",
        );
        check(&StoreError::TooDeep, Code::ValidationError, "nested", "file");
    }
}
