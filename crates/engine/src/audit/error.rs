//! Why a record could not be kept or read, for programs, people and agents.

use std::io;
use std::path::{Path, PathBuf};

use argrail_acli::{Code, Error, Text};
use rustix::io::Errno;

use super::line::LONGEST;
use crate::files::lock::LockError;

/// Why a record could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The system refuses.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no room left on its disk.
    #[error("{}: no space is left on its disk", directory.display())]
    Full {
        /// The directory of the record.
        directory: PathBuf,
    },
    /// The file or directory belongs to somebody else.
    #[error("{}: it belongs to somebody else", path.display())]
    Foreign {
        /// Which one.
        path: PathBuf,
    },
    /// Somebody else writes and does not finish.
    #[error(transparent)]
    Busy(#[from] LockError),
    /// A number in it is not whole.
    #[error("the number {0} is not whole, or too large for a record")]
    NotWhole(String),
    /// It is too long.
    #[error("the record has {0} bytes, and a line has at most {LONGEST}")]
    Long(usize),
    /// A file that should be a checkpoint is none.
    #[error("{}: {problem}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// There is no such record.
    #[error("there is no record {0}")]
    NoSuch(u64),
    /// There are no records.
    #[error("nothing was recorded yet")]
    Empty,
}

impl RecordError {
    /// Wraps what the system said about a file of the record.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        move |source| match is_full(&source) {
            true => Self::Full {
                directory: path.parent().unwrap_or(path).to_owned(),
            },
            false => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::Io { path, .. } => {
                Text::new("Make {} writable and look at the disk: no call is made without a record")
                    .value(path.to_string_lossy())
            }
            Self::Full { directory } => Text::new(
                "Make room on the disk of {}, at least 2 MB: until then nothing runs, because no call is made without a record",
            )
            .value(directory.to_string_lossy()),
            Self::Foreign { path } => Text::new("Make {} yours alone").value(path.to_string_lossy()),
            Self::Busy(error) => error.hint(),
            Self::NotWhole(_) | Self::Long(_) => Text::new("Ask for less in one command"),
            Self::Checkpoint { .. } => Text::new("Make one with: argrail audit checkpoint --out FILE"),
            Self::NoSuch(_) => Text::new("See what there is: argrail audit show"),
            Self::Empty => Text::new("Make a call first: argrail call version"),
        }
    }
}

impl From<&RecordError> for Error {
    fn from(error: &RecordError) -> Self {
        let code = match error {
            RecordError::Checkpoint { .. } | RecordError::NoSuch(_) | RecordError::Empty => {
                Code::ValidationError
            }
            RecordError::Io { .. }
            | RecordError::Full { .. }
            | RecordError::Foreign { .. }
            | RecordError::Busy(_)
            | RecordError::NotWhole(_)
            | RecordError::Long(_) => Code::ExecutionError,
        };
        let message = match error {
            RecordError::Checkpoint { .. } | RecordError::NoSuch(_) | RecordError::Empty => {
                Text::new("{}").value(error.to_string())
            }
            RecordError::Io { .. }
            | RecordError::Full { .. }
            | RecordError::Foreign { .. }
            | RecordError::Busy(_)
            | RecordError::NotWhole(_)
            | RecordError::Long(_) => {
                Text::new("Execution failed: the record could not be kept: {}").value(error.to_string())
            }
        };
        let told = Self::new(code, message).hint(error.hint());
        match error {
            RecordError::Full { .. } => told.detail("reason", "record_full"),
            RecordError::Io { .. }
            | RecordError::Foreign { .. }
            | RecordError::Busy(_)
            | RecordError::NotWhole(_)
            | RecordError::Long(_)
            | RecordError::Checkpoint { .. }
            | RecordError::NoSuch(_)
            | RecordError::Empty => told,
        }
    }
}

impl From<RecordError> for io::Error {
    /// As the call that is then refused tells it.
    fn from(error: RecordError) -> Self {
        Self::other(Error::from(&error))
    }
}

/// Whether the system has no room, or we may not take more of it.
pub(super) fn is_full(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    [Errno::NOSPC, Errno::DQUOT]
        .iter()
        .any(|errno| code == Some(errno.raw_os_error()))
}
