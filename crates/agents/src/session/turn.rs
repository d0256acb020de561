//! One turn: the events of one prompt.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio_stream::Stream;

use crate::event::Event;

/// The events of one prompt, in order. The last one, and no other, ends the turn: `turn-end` or `error`.
///
/// Dropping it before that ends the agent and everything that it started.
#[derive(Debug)]
pub struct Turn<'s> {
    session: PhantomData<&'s mut ()>,
}

impl Turn<'_> {
    /// Waits for the next event; nothing after the last one.
    pub async fn next(&mut self) -> Option<Event> {
        None
    }
}

impl Stream for Turn<'_> {
    type Item = Event;

    fn poll_next(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Option<Event>> {
        let _ = self.session;
        Poll::Ready(None)
    }
}
