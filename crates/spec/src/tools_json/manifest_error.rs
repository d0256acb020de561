//! Why a manifest is refused: the draft's own words, to the letter, each with its place and what to do.

use std::fmt;

use super::env_names::EnvNameError;
use super::program_path::ProgramError;
use crate::doc::Span;

/// The most characters of a foreign text that a message quotes. Paths are whole up to here.
const MOST: usize = 512;

/// What is wrong with a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// The file could not be read.
    #[error("read manifest: {why}")]
    Read {
        /// What the system said.
        why: String,
    },
    /// It is no JSON, or a field has the wrong type.
    #[error("parse manifest: {why}")]
    Parse {
        /// What was expected and what came.
        why: String,
        /// Where.
        span: Span,
    },
    /// A tool without a name.
    #[error("tool[{index}]: name is required")]
    NoName {
        /// Which one, from 0.
        index: usize,
        /// Where.
        span: Span,
    },
    /// Something is wrong with a tool that has a name.
    #[error("tool[{index}] {}: {fault}", Quote(name))]
    Tool {
        /// Which one, from 0.
        index: usize,
        /// Its name.
        name: String,
        /// What is wrong.
        fault: Fault,
        /// Where.
        span: Span,
    },
}

/// What is wrong with one tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Another tool has this name.
    #[error("duplicate name")]
    Duplicate,
    /// There is no program.
    #[error("command must have at least program name")]
    NoCommand,
    /// A variable that cannot be one.
    #[error("envPassthrough[{}]: {}", .0.index, .0)]
    EnvName(EnvNameError),
    /// A program outside of the place for programs.
    #[error("{0}")]
    Program(ProgramError),
}

impl ManifestError {
    /// Returns where it stands; nowhere, when there was no text.
    pub fn span(&self) -> Span {
        match self {
            Self::Read { .. } => Span::default(),
            Self::Parse { span, .. } | Self::NoName { span, .. } | Self::Tool { span, .. } => *span,
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read { .. } => "check that the file is there and that you may read it",
            Self::Parse { .. } => "run 'argrail lint --schema tools-json' for what a manifest looks like",
            Self::NoName { .. } => "give the tool a name that no other tool has",
            Self::Tool { fault, .. } => match fault {
                Fault::Duplicate => "give one of the two another name",
                Fault::NoCommand => "write [\"./tools/bin/NAME\"]",
                Fault::EnvName(_) => "use letters, digits and '_', and no digit in front",
                Fault::Program(_) => "put the program into ./tools/bin/ beside the manifest",
            },
        }
    }
}

/// A foreign text in double quotes, escaped as the draft's reference does it.
pub(super) struct Quote<'a>(pub(super) &'a str);

impl fmt::Display for Quote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars().take(MOST) {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\r' => f.write_str("\\r")?,
                '\t' => f.write_str("\\t")?,
                c if c.is_control() || argrail_acli::is_invisible(c) => {
                    write!(f, "\\u{:04x}", u32::from(c))?;
                }
                c => write!(f, "{c}")?,
            }
        }
        f.write_str(match self.0.chars().nth(MOST) {
            Some(_) => "…\"",
            None => "\"",
        })
    }
}
