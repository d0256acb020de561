//! Ending what runs when somebody interrupts us, and keeping what was found.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use argrail_sandbox::Cancel;

use crate::runtime::{self, Ended};

/// What a shell reports of somebody who was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Ends what runs when somebody interrupts us, and lets us keep what was found. Who asks again has no patience for
/// that.
pub(crate) fn end_on_signal(cancel: Cancel, stop: Arc<AtomicBool>) {
    // Without the thread an interrupt ends us, and with us all that runs.
    let _ = thread::Builder::new().spawn(move || {
        if let Ok(Ended::Interrupted(_)) = runtime::block_on(pending::<()>()) {
            stop.store(true, Ordering::Relaxed);
            cancel.cancel();
        }
        if let Ok(Ended::Interrupted(code)) = runtime::block_on(pending::<()>()) {
            std::process::exit(code.into());
        }
    });
}
