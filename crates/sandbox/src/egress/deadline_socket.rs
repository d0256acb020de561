//! A socket during its first exchange: every read and write has a deadline, and heeds the end.
//!
//! Sockets are non-blocking throughout, so a peer that stops reading or writing stops nothing here.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;

use super::stop::StopSignal;

/// How long and how much is still read after the last answer, so that closing does not take it back.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 1 << 20;

/// One socket, with the deadline of its exchange.
#[derive(Debug)]
pub(super) struct DeadlineSocket<'a> {
    stream: &'a TcpStream,
    stop: &'a StopSignal,
    deadline: Instant,
}

impl<'a> DeadlineSocket<'a> {
    /// Begins an exchange which is over after `time`.
    pub(super) fn new(stream: &'a TcpStream, stop: &'a StopSignal, time: Duration) -> Self {
        Self {
            stream,
            stop,
            deadline: Instant::now() + time,
        }
    }

    /// Starts the time again.
    pub(super) fn extend(&mut self, time: Duration) {
        self.deadline = Instant::now() + time;
    }

    /// Appends what comes next, at most until `bytes` holds `most`. Fails when nothing comes any more.
    pub(super) fn read_more(&self, bytes: &mut Vec<u8>, most: usize) -> io::Result<()> {
        let mut chunk = [0; 4096];
        let room = most.saturating_sub(bytes.len()).min(chunk.len());
        let count = self.read(chunk.get_mut(..room).unwrap_or_default())?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
        Ok(())
    }

    /// Writes all of it.
    pub(super) fn write_all(&self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match (&mut &*self.stream).write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.wait(PollFlags::OUT)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Says that nothing follows, and reads on for a moment: closing a socket with unread bytes in it
    /// resets the connection, and the peer would lose the answer that was just written.
    pub(super) fn finish(mut self) {
        self.extend(LINGER_TIMEOUT);
        let _ = self.stream.shutdown(Shutdown::Write);
        let mut left = LINGER_BYTES;
        let mut chunk = [0; 4096];
        while let (1.., Ok(count @ 1..)) = (left, self.read(&mut chunk)) {
            left = left.saturating_sub(count);
        }
    }

    fn read(&self, chunk: &mut [u8]) -> io::Result<usize> {
        loop {
            // The wait comes first, so that a peer that always has more cannot outlast the deadline.
            self.wait(PollFlags::IN)?;
            match (&mut &*self.stream).read(chunk) {
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                result => return result,
            }
        }
    }

    fn wait(&self, events: PollFlags) -> io::Result<()> {
        if Instant::now() >= self.deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stop.wait(self.stream.as_fd(), events, Some(self.deadline))
    }
}
