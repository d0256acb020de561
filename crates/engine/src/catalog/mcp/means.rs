//! What is needed to start a server, or to wait for one.

use std::path::PathBuf;
use std::time::Duration;

use argrail_sandbox::Launcher;

/// How long a server may take for everything, unless said.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// What is needed to start a server, or to wait for one.
#[derive(Debug, Clone)]
pub struct Means {
    /// The program that builds sandboxes.
    pub launcher: Launcher,
    /// The real home, which no server sees as a whole.
    pub home: PathBuf,
    /// Directories of ours, which no server sees at all.
    pub own: Vec<PathBuf>,
    /// Where programs are looked for.
    pub search: Vec<PathBuf>,
    /// How long a server may take for everything: [`TIMEOUT`], unless somebody wants another.
    pub timeout: Duration,
}
