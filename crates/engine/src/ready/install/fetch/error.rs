//! Why a file was not downloaded.

use crate::files::lock::LockError;
use crate::files::untrusted::FileError;

/// What went wrong. Addresses of redirects are shown without their path, which may hold a key.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The address is not one that is asked.
    #[error("the address {url:?} is not used: {problem}")]
    Address {
        /// It, or its origin.
        url: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A redirect led somewhere that is not asked.
    #[error("{from} leads to {to:?}, which is not followed: {problem}")]
    Redirect {
        /// Where it came from.
        from: String,
        /// Where it led.
        to: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The name leads to this machine or its neighbours.
    #[error("{origin} is at {address}, which is not of the open internet: {what}")]
    Private {
        /// Who was asked.
        origin: String,
        /// Where that is.
        address: String,
        /// What that is.
        what: &'static str,
    },
    /// Nobody answered, or not to the end.
    #[error("{origin} cannot be reached: {reason}")]
    Unreachable {
        /// Who was asked.
        origin: String,
        /// What happened.
        reason: String,
    },
    /// The answer is not the file.
    #[error("{origin} answered with status {status}")]
    Status {
        /// Who was asked.
        origin: String,
        /// The answer.
        status: u16,
    },
    /// The file is too long, or of another length than was said.
    #[error("{origin} sent a file that is not whole: {problem}")]
    Size {
        /// Who was asked.
        origin: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The file is not the one that was promised.
    #[error("the file from {url:?} is not the one that was promised: expected {expected}, got {got}")]
    Hash {
        /// Where it came from.
        url: String,
        /// The promised SHA-256.
        expected: String,
        /// The one that it has.
        got: String,
    },
    /// Somebody ended it.
    #[error("the download was cancelled")]
    Cancelled,
    /// The disk refuses.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process downloads the same for too long.
    #[error(transparent)]
    Lock(#[from] LockError),
}
