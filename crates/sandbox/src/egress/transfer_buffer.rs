//! Bytes on their way from one socket to another, held here while the other cannot take them.
//!
//! A connection starts with a buffer, which its first words need and which is enough for most. One that
//! moves a lot gets a pipe, and from then on the bytes stay in the kernel (`splice`). Where there is no
//! pipe to have, or `splice` is refused, the buffer goes on.
//!
//! `splice` to a socket that is gone raises SIGPIPE, which every Rust program ignores from its start.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, SpliceFlags, fcntl_setpipe_size, pipe_with, splice};

/// How much a buffer holds. More than the longest first words, so that these always fit.
const BUFFER_BYTES: usize = 64 * 1024;

/// How much a pipe is asked to hold.
const PIPE_BYTES: usize = 1 << 20;

/// After how many bytes a pipe is worth its two descriptors.
const BULK_AFTER_BYTES: u64 = 1 << 20;

/// What came of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadOutcome {
    /// Something came.
    Some,
    /// Nothing for now.
    Later,
    /// Nothing any more.
    Ended,
}

/// One direction of a connection.
#[derive(Debug)]
pub(super) struct TransferBuffer {
    store: BufferStore,
    moved: u64,
    pipes: PipeState,
}

#[derive(Debug)]
enum BufferStore {
    Buffer {
        bytes: Vec<u8>,
        start: usize,
        end: usize,
    },
    Pipe {
        reader: OwnedFd,
        writer: OwnedFd,
        held: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PipeState {
    Untried,
    Tried,
}

impl TransferBuffer {
    /// Makes a flow that holds these bytes already.
    pub(super) fn new(first: Vec<u8>) -> Self {
        Self {
            store: buffer(first),
            moved: 0,
            pipes: PipeState::Untried,
        }
    }

    /// Returns how much is held.
    pub(super) fn buffered_bytes(&self) -> usize {
        match &self.store {
            BufferStore::Buffer { start, end, .. } => end - start,
            BufferStore::Pipe { held, .. } => *held,
        }
    }

    /// Returns what is held, while it can be looked at.
    pub(super) fn peek(&self) -> &[u8] {
        match &self.store {
            BufferStore::Buffer { bytes, start, end } => bytes.get(*start..*end).unwrap_or_default(),
            BufferStore::Pipe { .. } => &[],
        }
    }

    /// Returns whether more can be taken.
    pub(super) fn has_room(&self) -> bool {
        match &self.store {
            BufferStore::Buffer { bytes, end, start } => end - start < bytes.len(),
            // A pipe is full by pages, not by bytes: only an empty one is sure to take something.
            BufferStore::Pipe { held, .. } => *held == 0,
        }
    }

    /// Takes what `from` has, at most once around.
    pub(super) fn fill(&mut self, from: &TcpStream) -> io::Result<ReadOutcome> {
        if self.moved >= BULK_AFTER_BYTES && self.buffered_bytes() == 0 && self.pipes == PipeState::Untried {
            self.pipes = PipeState::Tried;
            self.store = pipe().unwrap_or_else(|_| buffer(Vec::new()));
        }
        match self.fill_store(from) {
            Ok(0) => Ok(ReadOutcome::Ended),
            Ok(_) => Ok(ReadOutcome::Some),
            Err(error) if is_later(&error) => Ok(ReadOutcome::Later),
            Err(error) if self.is_empty_pipe() && is_unable(&error) => {
                self.store = buffer(Vec::new());
                Ok(ReadOutcome::Later) // The socket is as ready as it was: the next call reads it.
            }
            Err(error) => Err(error),
        }
    }

    /// Drops what is held but for the first bytes, while it can be looked at.
    pub(super) fn truncate(&mut self, keep: usize) {
        if let BufferStore::Buffer { start, end, .. } = &mut self.store {
            *end = (*end).min(*start + keep);
        }
    }

    /// Gives `to` as much as it takes, and at most so much, and returns how much that was.
    pub(super) fn drain(&mut self, to: &TcpStream, most: usize) -> io::Result<u64> {
        let before = self.moved;
        let mut left = most.min(self.buffered_bytes());
        while left > 0 {
            match self.drain_store(to, left) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    left = left.saturating_sub(count);
                    self.moved += u64::try_from(count).unwrap_or(0);
                }
                Err(error) if is_later(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(self.moved - before)
    }

    fn is_empty_pipe(&self) -> bool {
        matches!(self.store, BufferStore::Pipe { held: 0, .. })
    }

    fn fill_store(&mut self, mut from: &TcpStream) -> io::Result<usize> {
        match &mut self.store {
            BufferStore::Buffer { bytes, start, end } => {
                // What is held and waits for more is moved to the front: there is room behind it.
                if start == end || *end == bytes.len() {
                    bytes.copy_within(*start..*end, 0);
                    (*start, *end) = (0, *end - *start);
                }
                let count = from.read(bytes.get_mut(*end..).unwrap_or_default())?;
                *end += count;
                Ok(count)
            }
            BufferStore::Pipe { writer, held, .. } => {
                *held += splice(from, None, &*writer, None, PIPE_BYTES, flags())?;
                Ok(*held)
            }
        }
    }

    fn drain_store(&mut self, mut to: &TcpStream, most: usize) -> io::Result<usize> {
        match &mut self.store {
            BufferStore::Buffer { bytes, start, end } => {
                let until = (*end).min(*start + most);
                let count = to.write(bytes.get(*start..until).unwrap_or_default())?;
                *start += count;
                Ok(count)
            }
            BufferStore::Pipe { reader, held, .. } => {
                let count = splice(&*reader, None, to, None, most.min(*held), flags())?;
                *held -= count;
                Ok(count)
            }
        }
    }
}

fn flags() -> SpliceFlags {
    SpliceFlags::MOVE | SpliceFlags::NONBLOCK
}

fn buffer(mut bytes: Vec<u8>) -> BufferStore {
    let end = bytes.len();
    bytes.resize(BUFFER_BYTES.max(end), 0);
    BufferStore::Buffer { bytes, start: 0, end }
}

fn pipe() -> io::Result<BufferStore> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)?;
    // Who has many pipes open already is refused a big one. A small one works too.
    let _ = fcntl_setpipe_size(&writer, PIPE_BYTES);
    Ok(BufferStore::Pipe {
        reader,
        writer,
        held: 0,
    })
}

fn is_later(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
    )
}

/// Whether this is how a system says that it has no `splice` for us.
fn is_unable(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | PermissionDenied | Unsupported)
}
