//! Why a version is not known, or will not do.

use argrail_acli::{Code, Error, Text};

use crate::refusal::HOST_WORDS;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// The check would run another program.
    #[error("version_check.cmd must start with {bin:?}, and it is {given:?}")]
    Words {
        /// The program.
        bin: String,
        /// The check.
        given: String,
    },
    /// The program was not started, or not held.
    #[error("the version of {program:?} cannot be asked: {source}")]
    NotRun {
        /// The program.
        program: String,
        /// Why.
        source: Box<argrail_sandbox::Error>,
    },
    /// It took too long.
    #[error("{program:?} did not tell its version within {limit_ms} ms")]
    Late {
        /// The program.
        program: String,
        /// How long it had.
        limit_ms: u64,
    },
    /// It printed no version, or none that is one.
    #[error("{program:?} printed no version where version_check.parse looks for one")]
    Unreadable {
        /// The program.
        program: String,
        /// Its exit code, if it exited.
        exit: Option<i32>,
        /// What it printed first, which is a stranger's word.
        said: String,
    },
    /// It is another version.
    #[error("{program:?} is version {version:?}, and {range:?} is wanted")]
    Mismatch {
        /// The program.
        program: String,
        /// Its version.
        version: String,
        /// The versions that will do.
        range: String,
    },
}

impl VersionError {
    /// Returns the code that agents branch on.
    pub fn code(&self) -> Code {
        match self {
            Self::NotRun { source, .. } if is_the_machine(source) => Code::SandboxUnavailable,
            Self::Words { .. }
            | Self::NotRun { .. }
            | Self::Late { .. }
            | Self::Unreadable { .. }
            | Self::Mismatch { .. } => Code::VersionMismatch,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::Words { .. } => Text::new("Correct version_check.cmd in the manifest"),
            Self::NotRun { source, .. } => Text::new("{}").value(source.hint().worded(HOST_WORDS)),
            Self::Late { .. } => Text::new("Raise version_check.timeout_ms in the manifest"),
            Self::Unreadable { .. } => Text::new("Correct version_check.parse in the manifest"),
            Self::Mismatch { .. } => {
                Text::new("A person has to install a version that will do: argrail install")
            }
        }
    }
}

/// Whether the machine cannot confine anything, rather than this program.
fn is_the_machine(error: &argrail_sandbox::Error) -> bool {
    match error {
        argrail_sandbox::Error::Refused(refusal) => refusal.missing.is_some(),
        argrail_sandbox::Error::Program { .. } | argrail_sandbox::Error::Host { .. } => false,
    }
}

impl From<&VersionError> for Error {
    fn from(error: &VersionError) -> Self {
        let told = match error {
            VersionError::Mismatch {
                program,
                version,
                range,
            } => Self::new(
                error.code(),
                Text::new("{} is version {}, and {} is wanted")
                    .value(program)
                    .value(version)
                    .value(range),
            )
            .detail("version", version.clone())
            .detail("range", range.clone()),
            VersionError::Unreadable { exit, said, .. } => Self::new(
                error.code(),
                Text::new("the version is not known: {}").value(error.to_string()),
            )
            .detail("exitCode", *exit)
            .detail("said", said.clone()),
            VersionError::Words { .. } | VersionError::NotRun { .. } | VersionError::Late { .. } => {
                Self::new(
                    error.code(),
                    Text::new("the version is not known: {}").value(error.to_string()),
                )
            }
        };
        told.hint(error.hint())
    }
}
