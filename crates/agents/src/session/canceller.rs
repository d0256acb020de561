//! Cancelling a turn from elsewhere: the turn itself is borrowed by whoever listens.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

/// Cancels the turn that runs. Clones mean the same session.
#[derive(Debug, Clone)]
pub struct Canceller {
    turn: Arc<AtomicU64>,
    cancels: Arc<watch::Sender<u64>>,
}

impl Canceller {
    pub(super) fn new(turn: Arc<AtomicU64>, cancels: watch::Sender<u64>) -> Self {
        Self {
            turn,
            cancels: Arc::new(cancels),
        }
    }

    /// Cancels the turn that was sent last, if it still runs. It ends within
    /// [`Times::cancel`](crate::Times::cancel), with the agent's word or without it.
    pub fn cancel(&self) {
        self.cancels.send_replace(self.turn.load(Ordering::Acquire));
    }
}
