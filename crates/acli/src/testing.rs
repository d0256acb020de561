//! A world that stands still, for unit tests: a clock that is set by hand and symlinks that are declared.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::host::{BoxFuture, Host};

#[derive(Default)]
pub(crate) struct StillHost {
    links: Vec<(PathBuf, PathBuf)>,
}

impl StillHost {
    pub(crate) fn link(mut self, from: &str, to: &str) -> Self {
        self.links.push((from.into(), to.into()));
        self
    }
}

impl Host for StillHost {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    /// Time stands still unless there is none to wait for.
    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        if duration.is_zero() {
            Box::pin(std::future::ready(()))
        } else {
            Box::pin(std::future::pending())
        }
    }

    fn env(&self, _: &str) -> Option<String> {
        None
    }

    fn real_path(&self, path: &Path) -> std::io::Result<PathBuf> {
        let followed = self
            .links
            .iter()
            .find_map(|(from, to)| path.strip_prefix(from).ok().map(|rest| to.join(rest)));
        Ok(followed.unwrap_or_else(|| path.to_owned()))
    }
}
