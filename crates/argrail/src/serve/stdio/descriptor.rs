//! Descriptors 0 and 1, each wrapped by what it is.
//!
//! Shells give pipes, Node gives sockets, people give terminals and files. Pipes and sockets are driven
//! by the event loop; wrapping everything in tokio's own stdin and stdout instead hands every read and
//! write to another thread and costs two thirds of the throughput. Only what the event loop cannot
//! watch (files) or should not touch (terminals, which other programs share) goes that slow way.
//!
//! Pipes are set back to blocking when they are dropped, since a shell may hand the same pipe to
//! the next program.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream as StdUnixStream;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// What a descriptor turned out to be.
enum Kind {
    Pipe,
    Socket,
    Other,
}

/// Where messages come from.
pub(super) enum Input {
    Pipe(Blocking<pipe::Receiver>),
    Socket(UnixStream),
    Other(tokio::io::Stdin),
}

/// Where messages go.
pub(super) enum Output {
    Pipe(Blocking<pipe::Sender>),
    Socket(UnixStream),
    Other(tokio::io::Stdout),
}

impl Input {
    /// Wraps descriptor 0.
    pub(super) fn stdin() -> io::Result<Self> {
        let (kind, descriptor) = look(io::stdin().as_fd().try_clone_to_owned()?)?;
        Ok(match kind {
            Kind::Pipe => Self::Pipe(Blocking(Some(pipe::Receiver::from_owned_fd(descriptor)?))),
            Kind::Socket => Self::Socket(socket(descriptor)?),
            Kind::Other => Self::Other(tokio::io::stdin()),
        })
    }
}

impl Output {
    /// Wraps descriptor 1.
    pub(super) fn stdout() -> io::Result<Self> {
        let (kind, descriptor) = look(io::stdout().as_fd().try_clone_to_owned()?)?;
        Ok(match kind {
            Kind::Pipe => Self::Pipe(Blocking(Some(pipe::Sender::from_owned_fd(descriptor)?))),
            Kind::Socket => Self::Socket(socket(descriptor)?),
            Kind::Other => Self::Other(tokio::io::stdout()),
        })
    }
}

fn look(descriptor: OwnedFd) -> io::Result<(Kind, OwnedFd)> {
    let file = std::fs::File::from(descriptor);
    let file_type = file.metadata()?.file_type();
    let kind = if file_type.is_fifo() {
        Kind::Pipe
    } else if file_type.is_socket() {
        Kind::Socket
    } else {
        Kind::Other
    };
    Ok((kind, OwnedFd::from(file)))
}

fn socket(descriptor: OwnedFd) -> io::Result<UnixStream> {
    let stream = StdUnixStream::from(descriptor);
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}

/// A pipe end that goes back to blocking when we are done with it. `None` only while dropping.
pub(super) struct Blocking<P: PipeEnd>(Option<P>);

/// Either end of a pipe.
pub(super) trait PipeEnd {
    /// Takes the end off the event loop and makes it block again.
    fn block(self) -> io::Result<OwnedFd>;
}

impl PipeEnd for pipe::Receiver {
    fn block(self) -> io::Result<OwnedFd> {
        self.into_blocking_fd()
    }
}

impl PipeEnd for pipe::Sender {
    fn block(self) -> io::Result<OwnedFd> {
        self.into_blocking_fd()
    }
}

impl<P: PipeEnd> Drop for Blocking<P> {
    fn drop(&mut self) {
        // A pipe that cannot be reset is not worth failing for at the end.
        let _ = self.0.take().map(PipeEnd::block);
    }
}

impl AsyncRead for Input {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Pipe(Blocking(Some(pipe))) => Pin::new(pipe).poll_read(cx, buf),
            Self::Pipe(Blocking(None)) => Poll::Ready(Ok(())),
            Self::Socket(socket) => Pin::new(socket).poll_read(cx, buf),
            Self::Other(stdin) => Pin::new(stdin).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Output {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Pipe(Blocking(Some(pipe))) => Pin::new(pipe).poll_write(cx, buf),
            Self::Pipe(Blocking(None)) => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            Self::Socket(socket) => Pin::new(socket).poll_write(cx, buf),
            Self::Other(stdout) => Pin::new(stdout).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            // Nothing is held back on these.
            Self::Pipe(_) | Self::Socket(_) => Poll::Ready(Ok(())),
            Self::Other(stdout) => Pin::new(stdout).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The descriptor may be shared, so the end of our use of it is not the end of it.
        self.poll_flush(cx)
    }
}
