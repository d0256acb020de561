//! One connection: HTTP/1.1 with a limit on every wait.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::ServerHandler;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};
use tokio_util::sync::CancellationToken;

use super::connection_slots::ConnectionSlot;
use super::front::Front;

/// Serves one client until it leaves, misbehaves, makes way for another, or `stop` comes and its last answer is out.
pub(super) async fn serve<H, S>(
    stream: S,
    front: Arc<Front<H>>,
    stop: CancellationToken,
    slot: ConnectionSlot,
) where
    H: ServerHandler,
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let limits = front.limits.clone();
    let answer = service_fn(|request| {
        let front = Arc::clone(&front);
        let in_flight = slot.begin();
        async move { Ok::<_, Infallible>(in_flight.until_written(front.answer(request).await)) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        // hyper counts this from the end of the request before, so it limits idling too.
        .header_read_timeout(limits.head_time)
        .max_header_size(limits.head)
        .max_headers(limits.fields)
        .serve_connection(TokioIo::new(Patient::new(stream, limits.stall)), answer);
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // A client that broke the protocol was told so by hyper; there is nobody else to tell.
        _ = connection.as_mut() => return,
        () = slot.is_needed() => return,
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// A stream that gives up on a reader who does not read.
///
/// Without this a client that stops reading holds its connection, its session and every answer in them
/// for as long as it likes.
struct Patient<S> {
    stream: S,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            waiting: None,
        }
    }

    /// Passes a write's outcome on, or the end of patience.
    fn judge<T>(&mut self, outcome: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.waiting = None;
            return outcome;
        }
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        waiting
            .as_mut()
            .poll(cx)
            .map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.judge(outcome, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.judge(outcome, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let outcome = Pin::new(&mut self.stream).poll_flush(cx);
        self.judge(outcome, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_who_does_not_read_is_given_up() {
        let (near, _far) = tokio::io::duplex(8);
        let mut patient = Patient::new(near, Duration::from_secs(10));
        patient.write_all(b"12345678").await.unwrap();
        let begun = tokio::time::Instant::now();
        let error = patient.write_all(b"9").await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), 10);
    }
}
