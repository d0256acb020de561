//! What the crate needs from the world: time, environment, and where a path leads.
//!
//! Everything else here is pure. A [`Host`] is small on purpose, so that a server on any runtime, and
//! a test with a clock of its own, can be one.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::time::Duration;

/// A boxed future, as async handlers and hosts return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The outside world, as far as a command line needs it.
pub trait Host: Send + Sync {
    /// Returns the wall clock, for audit entries.
    fn now(&self) -> jiff::Timestamp;

    /// Returns a clock that never goes back, for durations and rate limits.
    fn elapsed(&self) -> Duration;

    /// Returns a future that is ready after `duration`.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()>;

    /// Returns an environment variable, for options with a fallback.
    fn env(&self, name: &str) -> Option<String>;

    /// Returns where `path` (absolute, lexically normal) really leads, symlinks followed.
    ///
    /// What does not exist yet is resolved as far as it exists. `Err` means the place cannot be told,
    /// and counts as outside.
    fn real_path(&self, path: &Path) -> std::io::Result<PathBuf>;
}

/// Who asks. Names only ever narrow what is allowed: they are the client's own word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// A stable key for records, such as a session id.
    pub id: String,
    /// Who the rate limit counts, where that is not the id: sessions are cheap to open, credentials are not.
    pub account: Option<String>,
    /// What the client calls itself.
    pub name: Option<String>,
    /// Directories that path arguments may lead into. The first is where relative paths start.
    ///
    /// Each is absolute and real (no symlinks). None at all means no path is allowed.
    pub roots: Vec<PathBuf>,
}

impl Caller {
    /// Returns who the rate limit counts.
    pub fn account(&self) -> &str {
        self.account.as_deref().unwrap_or(&self.id)
    }
}

/// One step of a long call, for a client that shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How far it is, in the unit of `total`.
    pub done: f64,
    /// Where it ends, if that is known.
    pub total: Option<f64>,
    /// What is happening, in our words.
    pub message: Option<crate::Text>,
}

/// Receives the progress of one call.
pub type ProgressSink = std::sync::Arc<dyn Fn(Progress) + Send + Sync>;
