//! The async runtime: one thread, started by the verbs that need it.

use std::future::Future;

use argrail_acli::Error;
use tokio::signal::unix::{SignalKind, signal};

/// How the work ended.
pub(crate) enum Ended<T> {
    /// By itself.
    Done(T),
    /// Somebody interrupted it; the number is what a shell would report.
    Interrupted(u8),
}

/// Runs a future to its end, or drops it when a signal asks for that, so that the end is recorded too.
///
/// # Errors
/// When the system gives us no event queue.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<Ended<T>, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::execution)?;
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::execution)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(Error::execution)?;
        Ok(tokio::select! {
            // The work first: a signal that is there already interrupts something that has begun.
            biased;
            done = work => Ended::Done(done),
            _ = interrupt.recv() => Ended::Interrupted(130),
            _ = terminate.recv() => Ended::Interrupted(143),
        })
    })
}
