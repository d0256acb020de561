//! What a person who runs a tool hands to it: an input, and, where they do not want an answer but its own words, the
//! outputs that these go to as they come.

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
    /// What becomes of its words.
    pub words: Words,
}

/// What becomes of a tool's words.
pub enum Words {
    /// They are made an answer of.
    Answer,
    /// They go on as they come.
    Raw {
        /// Its output.
        stdout: Each,
        /// Its complaints.
        stderr: Each,
    },
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
