//! Why an archive was not unpacked.

use std::io;

/// What is wrong with an archive. Names in it are a stranger's words.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A name that is absolute, climbs, or that no file should have.
    #[error("the archive holds the name {name:?}: {problem}")]
    Name {
        /// As it stands there.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A link that leads out, or to nothing that is in the archive.
    #[error("the archive holds the link {name:?} to {target:?}: {problem}")]
    Link {
        /// The link.
        name: String,
        /// Where it leads.
        target: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Something that is neither a file, nor a directory, nor a link.
    #[error("the archive holds {name:?}, which is {what}")]
    Kind {
        /// Its name.
        name: String,
        /// What it is.
        what: &'static str,
    },
    /// A file that would run as somebody else.
    #[error("the archive holds {name:?}, which would run as another user")]
    Setuid {
        /// Its name.
        name: String,
    },
    /// One name for two things.
    #[error("the archive holds {name:?} twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// More than anybody needs, or more than its size can mean.
    #[error("the archive holds too much: {what}")]
    TooMuch {
        /// Of what.
        what: &'static str,
    },
    /// It ends too early, or its sums are wrong.
    #[error("the archive is damaged: {reason}")]
    Damaged {
        /// What the reader said.
        reason: String,
    },
    /// The program that was named is not in it.
    #[error("the archive does not hold {name:?}")]
    NoProgram {
        /// The name.
        name: String,
    },
    /// The disk refuses.
    #[error("the archive cannot be unpacked: {0}")]
    Disk(io::Error),
}

impl ArchiveError {
    /// Wraps what a reader said: a limit of ours, or damage.
    pub(super) fn of_reading(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::FileTooLarge => Self::TooMuch {
                what: "it grows beyond what its size can mean",
            },
            _ => Self::Damaged {
                reason: error.to_string(),
            },
        }
    }
}
