//! Answers to bytes: every message is written to a queue at once and a single task empties the queue.
//!
//! While that task waits for the descriptor, or for its turn, more answers gather; one write then takes
//! them all. The queue itself has no limit, since an answer must not wait for a slow reader inside the
//! protocol loop; instead the transport reads no further requests while it is [over the
//! mark](Outbox::room).

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::model::ServerJsonRpcMessage;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// Above this many unwritten bytes nothing more is taken on.
const MARK: usize = 4 * 1024 * 1024;

/// Above this a buffer is given back once it is empty.
const KEPT: usize = 256 * 1024;

/// How long the last answers may take to be read.
const LAST: Duration = Duration::from_secs(5);

/// The way out. Clones lead to the same descriptor.
#[derive(Clone)]
pub(super) struct Outbox(Arc<Shared>);

struct Shared {
    queue: Mutex<Vec<u8>>,
    filled: Notify,
    /// Bytes that are queued or being written.
    waiting: watch::Sender<usize>,
    closing: CancellationToken,
    /// Nobody reads any more, or all is written.
    closed: CancellationToken,
}

impl Outbox {
    /// Starts the writer task.
    pub(super) fn new(output: impl AsyncWrite + Send + Unpin + 'static) -> Self {
        let outbox = Self(Arc::new(Shared {
            queue: Mutex::default(),
            filled: Notify::new(),
            waiting: watch::Sender::new(0),
            closing: CancellationToken::new(),
            closed: CancellationToken::new(),
        }));
        let writer = outbox.clone();
        tokio::spawn(async move {
            let _guard = writer.0.closed.clone().drop_guard();
            // The reader has gone; the transport sees `closed` and ends.
            let _ = writer.write(output).await;
        });
        outbox
    }

    /// Queues a message. Messages go out in the order of these calls.
    pub(super) fn push(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        if self.0.closed.is_cancelled() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        {
            let mut queue = self.queue();
            let before = queue.len();
            if let Err(error) = serde_json::to_writer(&mut *queue, message) {
                queue.truncate(before);
                return Err(error.into());
            }
            queue.push(b'\n');
            let added = queue.len() - before;
            self.0.waiting.send_modify(|waiting| *waiting += added);
        }
        self.0.filled.notify_one();
        Ok(())
    }

    /// Waits until there is room for more, or nobody to read it.
    pub(super) async fn room(&self) {
        self.below(MARK).await;
    }

    /// Completes when nobody reads any more.
    pub(super) async fn closed(&self) {
        self.0.closed.cancelled().await;
    }

    /// Writes what is queued, within reason, and ends.
    pub(super) async fn close(&self) {
        self.0.closing.cancel();
        let _ = tokio::time::timeout(LAST, self.0.closed.cancelled()).await;
    }

    async fn below(&self, limit: usize) {
        if *self.0.waiting.borrow() < limit {
            return;
        }
        let mut waiting = self.0.waiting.subscribe();
        tokio::select! {
            _ = waiting.wait_for(|bytes| *bytes < limit) => {}
            () = self.closed() => {}
        }
    }

    fn queue(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn write(&self, mut output: impl AsyncWrite + Unpin) -> io::Result<()> {
        let mut batch = Vec::new();
        loop {
            std::mem::swap(&mut batch, &mut *self.queue());
            if batch.is_empty() {
                if self.0.closing.is_cancelled() {
                    return Ok(());
                }
                tokio::select! {
                    () = self.0.filled.notified() => {}
                    () = self.0.closing.cancelled() => {}
                }
                continue;
            }
            output.write_all(&batch).await?;
            output.flush().await?;
            self.0.waiting.send_modify(|waiting| *waiting -= batch.len());
            batch.clear();
            if batch.capacity() > KEPT {
                batch = Vec::new();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::{EmptyResult, RequestId, ServerResult};
    use tokio::io::AsyncReadExt;

    use super::*;

    fn answer(id: i64) -> ServerJsonRpcMessage {
        ServerJsonRpcMessage::response(ServerResult::EmptyResult(EmptyResult {}), RequestId::Number(id))
    }

    #[tokio::test]
    async fn everything_queued_is_written_in_order_before_the_end() {
        let (near, mut far) = tokio::io::duplex(16);
        let outbox = Outbox::new(near);
        for id in 0..100 {
            outbox.push(&answer(id)).unwrap();
        }
        let mut text = String::new();
        tokio::join!(outbox.close(), async {
            far.read_to_string(&mut text).await.unwrap()
        });
        let ids: Vec<i64> = text
            .lines()
            .map(|line| {
                serde_json::from_str::<serde_json::Value>(line).unwrap()["id"]
                    .as_i64()
                    .unwrap()
            })
            .collect();
        assert_eq!(ids, (0..100).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_reader_that_leaves_is_noticed() {
        let (near, far) = tokio::io::duplex(16);
        let outbox = Outbox::new(near);
        drop(far);
        outbox.push(&answer(1)).unwrap();
        outbox.closed().await;
        assert!(outbox.push(&answer(2)).is_err());
    }
}
