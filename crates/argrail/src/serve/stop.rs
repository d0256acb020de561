//! When to end: SIGTERM or SIGINT once means finish what is running, twice means now.

use std::io;
use std::sync::Arc;

use argrail_engine::consent::Leaving;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// The two ways a server is told to end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    /// Take nothing new, answer what is running.
    pub(crate) soon: CancellationToken,
    /// Cancel what is running.
    pub(crate) now: CancellationToken,
}

/// What calls that are under way hear of the end.
#[derive(Debug, Clone, Default)]
pub struct Ending {
    /// For those that only wait for a person, at the first signal.
    pub leaving: Arc<Leaving>,
    /// For all that are left when the grace is over: each is answered with an error.
    pub cut: CancellationToken,
}

impl Stop {
    /// Returns a stop that the process's signals set off.
    pub(crate) fn on_signals(leaving: Arc<Leaving>) -> io::Result<Self> {
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let stop = Self::default();
        let told = stop.clone();
        tokio::spawn(async move {
            for step in [&told.soon, &told.now] {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                leaving.begin();
                step.cancel();
            }
        });
        Ok(stop)
    }
}
