//! Lines out of a stream of bytes, each bounded.

use super::limits::MESSAGE;

/// A line was longer than a message may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

/// Bytes that are no whole line yet.
#[derive(Debug, Default)]
pub(super) struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    /// Takes bytes and returns the lines that they finish, without their ends.
    ///
    /// # Errors
    /// When a line is longer than a message may be.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, TooLong> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.rest.len() + part.len() > MESSAGE + 1 {
                return Err(TooLong);
            }
            self.rest.extend_from_slice(part);
            if self.rest.last() == Some(&b'\n') {
                let mut line = std::mem::take(&mut self.rest);
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                lines.push(line);
            }
        }
        Ok(lines)
    }

    /// Returns what came after the last line.
    pub(super) fn rest(&self) -> &[u8] {
        &self.rest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn lines_come_whole_however_they_arrive() {
        let mut lines = Lines::default();
        assert_eq!(lines.feed(b"on").unwrap(), Vec::<Vec<u8>>::new());
        assert_eq!(lines.feed(b"e\r\n\ntw").unwrap(), [b"one".to_vec(), b"".to_vec()]);
        assert_eq!(lines.rest(), b"tw");
        assert_eq!(lines.feed(b"o\n").unwrap(), [b"two".to_vec()]);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut lines = Lines::default();
        let part = vec![b'x'; MESSAGE / 2];
        assert!(lines.feed(&part).is_ok() && lines.feed(&part).is_ok());
        assert_eq!(lines.feed(b"xx"), Err(TooLong));
    }

    proptest! {
        #[test]
        fn no_byte_is_lost(parts in prop::collection::vec("[a\r\n]{0,6}", 0..12)) {
            let mut lines = Lines::default();
            let mut out = Vec::new();
            for part in &parts {
                out.extend(lines.feed(part.as_bytes()).unwrap());
            }
            let whole = parts.concat();
            let (finished, rest) = whole.rsplit_once('\n').map_or(("", whole.as_str()), |(a, b)| (a, b));
            prop_assert_eq!(lines.rest(), rest.as_bytes());
            let strip = |line: &str| line.strip_suffix('\r').unwrap_or(line).as_bytes().to_vec();
            let want: Vec<Vec<u8>> = if whole.contains('\n') { finished.split('\n').map(strip).collect() } else { vec![] };
            prop_assert_eq!(out, want);
        }
    }
}
