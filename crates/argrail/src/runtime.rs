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
    let heeded = heeds_hangup();
    runtime.block_on(async {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::execution)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(Error::execution)?;
        Ok(tokio::select! {
            // The work first: a signal that is there already interrupts something that has begun.
            biased;
            done = work => Ended::Done(done),
            _ = interrupt.recv() => Ended::Interrupted(130),
            _ = terminate.recv() => Ended::Interrupted(143),
            Some(()) = hung_up(heeded) => Ended::Interrupted(129),
        })
    })
}

/// Waits for the terminal to go away; nothing for whoever was told not to care (`nohup`).
async fn hung_up(heeded: bool) -> Option<()> {
    if !heeded {
        return None;
    }
    signal(SignalKind::hangup()).ok()?.recv().await
}

/// Whether we were not started with this signal ignored.
pub(crate) fn heeds_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 1 == 0)
}
