//! Where output goes that is not an answer: to the person who runs the tool, as it comes.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use argrail_sandbox::{Each, Ended, Stdin};

/// The streams of `argrail run`. Handed to a call as its context.
pub struct Passthrough {
    streams: Mutex<Option<Streams>>,
    ended: OnceLock<Ended>,
}

/// What the tool reads, and where what it writes goes.
pub struct Streams {
    /// Its input.
    pub stdin: Stdin,
    /// Its output.
    pub stdout: Each,
    /// Its complaints.
    pub stderr: Each,
}

impl Passthrough {
    /// Takes the streams of one call.
    pub fn new(streams: Streams) -> Self {
        Self {
            streams: Mutex::new(Some(streams)),
            ended: OnceLock::new(),
        }
    }

    /// Returns how the tool ended, if it was started.
    pub fn ended(&self) -> Option<Ended> {
        self.ended.get().copied()
    }

    /// Hands out the streams, once.
    pub(super) fn take(&self) -> Option<Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn end(&self, ended: Ended) {
        // There is one call, and it ends once.
        let _ = self.ended.set(ended);
    }
}

impl fmt::Debug for Passthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passthrough")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
