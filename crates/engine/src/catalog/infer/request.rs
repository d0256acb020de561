//! What is asked of an inference, and what came of it.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::{Cancel, Refusal};
use argrail_spec::atip::Metadata;
use jiff::Timestamp;

use super::budget::Bounds;
use super::gathered::Source;
use crate::catalog::probe::Settings;
use crate::catalog::scan::Candidate;
use crate::catalog::{StoreError, Wanted};
use crate::places::Places;
use crate::refusal::refused;

/// What is asked.
#[derive(Debug)]
pub struct Request<'r> {
    /// The program: its name, where it is, which file that is.
    pub program: &'r Candidate,
    /// What is asked: the program, or the one that stands [behind](super::behind) it.
    pub asked: &'r Candidate,
    /// Where our files are.
    pub places: &'r Places,
    /// How programs are asked.
    pub settings: &'r Settings,
    /// How much may be done.
    pub bounds: Bounds,
    /// Whether what is remembered counts.
    pub wanted: Wanted,
    /// How long that is good.
    pub max_age: Duration,
    /// Fields of metadata that are not kept.
    pub redact: &'r [String],
    /// Ends what runs.
    pub cancel: &'r Cancel,
    /// Keeps more from being started.
    pub stop: &'r AtomicBool,
    /// What time it is.
    pub now: Timestamp,
}

/// How far an inference has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Commands that were asked.
    pub done: usize,
    /// Commands that are known of so far.
    pub total: usize,
    /// Commands of this level that answered.
    pub found: usize,
}

/// What came of it.
#[derive(Debug)]
pub struct Inferred {
    /// The description.
    pub metadata: Metadata,
    /// Where it was read.
    pub sources: Vec<Source>,
    /// How much it holds.
    pub counts: Counts,
    /// How many processes were started.
    pub started: usize,
    /// Whether it was remembered, or is new.
    pub freshness: Freshness,
    /// What went wrong on the way, for a person.
    pub problems: Vec<String>,
    /// Whether the program describes itself, and in which dialect.
    pub native: Option<String>,
    /// Whether the catalogue has it now.
    pub kept: Kept,
    /// Whether somebody stopped it before its end.
    pub interrupted: bool,
}

/// Whether something was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// The program was asked.
    Asked,
    /// It was asked before, and is still the same.
    Remembered,
}

/// Whether the catalogue has what was inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Yes.
    Catalogued,
    /// No: somebody describes the tool already, and that is better.
    Described,
    /// No: it was stopped before its end.
    Cut,
}

/// How much a description holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Commands, those above others included.
    pub commands: usize,
    /// Options of all of them.
    pub options: usize,
    /// Words without a flag.
    pub arguments: usize,
}

/// Why nothing was inferred.
#[derive(Debug, thiserror::Error)]
pub enum InferError {
    /// This machine cannot confine programs, so none was asked.
    #[error("{0}")]
    Sandbox(#[from] Refusal),
    /// Our own files cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No text says anything.
    #[error("nothing could be learned about {name:?}: {reason}")]
    Nothing {
        /// The tool.
        name: String,
        /// What came of asking it.
        reason: String,
    },
    /// It was asked and did not end, and nothing else speaks of it.
    #[error("{name:?} did not end within {seconds} s when it was asked for help")]
    TimedOut {
        /// The tool.
        name: String,
        /// How long it had.
        seconds: f64,
    },
    /// Somebody stopped it before anything was learned.
    #[error("interrupted before anything was learned")]
    Interrupted,
    /// A file that a person wrote is in the way.
    #[error("{}: somebody wrote this file by hand", path.display())]
    ByHand {
        /// The file.
        path: PathBuf,
    },
}

impl From<&InferError> for Error {
    fn from(error: &InferError) -> Self {
        let elsewhere = "Read what there is about it from a file: argrail infer --name {} --from-file FILE";
        match error {
            InferError::Sandbox(refusal) => refused(refusal),
            InferError::Store(error) => Self::from(error),
            InferError::Nothing { name, reason } => {
                let what = Text::new("nothing could be learned about {}: {}")
                    .value(name)
                    .value(reason);
                Self::new(Code::ExecutionError, what).hint(Text::new(elsewhere).value(name))
            }
            InferError::TimedOut { name, seconds } => {
                let what = Text::new("{} did not end within {} s when it was asked for help")
                    .value(name)
                    .value(seconds.to_string());
                let hint = Text::new("Give it longer: argrail infer {} --timeout 60s").value(name);
                Self::new(Code::Timeout, what).hint(hint)
            }
            InferError::Interrupted => Self::execution("interrupted before anything was learned"),
            InferError::ByHand { path } => {
                let path = path.to_string_lossy();
                let what = Text::new("{} was written by hand, and is not replaced").value(&path);
                let hint =
                    Text::new("Move {} away, or leave --save out and take over what you want").value(&path);
                Self::new(Code::ExecutionError, what).hint(hint)
            }
        }
    }
}
