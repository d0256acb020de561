//! How programs are asked: how many at a time, and for how long.

use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use argrail_sandbox::Launcher;

/// How long a program may take, unless said: the most that the draft allows (ATIP §3.4.1).
pub const TIMEOUT: Duration = Duration::from_secs(2);
/// The longest that can be asked for.
pub const LONGEST: Duration = Duration::from_secs(60);
/// The most at a time.
const MOST_JOBS: usize = 256;

/// How programs are asked.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How many at a time.
    pub jobs: usize,
    /// How long each may take.
    pub timeout: Duration,
    /// The program that builds sandboxes.
    pub launcher: Launcher,
    /// The real home, which no program sees as a whole.
    pub home: PathBuf,
    /// Directories of ours, which no program sees at all.
    pub own: Vec<PathBuf>,
}

impl Settings {
    /// Returns how many threads ask: at least one, and no more than there is to do.
    pub(super) fn workers(&self, work: usize) -> usize {
        self.jobs.clamp(1, MOST_JOBS).min(work.max(1))
    }

    /// Returns the time for each, within bounds.
    pub(super) fn bounded_timeout(&self) -> Duration {
        self.timeout.clamp(Duration::from_millis(10), LONGEST)
    }
}

/// Returns how many programs are asked at a time, unless said. They wait more than they compute, and those that hang
/// must not hold up the others.
pub fn default_jobs() -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    (4 * cores).max(16)
}
