//! What a scan is asked for, and what it found.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use argrail_sandbox::{Cancel, Refusal};
use argrail_spec::registry::Source;
use jiff::Timestamp;

use super::directories::Directories;
use super::skip_list::SkipList;
use super::skipped::Skipped;
use crate::catalog::probe::Settings;
use crate::catalog::{StoreError, Wanted};
use crate::places::Places;

/// Whether programs are started.
#[derive(Debug, Clone, Copy)]
pub enum Mode<'m> {
    /// None is: files are read, and nothing else.
    Look,
    /// Programs are asked in the sandbox.
    Probe(Probing<'m>),
}

/// How programs are asked, and how that is stopped.
#[derive(Debug, Clone, Copy)]
pub struct Probing<'m> {
    /// How many, and for how long.
    pub settings: &'m Settings,
    /// Ends what runs.
    pub cancel: &'m Cancel,
    /// Keeps more from being started.
    pub stop: &'m AtomicBool,
}

/// Which part of the machine a scan is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of `PATH`: what is known and not there any more is forgotten.
    Whole,
    /// Some directories; nothing is said about the others.
    Part,
}

/// What a scan is asked for.
#[derive(Debug)]
pub struct Request<'r> {
    /// Where our files are.
    pub places: &'r Places,
    /// The directories.
    pub directories: Directories,
    /// Programs that the configuration names, by the name that starts each: they are looked at first.
    pub named: Vec<(String, PathBuf)>,
    /// Which part of the machine they are.
    pub extent: Extent,
    /// Names that are left out.
    pub skip: &'r SkipList,
    /// Whether programs are started.
    pub mode: Mode<'r>,
    /// Whether what is remembered counts.
    pub wanted: Wanted,
    /// How long that is good.
    pub max_age: Duration,
    /// Fields of metadata that are not kept.
    pub redact: &'r [String],
    /// What time it is.
    pub now: Timestamp,
}

/// A tool with metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Its executable.
    pub path: PathBuf,
    /// Where the metadata comes from.
    pub source: Source,
    /// How it was asked, if it was.
    pub dialect: Option<String>,
    /// How much of what it said was odd, where that is known.
    pub warnings: usize,
}

/// A program that may be worth asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worth {
    /// Its name.
    pub name: String,
    /// Its executable.
    pub path: PathBuf,
}

/// A program whose version is not the one that describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherVersion {
    /// Its name.
    pub name: String,
    /// Its executable.
    pub path: PathBuf,
    /// The version that is described.
    pub described: String,
    /// The version that the program tells.
    pub told: String,
}

/// What a scan found.
#[derive(Debug, Default)]
pub struct Scan {
    /// Tools with metadata.
    pub found: Vec<Found>,
    /// Programs that hold a literal of a dialect and were not asked yet.
    pub candidates: Vec<Worth>,
    /// Names of programs that did not end in time.
    pub timed_out: Vec<String>,
    /// Programs whose answer is not what the draft says.
    pub invalid: Vec<Skipped>,
    /// Programs that could not be asked, or misbehaved.
    pub failed: Vec<Skipped>,
    /// What was not looked at, and impostors.
    pub skipped: Vec<Skipped>,
    /// Programs that changed and are of another version than a shim or their help of before describes.
    pub other_versions: Vec<OtherVersion>,
    /// MCP servers whose tools are known.
    pub servers: Vec<String>,
    /// How many programs there are.
    pub programs: usize,
    /// How many processes were started.
    pub executed: u64,
    /// Whether somebody stopped it.
    pub interrupted: bool,
}

/// How far a scan has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Programs that were asked.
    pub done: usize,
    /// Programs that are asked.
    pub total: usize,
    /// Tools that were found among them.
    pub found: usize,
}

/// Why a scan did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// This machine cannot confine programs, so none was asked.
    #[error("{0}")]
    Sandbox(#[from] Refusal),
    /// Our own files cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
