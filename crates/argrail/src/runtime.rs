//! The async runtime: one thread, started by the verbs that need it.

use std::future::Future;

use argrail_acli::Error;

/// Runs a future to its end.
///
/// # Errors
/// When the system gives us no event queue.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::execution)?;
    Ok(runtime.block_on(future))
}
