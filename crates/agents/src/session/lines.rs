//! Bytes to lines, never holding more than one line of allowed length and one read.
//!
//! [`Lines::next`] may be dropped at any await and called again: what was read so far stays in `self`.

use std::io;
use std::ops::Range;

use tokio::io::{AsyncRead, AsyncReadExt};

/// How much is read at once.
const CHUNK: usize = 64 << 10;
/// Above this the buffer is given back once it is empty.
const KEPT: usize = 512 << 10;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line; [`Lines::text`] returns it.
    Text(Range<usize>),
    /// A line over the limit. Nothing is read after it.
    TooLong,
    /// The end. What came without a newline before it is no line.
    End,
}

/// A reader of lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    limit: usize,
    buffer: Vec<u8>,
    /// Where the next line begins.
    start: usize,
    /// Up to where no newline was found.
    scanned: usize,
    over: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            limit,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            over: false,
        }
    }

    /// Returns the text of a line. It stays until the next call of [`Lines::next`].
    pub(super) fn text(&self, line: Range<usize>) -> &[u8] {
        self.buffer.get(line).unwrap_or_default()
    }

    /// Waits for the next line. After [`Line::End`], [`Line::TooLong`] or an error there is none.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            if self.over {
                return Ok(Line::End);
            }
            if let Some(line) = self.buffered() {
                return Ok(line);
            }
            self.compact();
            self.buffer.reserve(CHUNK);
            match self.input.read_buf(&mut self.buffer).await {
                Ok(0) => self.over = true,
                Ok(_) => {}
                Err(error) => {
                    self.over = true;
                    return Err(error);
                }
            }
        }
    }

    /// Takes a line out of what was read already.
    fn buffered(&mut self) -> Option<Line> {
        let fresh = self.buffer.get(self.scanned..).unwrap_or_default();
        let end = fresh
            .iter()
            .position(|byte| *byte == b'\n')
            .map(|at| self.scanned + at);
        if end.unwrap_or(self.buffer.len()) - self.start > self.limit {
            self.over = true;
            self.buffer = Vec::new();
            return Some(Line::TooLong);
        }
        let Some(end) = end else {
            self.scanned = self.buffer.len();
            return None;
        };
        let line = self.start..end;
        (self.start, self.scanned) = (end + 1, end + 1);
        Some(Line::Text(line))
    }

    /// Makes room: what was handed out goes, and a buffer that grew shrinks.
    fn compact(&mut self) {
        self.buffer.drain(..self.start);
        self.scanned -= self.start;
        self.start = 0;
        if self.buffer.is_empty() && self.buffer.capacity() > KEPT {
            self.buffer = Vec::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads everything, as text; a line too long shows as `!`.
    async fn read(input: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(input, limit);
        let mut seen = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::Text(line) => seen.push(String::from_utf8_lossy(lines.text(line)).into_owned()),
                Line::TooLong => seen.push("!".to_owned()),
                Line::End => return seen,
            }
        }
    }

    #[tokio::test]
    async fn lines_are_cut_at_newlines_and_limits() {
        let cases: &[(&[u8], usize, &[&str])] = &[
            (b"", 9, &[]),
            (b"a\nb\n", 9, &["a", "b"]),
            (b"a\n\nb", 9, &["a", ""]), // half a line is none
            (b"abc\nabcd\nab\n", 3, &["abc", "!"]),
            (b"abcd", 3, &["!"]),
        ];
        for (input, limit, expected) in cases {
            assert_eq!(read(input, *limit).await, *expected, "{input:?}");
        }
    }

    #[tokio::test]
    async fn a_flood_without_newline_takes_no_memory() {
        let mut lines = Lines::new(tokio::io::repeat(b'x'), 100_000);
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
        assert_eq!(lines.buffer.capacity(), 0);
        assert_eq!(lines.next().await.unwrap(), Line::End);
    }
}
