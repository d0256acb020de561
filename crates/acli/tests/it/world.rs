//! A world that does what the test says: a clock set by hand, timers that never or at once run out,
//! declared variables and symlinks.

use std::collections::HashMap;
use std::future::{pending, ready};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use argrail_acli::{AuditEntry, AuditSink, BoxFuture, Caller, Cli, Envelope, Host, Request};
use serde_json::Value;

/// What becomes of a timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Timers {
    /// Time stands still.
    Never,
    /// Each runs out as soon as it is looked at.
    AtOnce,
}

pub(crate) struct World {
    pub(crate) timers: Timers,
    env: HashMap<String, String>,
    links: Vec<(PathBuf, PathBuf)>,
    clock: Mutex<Duration>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self {
            timers: Timers::Never,
            env: HashMap::new(),
            links: Vec::new(),
            clock: Mutex::default(),
        }
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.insert(name.to_owned(), value.to_owned());
        self
    }

    pub(crate) fn link(mut self, from: &str, to: &str) -> Self {
        self.links.push((from.into(), to.into()));
        self
    }

    pub(crate) fn timers(mut self, timers: Timers) -> Self {
        self.timers = timers;
        self
    }

    pub(crate) fn advance(&self, by: Duration) {
        *self.clock.lock().unwrap() += by;
    }
}

impl Host for World {
    fn now(&self) -> jiff::Timestamp {
        let start: jiff::Timestamp = "2026-02-02T10:00:00Z".parse().unwrap();
        start + self.elapsed()
    }

    fn elapsed(&self) -> Duration {
        *self.clock.lock().unwrap()
    }

    fn sleep(&self, _: Duration) -> BoxFuture<'static, ()> {
        match self.timers {
            Timers::Never => Box::pin(pending()),
            Timers::AtOnce => Box::pin(ready(())),
        }
    }

    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }

    fn real_path(&self, path: &Path) -> std::io::Result<PathBuf> {
        let follow = |(from, to): &(PathBuf, PathBuf)| path.strip_prefix(from).ok().map(|rest| to.join(rest));
        Ok(self
            .links
            .iter()
            .find_map(follow)
            .unwrap_or_else(|| path.to_owned()))
    }
}

/// Keeps records in memory.
#[derive(Default)]
pub(crate) struct Records(Mutex<Vec<AuditEntry>>);

impl Records {
    pub(crate) fn all(&self) -> Vec<AuditEntry> {
        self.0.lock().unwrap().clone()
    }
}

impl AuditSink for Records {
    fn record(&self, entry: &AuditEntry) -> std::io::Result<()> {
        self.0.lock().unwrap().push(entry.clone());
        Ok(())
    }
}

pub(crate) fn caller(id: &str) -> Caller {
    Caller {
        account: None,
        id: id.to_owned(),
        name: None,
        roots: vec![PathBuf::from("/srv/files")],
    }
}

/// Runs a future that needs nothing but to be polled.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

/// Answers one command of one caller.
pub(crate) fn ask(cli: &Cli, command: &str) -> Envelope {
    block_on(cli.answer(Request::new(command, caller("a"))))
}

/// Answers one command and returns the envelope as JSON.
pub(crate) fn said(cli: &Cli, command: &str) -> Value {
    ask(cli, command).to_json()
}

pub(crate) fn world() -> Arc<World> {
    Arc::new(World::new())
}
