//! Why an entry gave no answer.

use std::path::PathBuf;
use std::time::Duration;

use argrail_acli::{Code, Error, Text};

use crate::refusal::HOST_WORDS;

/// The most characters of what an entry itself says.
const LONGEST: usize = 300;

/// An entry that could not be asked, or did not answer as it should.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// The file is not in the bundle, or is not a plain file there.
    #[error("the entry {path:?} is no file of the bundle")]
    NotThere {
        /// The file.
        path: PathBuf,
    },
    /// It is neither a module nor something that can be started.
    #[error("the entry {path:?} cannot be started")]
    NotExecutable {
        /// The file.
        path: PathBuf,
    },
    /// What runs it is not on this machine.
    #[error("the entry {path:?} needs {runtime}, which is not on the search path")]
    NoRuntime {
        /// The file.
        path: PathBuf,
        /// The program that is missing.
        runtime: String,
    },
    /// Node is there, and too old for types.
    #[error("the entry {path:?} is TypeScript, which node {node} cannot run")]
    NoTypes {
        /// The file.
        path: PathBuf,
        /// The version that is there.
        node: String,
    },
    /// The sandbox refused, or the program did not start.
    #[error("the entry was not started: {0}")]
    NotStarted(#[from] argrail_sandbox::Error),
    /// It took too long.
    #[error("the entry took longer than {allowed:?}")]
    TimedOut {
        /// How long it was given.
        allowed: Duration,
    },
    /// Somebody cancelled.
    #[error("the entry was cancelled")]
    Cancelled,
    /// It said more than it may.
    #[error("the entry answered with more than {limit} bytes")]
    TooMuch {
        /// How much it may say.
        limit: u64,
    },
    /// It ended badly.
    #[error("the entry ended with {exit:?} and no answer")]
    Failed {
        /// Its exit code, none after a signal.
        exit: Option<i32>,
        /// The end of what it said.
        said: String,
    },
    /// Its answer is none.
    #[error("the entry answered with something else than one JSON object of the contract: {why}")]
    Unreadable {
        /// What is wrong with it.
        why: String,
    },
    /// A hook failed.
    #[error("the entry failed: {said}")]
    Threw {
        /// What it said.
        said: String,
    },
}

/// What to do where only the entry went wrong.
const DID_RUN: &str = "The program did run, and 'output' is what it printed. A person can see it whole with: argrail run -- COMMAND, and ask the author of the bundle to mend its entry";

impl EntryError {
    /// Returns the error that a caller sees. What an entry said is a detail, never a message.
    pub fn to_error(&self) -> Error {
        let path = |path: &PathBuf| path.display().to_string();
        match self {
            Self::NotThere { path: file } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry {} is no file of the bundle").value(path(file)),
            )
            .hint(Text::new("Run 'argrail lint' on the bundle")),
            Self::NotExecutable { path: file } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry {} cannot be started").value(path(file)),
            )
            .hint(Text::new(
                "Make it executable, or name a module: cli.ts, cli.js or cli.mjs",
            )),
            Self::NoRuntime { path: file, runtime } => Error::new(
                Code::SetupRequired,
                Text::new("the entry {} needs {}, which is not on the search path")
                    .value(path(file))
                    .value(runtime),
            )
            .hint(Text::new("Install {}").value(runtime)),
            Self::NoTypes { path: file, node } => Error::new(
                Code::SetupRequired,
                Text::new("the entry {} is TypeScript, which node {} cannot run")
                    .value(path(file))
                    .value(node),
            )
            .hint(Text::new(
                "Install node 22.6 or newer, or ship the entry as cli.mjs",
            )),
            Self::NotStarted(error) => not_started(error),
            Self::TimedOut { allowed } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry of the bundle took longer than {}").value(format!("{allowed:?}")),
            )
            .hint(Text::new("Call the program without the entry: 'argrail run'")),
            Self::Cancelled => Error::new(Code::ExecutionError, Text::new("the call was cancelled")),
            Self::TooMuch { limit } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry of the bundle answered with more than {} bytes").number(*limit),
            )
            .hint(Text::new("Let it return less")),
            Self::Failed { said, .. } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry of the bundle ended without an answer"),
            )
            .hint(DID_RUN)
            .detail("said", shortened(said)),
            Self::Unreadable { why } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry of the bundle did not answer with one JSON object of the contract"),
            )
            .hint(DID_RUN)
            .detail("said", shortened(why)),
            Self::Threw { said } => Error::new(
                Code::OutputParseFailed,
                Text::new("the entry of the bundle failed"),
            )
            .hint(DID_RUN)
            .detail("said", shortened(said)),
        }
    }
}

fn not_started(error: &argrail_sandbox::Error) -> Error {
    let code = match error {
        argrail_sandbox::Error::Refused(refusal) if refusal.missing.is_some() => Code::SandboxUnavailable,
        argrail_sandbox::Error::Refused(_)
        | argrail_sandbox::Error::Program { .. }
        | argrail_sandbox::Error::Host { .. } => Code::ExecutionError,
    };
    let what = Text::new("the entry of the bundle was not started: {}").value(error.to_string());
    Error::new(code, what).hint(Text::new("{}").value(error.hint().worded(HOST_WORDS)))
}

fn shortened(said: &str) -> String {
    said.chars().take(LONGEST).collect()
}
