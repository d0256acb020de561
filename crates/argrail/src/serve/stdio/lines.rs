//! Bytes to lines, never holding more than one line of allowed length and one read.
//!
//! [`Lines::next`] may be dropped at any await and called again: rmcp polls it beside other things and
//! drops it whenever one of those is ready first. What was read so far stays in `self`.

use std::io;
use std::ops::Range;

use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is read at once.
const CHUNK: usize = 32 * 1024;

/// Above this the buffer is given back once it is empty.
const KEPT: usize = 256 * 1024;

/// How much of an overlong line is kept, to find the request's id in it.
const OPENING: usize = 4 * 1024;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line; [`Lines::text`] returns it.
    Text(Range<usize>),
    /// The opening of a line over the limit. The rest of it is skipped.
    TooLong(Vec<u8>),
    /// The end of the input.
    End,
}

/// A reader of lines.
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where no newline was found.
    scanned: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Reading,
    Skipping,
    Ended,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            state: State::Reading,
        }
    }

    /// Returns the text of a line. It stays until the next call of [`Lines::next`].
    pub(super) fn text(&self, line: Range<usize>) -> &[u8] {
        self.buffer.get(line).unwrap_or_default()
    }

    /// Waits for the next line.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            if let Some(line) = self.buffered() {
                return Ok(line);
            }
            if self.state == State::Ended {
                return Ok(Line::End);
            }
            self.compact();
            self.buffer.reserve(CHUNK);
            if self.input.read_buf(&mut self.buffer).await? == 0 {
                return Ok(self.end());
            }
        }
    }

    /// Takes a line out of what was read already.
    fn buffered(&mut self) -> Option<Line> {
        loop {
            let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
            let Some(newline) = fresh.iter().position(|byte| *byte == b'\n') else {
                self.scanned = self.buffer.len();
                return self.over_limit(self.buffer.len());
            };
            let end = self.scanned + newline;
            if self.state == State::Skipping {
                self.state = State::Reading;
            } else if let Some(line) = self.over_limit(end) {
                // The newline is here already, so there is nothing left to skip.
                self.state = State::Reading;
                self.start = end + 1;
                self.scanned = end + 1;
                return Some(line);
            } else {
                let line = self.start..end;
                self.start = end + 1;
                self.scanned = end + 1;
                return Some(Line::Text(line));
            }
            self.start = end + 1;
            self.scanned = end + 1;
        }
    }

    /// Gives up on the line that begins at `start` if it is too long up to `end`.
    fn over_limit(&mut self, end: usize) -> Option<Line> {
        if self.state == State::Skipping || end - self.start <= self.limit {
            return None;
        }
        let opening = self.text(self.start..end.min(self.start + OPENING)).to_vec();
        self.state = State::Skipping;
        Some(Line::TooLong(opening))
    }

    /// Makes room: what was handed out or is being skipped goes, and a buffer that grew shrinks.
    fn compact(&mut self) {
        let used = if self.state == State::Skipping {
            self.buffer.len()
        } else {
            self.start
        };
        self.buffer.drain(..used);
        self.scanned -= used.min(self.scanned);
        self.start = 0;
        if self.buffer.is_empty() && self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
        }
    }

    /// Ends the input. A last line without a newline still counts.
    fn end(&mut self) -> Line {
        let rest = self.start..self.buffer.len();
        let skipping = self.state == State::Skipping;
        self.state = State::Ended;
        self.start = self.buffer.len();
        self.scanned = self.buffer.len();
        if skipping || rest.is_empty() {
            Line::End
        } else {
            Line::Text(rest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads everything, as text; a line too long shows as `!` and its opening's length.
    async fn read(input: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(input, limit);
        let mut seen = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::Text(line) => seen.push(String::from_utf8(lines.text(line).to_vec()).unwrap()),
                Line::TooLong(opening) => seen.push(format!("!{}", opening.len())),
                Line::End => return seen,
            }
        }
    }

    #[tokio::test]
    async fn lines_are_cut_at_newlines_and_limits() {
        let cases: &[(&[u8], usize, &[&str])] = &[
            (b"", 9, &[]),
            (b"a\nb\n", 9, &["a", "b"]),
            (b"a\n\nb", 9, &["a", "", "b"]), // the last needs no newline
            (b"abc\nabcd\nab\n", 3, &["abc", "!4", "ab"]),
            (b"abcd", 3, &["!4"]), // never ends
            (b"abcd\nok", 3, &["!4", "ok"]),
        ];
        for (input, limit, expected) in cases {
            assert_eq!(
                read(input, *limit).await,
                *expected,
                "{:?}",
                String::from_utf8_lossy(input)
            );
        }
    }

    #[tokio::test]
    async fn a_flood_without_newline_takes_no_memory() {
        let flood = tokio::io::repeat(b'x').take(50_000_000);
        let mut lines = Lines::new(flood.chain(&b"\nafter\n"[..]), 100_000);
        assert!(matches!(lines.next().await.unwrap(), Line::TooLong(_)));
        let Line::Text(line) = lines.next().await.unwrap() else {
            panic!("no line after the flood")
        };
        assert_eq!(lines.text(line), b"after");
        assert!(
            lines.buffer.capacity() < 200_000 + 2 * CHUNK,
            "{}",
            lines.buffer.capacity()
        );
    }
}
