//! One turn: the events of one prompt.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use argrail_acli::{Code, Error, Text};
use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio_stream::Stream;

use super::failing::{Lost, event_of};
use super::handle::Session;
use super::telling::Told;
use crate::event::Event;

/// The events of one prompt, in order. The last one, and no other, ends the turn: `turn-end` or `error`.
///
/// Dropping it before that ends the agent and everything that it started.
#[derive(Debug)]
pub struct Turn<'s> {
    session: &'s mut Session,
    source: Source,
}

/// Where events come from.
#[derive(Debug)]
enum Source {
    Session(mpsc::Receiver<Told>),
    /// A turn that never began.
    Error(Lost),
    Over,
}

impl<'s> Turn<'s> {
    pub(super) fn new(session: &'s mut Session, events: mpsc::Receiver<Told>) -> Self {
        Self {
            session,
            source: Source::Session(events),
        }
    }

    pub(super) fn refused(session: &'s mut Session, error: Error) -> Self {
        Self {
            session,
            source: Source::Error(Lost::new(error)),
        }
    }

    /// Waits for the next event; nothing after the last one.
    pub async fn next(&mut self) -> Option<Event> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    fn poll_told(&mut self, context: &mut Context<'_>) -> Poll<Option<Told>> {
        let kind = match &mut self.source {
            Source::Over => return Poll::Ready(None),
            Source::Error(lost) => event_of(lost),
            Source::Session(events) => match events.poll_recv(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(told)) => return Poll::Ready(Some(told)),
                Poll::Ready(None) => event_of(&Lost::new(self.session.lost())),
            },
        };
        let ts = Timestamp::now();
        Poll::Ready(Some(Told { kind, ts }))
    }
}

impl Stream for Turn<'_> {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        let told = match self.poll_told(context) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Ready(Some(told)) => told,
        };
        if told.kind.is_last() {
            self.source = Source::Over;
        }
        Poll::Ready(Some(self.session.number(told)))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        match self.source {
            Source::Session(_) => self.session.abandon(),
            Source::Error(_) | Source::Over => {}
        }
    }
}

/// What a turn is told of that could not begin.
pub(super) fn too_long(most: usize) -> Error {
    let message = Text::new("the prompt is longer than {} bytes").number(most);
    Error::new(Code::ValidationError, message).hint("Put the text into a file, and name the file")
}

/// What a turn is told of that the session may not have.
pub(super) fn too_many(most: u64) -> Error {
    let message = Text::new("the session may have no more than {} turns").number(most);
    Error::new(Code::ValidationError, message).hint("Open a new session")
}
