//! The agent's process: its end, awaited without blocking, and a leash that ends it when nobody holds it any more.

use argrail_sandbox::{Cancel, Child, Error, Report};
use tokio::task::JoinHandle;

/// Ends the process, and everything that it started, when it is dropped.
#[derive(Debug)]
pub(super) struct Leash(Cancel);

impl Leash {
    pub(super) fn new(cancel: Cancel) -> Self {
        Self(cancel)
    }

    /// Asks the process to end; what has not ended after its grace is killed.
    pub(super) fn pull(&self) {
        self.0.cancel();
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.pull();
    }
}

/// A process that is waited for.
#[derive(Debug)]
pub(super) struct Process {
    leash: Leash,
    waiting: Option<JoinHandle<Result<Report, Error>>>,
    report: Option<Report>,
}

impl Process {
    /// Waits for a child on a thread of its own. The runtime does not end before the child has.
    pub(super) fn watch(child: Child) -> Self {
        Self {
            leash: Leash::new(child.cancel()),
            waiting: Some(tokio::task::spawn_blocking(move || child.wait())),
            report: None,
        }
    }

    /// Asks it to end, and kills it after its grace.
    pub(super) fn end(&self) {
        self.leash.pull();
    }

    /// Waits for the end. May be dropped at any time and called again.
    pub(super) async fn ended(&mut self) {
        if let Some(waiting) = &mut self.waiting {
            let outcome = waiting.await;
            self.waiting = None;
            self.report = outcome.ok().and_then(Result::ok);
        }
    }

    /// Whether it has ended, as far as it is known.
    pub(super) fn has_ended(&self) -> bool {
        self.waiting.is_none()
    }

    /// Returns how it ended.
    pub(super) fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }

    pub(super) fn into_report(mut self) -> Option<Report> {
        self.report.take()
    }
}
