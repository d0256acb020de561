//! What changes as a session goes on, and what its owner orders.

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::telling::{Telling, Told};

/// What the owner of a session wants.
pub(super) enum Order {
    /// A turn.
    Prompt {
        turn: u64,
        text: String,
        events: mpsc::Sender<Told>,
    },
    /// The end.
    Close,
}

/// What is known once a session is open.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) not_offered: Vec<String>,
}

/// What changes as a session goes on.
pub(super) struct Flow {
    /// When it was begun.
    pub(super) begun: Instant,
    /// When something was heard last, or the agent was last kept waiting.
    pub(super) heard: Instant,
    /// When the session was opened, or a turn was over.
    pub(super) used: Instant,
    /// Until when the cancelled turn has to be over.
    pub(super) cancelled: Option<Instant>,
    /// The session is open, and its owner hears of it when history has come to its end.
    pub(super) ready: Option<(Opened, Instant)>,
    pub(super) telling: Option<Telling>,
    pub(super) turn: u64,
    pub(super) to_write: Vec<u8>,
    pub(super) written: usize,
    pub(super) bytes: usize,
    pub(super) messages: usize,
}

impl Flow {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            heard: now,
            used: now,
            cancelled: None,
            ready: None,
            telling: None,
            turn: 0,
            to_write: Vec::new(),
            written: 0,
            bytes: 0,
            messages: 0,
        }
    }

    pub(super) fn unread(&self) -> usize {
        self.to_write.len() - self.written
    }

    /// Whether something waits to be heard by the owner.
    pub(super) fn is_unheard(&self) -> bool {
        self.telling.as_ref().is_some_and(|telling| !telling.is_empty())
    }
}
