//! Why a project's files are not looked at.

use std::path::PathBuf;

use argrail_acli::{Code, Error, Text};

use crate::files::untrusted::FileError;

/// Why a project's files are not looked at.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// A file or directory refuses.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something is there that is no file, directory or symlink.
    #[error("{}: a device, socket or FIFO among a project's files", path.display())]
    Special {
        /// What.
        path: PathBuf,
    },
    /// A name or the text of a symlink cannot be pinned.
    #[error("{}: the name, or what the link says, is not UTF-8", path.display())]
    NotText {
        /// What.
        path: PathBuf,
    },
    /// There is more than is read.
    #[error("{}: more than {limit} {what} among a project's files", path.display())]
    TooMuch {
        /// Where the limit was passed.
        path: PathBuf,
        /// What there is too much of.
        what: &'static str,
        /// How much is read.
        limit: u64,
    },
    /// It was another file when it was looked at before.
    #[error("{}: not what it was when the project was looked at", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl ProjectError {
    /// Returns what a person can do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::File(error) => error.hint(),
            Self::Special { path } | Self::NotText { path } => {
                Text::new("Remove {}, then run: argrail trust").value(path.to_string_lossy())
            }
            Self::TooMuch { path, .. } => {
                Text::new("Move what is no tool out of {}, then run: argrail trust")
                    .value(path.to_string_lossy())
            }
            Self::Changed { .. } => Text::new("See what changed with: argrail trust"),
        }
    }
}

impl From<&ProjectError> for Error {
    fn from(error: &ProjectError) -> Self {
        let message = Text::new("the project cannot be accepted: {}").value(error.to_string());
        Self::new(Code::PermissionDenied, message)
            .hint(error.hint())
            .detail("reason", "denied_by_policy")
    }
}
