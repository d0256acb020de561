//! Work that blocks, in a thread of its own, for a task that waits without a runtime.

use argrail_sandbox::Cancel;

use super::error::Error;
use super::promise::promise;

/// Does `work` in a thread. Dropping the future pulls `cancel`, which ends what the work waits for.
///
/// # Errors
/// When there is no thread left, or the work panicked.
pub(crate) async fn apart<T: Send + 'static>(
    cancel: Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let leash = Leash(cancel);
    let (made, waits) = promise();
    std::thread::Builder::new()
        .name("run".into())
        .spawn(move || made.keep(work()))
        .map_err(|source| Error::Host {
            what: "thread",
            source,
        })?;
    let outcome = waits.await;
    drop(leash);
    outcome.ok_or(Error::Lost)
}

/// Ends the work when it goes: at the end there is none any more.
struct Leash(Cancel);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
