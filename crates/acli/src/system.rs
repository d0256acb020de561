//! A ready-made [`Host`] for programs on tokio: the real clock, environment and file system.
//!
//! The one file of this crate that touches the world, and only with the feature `tokio`.

use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

use crate::host::{BoxFuture, Host};

/// The real world.
#[derive(Debug, Clone)]
pub struct TokioHost {
    started: Instant,
}

impl Default for TokioHost {
    fn default() -> Self {
        Self {
            started: Instant::now(),
        }
    }
}

impl Host for TokioHost {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(duration))
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    /// Follows symlinks as far as the path exists; the rest must be plain names.
    fn real_path(&self, path: &Path) -> io::Result<PathBuf> {
        let mut missing = Vec::new();
        let mut there = path;
        loop {
            match there.canonicalize() {
                Ok(mut real) => {
                    real.extend(missing.into_iter().rev());
                    return Ok(real);
                }
                // A dangling link exists and leads somewhere, only not to anything.
                Err(error)
                    if error.kind() == io::ErrorKind::NotFound && there.symlink_metadata().is_err() => {}
                Err(error) => return Err(error),
            }
            match (there.components().next_back(), there.parent()) {
                (Some(Component::Normal(name)), Some(parent)) => {
                    missing.push(name);
                    there = parent;
                }
                _ => return Err(io::ErrorKind::NotFound.into()),
            }
        }
    }
}
