//! Cancelling a turn from elsewhere: the turn itself is borrowed by whoever listens.

/// Cancels the turn that runs. Clones mean the same session.
#[derive(Debug, Clone)]
pub struct Canceller {
    _private: (),
}

impl Canceller {
    /// Cancels the turn that runs, if one does. It ends within the time of
    /// [`Times::cancel`](crate::Times::cancel), with the agent's word or without it.
    pub fn cancel(&self) {}
}
