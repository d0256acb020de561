//! Why an output cannot be read.

use std::io;

use argrail_acli::{Code, Error, Text};

/// Why an output cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// There is none of this name, it is another caller's, or it is too old: nobody is told which.
    #[error("no such output: '{given}'")]
    Missing {
        /// What was asked for.
        given: String,
    },
    /// The offset is behind the end.
    #[error("the output has {total} bytes, and byte {offset} was asked for")]
    Behind {
        /// What was asked for.
        offset: u64,
        /// What there is.
        total: u64,
    },
    /// The disk does not give it back.
    #[error("the output cannot be read: {0}")]
    Io(#[from] io::Error),
}

impl From<&KeepError> for Error {
    fn from(error: &KeepError) -> Self {
        match error {
            KeepError::Missing { given } => Self::new(
                Code::ValidationError,
                Text::new("no such output: {}").value(given),
            )
            .hint(
                "Outputs are kept for a day, for the caller whose command made them; run the command again",
            ),
            KeepError::Behind { offset, total } => {
                let what = Text::new("the output has {} bytes, and byte {} was asked for");
                Self::new(Code::ValidationError, what.number(*total).number(*offset))
                    .hint("Give a smaller --offset")
            }
            KeepError::Io(error) => Self::execution(error).hint("Run the command again"),
        }
    }
}
