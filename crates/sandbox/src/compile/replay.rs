//! The beginning of a program's file, for tests and the fuzzer.

use std::ffi::OsString;
use std::path::PathBuf;

use super::file_format::{FileFormat, file_format};

/// What a file is, by its first bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramHead {
    /// A program for the processor, and the loader it wants.
    Binary(Option<PathBuf>),
    /// A script: its interpreter, and the one argument of that.
    Script(PathBuf, Option<OsString>),
    /// Neither a binary nor a script.
    Other,
}

/// Tells what a file is.
pub fn program_head(head: &[u8]) -> ProgramHead {
    match file_format(head) {
        FileFormat::Binary { loader } => ProgramHead::Binary(loader),
        FileFormat::Script {
            interpreter,
            argument,
        } => ProgramHead::Script(interpreter, argument),
        FileFormat::Other => ProgramHead::Other,
    }
}
