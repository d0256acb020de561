//! Lines and outbox as one rmcp transport, with a cap on calls in flight and an end that drains.
//!
//! rmcp's own line transport bounds a line but says nothing about it, flushes every message by itself
//! and, at the end of the input, gives running calls five seconds. Here an overlong line is answered,
//! answers share a write, and the end of the input (or a signal) reaches rmcp only when the last call
//! has been answered or the grace is over.
//!
//! Only requests wait for a place among the calls in flight. Notifications and responses pass them, since
//! a cancellation, or the answer to a question of ours, may be what frees one.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, RequestId, ServerJsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

use super::backlog::{Backlog, Most};
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
    /// The most calls in flight; beyond it requests wait.
    pub(super) calls: usize,
    /// How many may wait; beyond it they are refused.
    pub(super) waiting: Most,
    /// How long calls may go on after the input ended or a signal came.
    pub(super) grace: Duration,
}

/// A connection of one line per message.
pub(super) struct LineTransport<R> {
    lines: Lines<R>,
    outbox: Outbox,
    calls: Arc<Calls>,
    backlog: Backlog,
    limits: Limits,
    stop: Stop,
    /// Set when no more is read: until when running calls may go on.
    ending: Option<Instant>,
}

/// What [`LineTransport::wait`] waited for.
enum Event {
    Line(io::Result<Line>),
    /// The next request of the backlog may go on.
    Room,
    Stop,
    Closed,
    /// Everything is answered, or time is up.
    Over,
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
            backlog: Backlog::new(limits.waiting.clone()),
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
            backlog,
            stop,
            ..
        } = self;
        let room = async {
            calls.room().await;
            outbox.room().await;
        };
        let line = async {
            outbox.room().await;
            lines.next().await
        };
        tokio::select! {
            biased;
            () = stop.soon.cancelled() => Event::Stop,
            () = room, if !backlog.is_empty() => Event::Room,
            line = line => Event::Line(line),
            () = outbox.closed() => Event::Closed,
        }
    }

    /// Turns a line into a message for rmcp, or keeps or answers it.
    fn take(&mut self, line: Line) -> Option<ClientJsonRpcMessage> {
        let range = match line {
            Line::Text(range) => range,
            Line::TooLong(opening) => return self.refuse(&message::too_long(&opening, self.limits.line)),
            Line::End => return None,
        };
        let text = self.lines.text(range);
        match message::decode(text) {
            Decoded::Message(ClientJsonRpcMessage::Request(request)) => {
                let id = &request.id;
                if self.backlog.has(id) {
                    return self.refuse(&message::duplicate(id.clone()));
                }
                // What came earlier goes first.
                if self.backlog.is_empty() || self.calls.has(id) {
                    match self.calls.begin(id) {
                        Admission::Admitted => return Some(ClientJsonRpcMessage::Request(request)),
                        Admission::Duplicate => return self.refuse(&message::duplicate(id.clone())),
                        Admission::Full => {}
                    }
                }
                if self.backlog.push(id, text) {
                    None
                } else {
                    self.refuse(&message::too_many(id.clone()))
                }
            }
            Decoded::Message(message) => self.pass(message),
            Decoded::Refused(answer) => self.refuse(&answer),
            Decoded::Blank => None,
        }
    }

    /// Lets a notification or a response through.
    fn pass(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        if let ClientJsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(id) = &cancelled.params.request_id
        {
            if self.backlog.remove(id) {
                return None;
            }
            // rmcp will not answer it.
            self.calls.end(id);
        }
        Some(message)
    }

    /// Takes the next request out of the backlog. There must be room for it.
    fn next_waiting(&mut self) -> Option<ClientJsonRpcMessage> {
        let waiting = self.backlog.pop()?;
        match message::decode(&waiting.text) {
            Decoded::Message(message) => {
                self.calls.begin(&waiting.id);
                Some(message)
            }
            // It was a message when it came.
            Decoded::Refused(_) | Decoded::Blank => None,
        }
    }

    fn refuse(&self, answer: &ServerJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        // If nobody reads it, `wait` sees that the outbox is closed.
        let _ = self.outbox.push(answer);
        None
    }

    /// Waits for a place for what is in the backlog, or else for the last answers; cancels what takes too
    /// long.
    async fn wind_down(&mut self, until: Instant) -> Event {
        let late = async {
            tokio::select! {
                () = tokio::time::sleep_until(until) => {}
                () = self.stop.now.cancelled() => {}
                () = self.outbox.closed() => {}
            }
        };
        let room = async {
            self.calls.room().await;
            self.outbox.room().await;
        };
        tokio::select! {
            biased;
            () = late => {}
            () = room, if !self.backlog.is_empty() => return Event::Room,
            () = self.calls.idle(), if self.backlog.is_empty() => return Event::Over,
        }
        self.stop.now.cancel();
        while let Some(waiting) = self.backlog.pop() {
            self.refuse(&message::ending(waiting.id));
        }
        Event::Over
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
            // Lines that only fill the backlog must not keep the calls in flight from running.
            tokio::task::consume_budget().await;
            let event = match self.ending {
                Some(until) => self.wind_down(until).await,
                None => self.wait().await,
            };
            let message = match event {
                Event::Line(Ok(Line::End) | Err(_)) | Event::Stop => {
                    self.ending = Some(Instant::now() + self.limits.grace);
                    None
                }
                Event::Closed => {
                    self.ending = Some(Instant::now());
                    None
                }
                Event::Line(Ok(line)) => self.take(line),
                Event::Room => self.next_waiting(),
                Event::Over => return None,
            };
            if message.is_some() {
                return message;
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

#[cfg(test)]
mod tests {
    use rmcp::model::{EmptyResult, ServerResult};
    use serde_json::Value;
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};

    use super::*;

    /// A transport in which two calls may run and two may wait, and its client.
    struct Pair {
        transport: LineTransport<ReadHalf<DuplexStream>>,
        input: Option<WriteHalf<DuplexStream>>,
        output: BufReader<ReadHalf<DuplexStream>>,
    }

    impl Pair {
        fn new() -> Self {
            let (near, far) = tokio::io::duplex(1 << 16);
            let (read, write) = tokio::io::split(near);
            let limits = Limits {
                line: 1000,
                calls: 2,
                waiting: Most {
                    requests: 2,
                    bytes: 1000,
                },
                grace: Duration::from_millis(100),
            };
            let (output, input) = tokio::io::split(far);
            Self {
                transport: LineTransport::new(read, write, limits, Stop::default()),
                input: Some(input),
                output: BufReader::new(output),
            }
        }

        async fn write(&mut self, text: &str) {
            self.input
                .as_mut()
                .unwrap()
                .write_all(text.as_bytes())
                .await
                .unwrap();
        }

        async fn pings(&mut self, ids: &[i64]) {
            for id in ids {
                self.write(&format!(
                    "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"ping\"}}\n"
                ))
                .await;
            }
        }

        async fn cancel(&mut self, id: i64) {
            self.write(&format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id}}}}}\n"
            ))
            .await;
        }

        /// What rmcp is given next: a request by its id, all else by its kind; `None` if nothing comes. The clock of
        /// these tests goes on only when there is nothing else to do.
        async fn given(&mut self) -> Option<String> {
            let next = tokio::time::timeout(Duration::from_millis(50), self.transport.receive()).await;
            Some(match next.ok()? {
                None => "end".to_owned(),
                Some(ClientJsonRpcMessage::Request(request)) => request.id.to_string(),
                Some(ClientJsonRpcMessage::Notification(_)) => "notification".to_owned(),
                Some(ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Error(_)) => {
                    "response".to_owned()
                }
            })
        }

        async fn expect(&mut self, expected: &[&str]) {
            for expected in expected {
                assert_eq!(self.given().await.as_deref(), Some(*expected));
            }
        }

        async fn answer(&mut self, id: i64) {
            let result = ServerResult::EmptyResult(EmptyResult {});
            let answer = ServerJsonRpcMessage::response(result, RequestId::Number(id));
            self.transport.send(answer).await.unwrap();
            assert_eq!(self.read().await["id"], id);
        }

        async fn read(&mut self) -> Value {
            let mut line = String::new();
            self.output.read_line(&mut line).await.unwrap();
            serde_json::from_str(&line).unwrap()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancellation_behind_waiting_requests_frees_a_place() {
        let mut pair = Pair::new();
        pair.pings(&[1, 2, 3, 4]).await;
        pair.expect(&["1", "2"]).await;
        assert_eq!(pair.given().await, None);
        pair.cancel(1).await;
        pair.expect(&["notification", "3"]).await;
        assert_eq!(pair.given().await, None);
        pair.answer(2).await;
        pair.expect(&["4"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_passes_what_waits() {
        let mut pair = Pair::new();
        pair.pings(&[1, 2, 3]).await;
        pair.write("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"roots\":[]}}\n")
            .await;
        pair.expect(&["1", "2", "response"]).await;
        pair.answer(1).await;
        pair.expect(&["3"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_cancelled_while_it_waits_is_gone() {
        let mut pair = Pair::new();
        pair.pings(&[1, 2, 3, 4]).await;
        pair.cancel(3).await;
        pair.pings(&[3]).await; // its id is free again, at the end of the queue
        pair.expect(&["1", "2"]).await;
        assert_eq!(pair.given().await, None);
        pair.answer(1).await;
        pair.answer(2).await;
        pair.expect(&["4", "3"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn ids_in_use_and_requests_too_many_are_refused() {
        let mut pair = Pair::new();
        pair.pings(&[1, 2, 3, 4, 5, 3, 1]).await;
        pair.expect(&["1", "2"]).await;
        assert_eq!(pair.given().await, None);
        for (id, code) in [(5, -32000), (3, -32600), (1, -32600)] {
            let answer = pair.read().await;
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&id.into(), &code.into())
            );
        }
        pair.answer(1).await;
        pair.pings(&[1]).await;
        pair.expect(&["3"]).await;
    }

    #[tokio::test(start_paused = true)]
    async fn what_waits_at_the_end_of_the_input_has_its_turn_or_is_told() {
        let mut pair = Pair::new();
        pair.pings(&[1, 2, 3, 4]).await;
        pair.input.take().unwrap().shutdown().await.unwrap();
        pair.expect(&["1", "2"]).await;
        assert_eq!(pair.given().await, None);
        pair.answer(1).await;
        pair.expect(&["3"]).await;
        let end = pair.transport.receive().await; // the grace is short
        assert!(end.is_none() && pair.transport.stop.now.is_cancelled());
        let told = pair.read().await;
        assert_eq!(
            (&told["id"], &told["error"]["code"]),
            (&4.into(), &(-32000).into())
        );
    }
}
