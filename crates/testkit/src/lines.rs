//! A child's output, read by a thread of its own, line by line and as a whole.
//!
//! The thread drains the pipe whether or not the test looks, so a child never blocks on a full pipe.
//! Every wait has an end; none is a sleep.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

/// What waiting for a line came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A line, with its newline if it had one.
    Line(Vec<u8>),
    /// The other side closed the pipe.
    End,
    /// The deadline passed and the pipe is still open.
    Late,
}

/// The lines of one pipe, and all that was seen of it so far.
pub(crate) struct Lines {
    arriving: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

impl Lines {
    /// Starts reading `pipe`.
    pub(crate) fn of(pipe: impl Read + Send + 'static) -> Self {
        let (sender, arriving) = mpsc::channel();
        thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            loop {
                let mut line = Vec::new();
                match pipe.read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if sender.send(line).is_err() => return,
                    Ok(_) => {}
                }
            }
        });
        Self {
            arriving,
            seen: Vec::new(),
        }
    }

    /// Waits for one more line, until `deadline`.
    pub(crate) fn next(&mut self, deadline: Instant) -> Next {
        match self
            .arriving
            .recv_timeout(deadline.saturating_duration_since(Instant::now()))
        {
            Ok(line) => {
                self.seen.extend_from_slice(&line);
                Next::Line(line)
            }
            Err(RecvTimeoutError::Disconnected) => Next::End,
            Err(RecvTimeoutError::Timeout) => Next::Late,
        }
    }

    /// Reads to the end, or to `deadline`; returns whether the end was reached.
    pub(crate) fn drain(&mut self, deadline: Instant) -> bool {
        loop {
            match self.next(deadline) {
                Next::Line(_) => {}
                Next::End => return true,
                Next::Late => return false,
            }
        }
    }

    /// Returns everything that was read, lines already handed out included.
    pub(crate) fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Write, pipe};
    use std::time::Duration;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn lines_come_one_by_one_and_the_last_needs_no_newline() {
        let mut lines = Lines::of("one\ntwo".as_bytes());
        assert_eq!(lines.next(soon()), Next::Line(b"one\n".to_vec()));
        assert_eq!(lines.next(soon()), Next::Line(b"two".to_vec()));
        assert_eq!(lines.next(soon()), Next::End);
        assert_eq!(lines.seen(), "one\ntwo");
    }

    #[test]
    fn an_open_pipe_is_late_not_ended() {
        let (reader, mut writer) = pipe().unwrap();
        let mut lines = Lines::of(reader);
        assert_eq!(lines.next(Instant::now()), Next::Late);
        writer.write_all(b"x\n").unwrap();
        assert_eq!(lines.next(soon()), Next::Line(b"x\n".to_vec()));
        drop(writer);
        assert!(lines.drain(soon()));
    }
}
