//! A session, as its owner holds it.

use std::sync::Arc;

use argrail_acli::Error;

use super::canceller::Canceller;
use super::closed::Closed;
use super::opening::Opening;
use super::turn::Turn;
use crate::governor::Governor;

/// A conversation with an agent that runs. Dropping it ends the agent and everything that it started.
#[derive(Debug)]
pub struct Session {
    id: String,
}

impl Session {
    /// Opens a session with an agent that was started: handshake, sign-in where it is asked for, session, settings.
    /// Runs in a tokio runtime, which drives it from then on.
    ///
    /// # Errors
    /// When the agent does not answer in time, ends, cannot be understood, or refuses; `AUTH_REQUIRED` when somebody
    /// must sign in first. The agent has ended then.
    pub async fn open(opening: Opening, _governor: Arc<dyn Governor>) -> Result<Self, Error> {
        Err(Error::execution(opening.agent))
    }

    /// Returns our own id of the session.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns what was wished for and what the agent does not offer: `mode`, `model`, or the name of an option.
    pub fn not_offered(&self) -> &[String] {
        &[]
    }

    /// Sends a prompt. The turn has exactly one `turn-end` or `error`, which is its last event.
    pub fn send(&mut self, _prompt: &str) -> Turn<'_> {
        unreachable!()
    }

    /// Returns what cancels a turn from elsewhere.
    pub fn canceller(&self) -> Canceller {
        unreachable!()
    }

    /// Closes the session: says goodbye where the agent understands it, ends its input, asks it to end, and kills what
    /// has not ended after the grace that it was started with.
    pub async fn close(self) -> Closed {
        unreachable!()
    }
}
