//! Lines and outbox as one rmcp transport, with a cap on calls in flight and an end that drains.
//!
//! rmcp's own line transport bounds a line but says nothing about it, flushes every message by itself
//! and, at the end of the input, gives running calls five seconds. Here an overlong line is answered,
//! answers share a write, and the end of the input (or a signal) reaches rmcp only when the last call
//! has been answered or the grace is over.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use super::lines::{Line, Lines};
use super::outbox::Outbox;
use crate::serve::calls::{Admission, Calls};
use crate::serve::message::{self, Decoded};
use crate::serve::stop::Stop;

/// The numbers a connection keeps to.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// The longest line that is read.
    pub(super) line: usize,
    /// The most calls in flight; beyond it nothing is read, so the client's pipe fills.
    pub(super) calls: usize,
    /// How long calls may go on after the input ended or a signal came.
    pub(super) grace: Duration,
}

/// A connection of one line per message.
pub(super) struct LineTransport<R> {
    lines: Lines<R>,
    outbox: Outbox,
    calls: Arc<Calls>,
    limits: Limits,
    stop: Stop,
    /// Set when no more is read: until when running calls may go on.
    ending: Option<Instant>,
}

/// What [`LineTransport::wait`] waited for.
enum Event {
    Line(io::Result<Line>),
    Stop,
    Closed,
}

impl<R: AsyncRead + Send + Unpin> LineTransport<R> {
    pub(super) fn new(
        input: R,
        output: impl AsyncWrite + Send + Unpin + 'static,
        limits: Limits,
        stop: Stop,
    ) -> Self {
        Self {
            lines: Lines::new(input, limits.line),
            outbox: Outbox::new(output),
            calls: Arc::new(Calls::new(limits.calls)),
            limits,
            stop,
            ending: None,
        }
    }

    async fn wait(&mut self) -> Event {
        let Self {
            lines,
            outbox,
            calls,
            stop,
            ..
        } = self;
        let line = async {
            calls.room().await;
            outbox.room().await;
            lines.next().await
        };
        tokio::select! {
            biased;
            () = stop.soon.cancelled() => Event::Stop,
            line = line => Event::Line(line),
            () = outbox.closed() => Event::Closed,
        }
    }

    /// Turns a line into a message for rmcp, or answers it.
    fn take(&self, line: Line) -> Option<ClientJsonRpcMessage> {
        let decoded = match line {
            Line::Text(line) => message::decode(self.lines.text(line)),
            Line::TooLong(opening) => Decoded::Refused(message::too_long(&opening, self.limits.line)),
            Line::End => Decoded::Blank,
        };
        match decoded {
            Decoded::Message(message) => self.admit(message),
            Decoded::Refused(answer) => self.refuse(&answer),
            Decoded::Blank => None,
        }
    }

    fn admit(&self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        match &message {
            ClientJsonRpcMessage::Request(request) => match self.calls.begin(&request.id) {
                // `wait` reads only when there is room.
                Admission::Admitted | Admission::Full => Some(message),
                Admission::Duplicate => self.refuse(&message::duplicate(request.id.clone())),
            },
            ClientJsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    // rmcp will not answer it.
                    self.calls.end(id);
                }
                Some(message)
            }
            ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_) => Some(message),
        }
    }

    fn refuse(&self, answer: &ServerJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        // If nobody reads it, `wait` sees that the outbox is closed.
        let _ = self.outbox.push(answer);
        None
    }

    /// Waits for the last answers; cancels what takes too long.
    async fn drained(&mut self, until: Instant) {
        let late = async {
            tokio::select! {
                () = tokio::time::sleep_until(until) => {}
                () = self.stop.now.cancelled() => {}
                () = self.outbox.closed() => {}
            }
        };
        tokio::select! {
            () = self.calls.idle() => {}
            () = late => self.stop.now.cancel(),
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        // Queued here, not in the future: rmcp runs these futures as tasks, in any order.
        let queued = self.outbox.push(&item);
        let outbox = match answered(&item) {
            Some(id) => {
                self.calls.end(id);
                None
            }
            // What nobody waits for (progress) waits for the reader instead.
            None => Some(self.outbox.clone()),
        };
        async move {
            if let Some(outbox) = outbox {
                outbox.room().await;
            }
            queued
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(until) = self.ending {
                self.drained(until).await;
                return None;
            }
            match self.wait().await {
                Event::Line(Ok(Line::End) | Err(_)) | Event::Stop => {
                    self.ending = Some(Instant::now() + self.limits.grace);
                }
                Event::Closed => {
                    self.ending = Some(Instant::now());
                }
                Event::Line(Ok(line)) => {
                    if let Some(message) = self.take(line) {
                        return Some(message);
                    }
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.outbox.close().await;
        Ok(())
    }
}

/// Returns the id of the request that `message` answers.
fn answered(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        ServerJsonRpcMessage::Response(response) => Some(&response.id),
        ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
        ServerJsonRpcMessage::Request(_) | ServerJsonRpcMessage::Notification(_) => None,
    }
}
