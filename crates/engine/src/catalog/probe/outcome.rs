//! What came of asking one program.

use argrail_spec::atip::Metadata;
use argrail_spec::doc::Diagnostic;

use crate::catalog::scan::Literals;

/// How one program answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It described itself.
    Found {
        /// In which dialect.
        dialect: &'static str,
        /// What it said.
        metadata: Box<Metadata>,
        /// What was odd about that.
        warnings: Vec<Diagnostic>,
    },
    /// It is no program that describes itself. Most are not.
    NotAtip,
    /// It described another program, and is not believed.
    Impostor {
        /// The name it gave, cut.
        says: String,
    },
    /// It meant to answer, and that was not what the draft says.
    Invalid {
        /// What was wrong.
        reason: String,
    },
    /// It did not end in time.
    TimedOut,
    /// It could not be asked, or misbehaved.
    Failed {
        /// What happened.
        reason: String,
    },
    /// Somebody stopped the scan.
    Interrupted,
}

/// One program, asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Probed {
    /// Which of the candidates.
    pub index: usize,
    /// What came of it.
    pub outcome: Outcome,
    /// The literals in its file, where they were looked for.
    pub literals: Option<Literals>,
    /// How often it was started.
    pub started: u64,
}
