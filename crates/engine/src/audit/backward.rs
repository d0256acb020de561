//! The lines of a file from its end: what was written last comes first, and no more is read than is wanted.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::line::LONGEST;

/// How much is read at once.
const BLOCK: usize = 64 * 1024;

/// Reads lines from the end of a file, or from a place in it.
#[derive(Debug)]
pub(super) struct Backward<'f> {
    file: &'f File,
    /// What is before this was not read yet.
    unread: u64,
    /// What was read and not handed out; its end is the end of what is left.
    buffer: Vec<u8>,
}

/// Some bytes of the file, from one newline to the next.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Where it starts.
    pub(super) start: u64,
    /// The bytes, without the newline; cut in front if there are more than a line may have.
    pub(super) bytes: Vec<u8>,
    /// Whether a newline ends it.
    pub(super) ended: Ended,
}

/// How a piece ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// With a newline.
    Newline,
    /// With the file: whoever wrote it did not finish.
    File,
}

impl<'f> Backward<'f> {
    /// Starts at `end`.
    pub(super) fn new(file: &'f File, end: u64) -> Self {
        Self {
            file,
            unread: end,
            buffer: Vec::new(),
        }
    }

    /// Returns the line before the one that was returned last; `None` at the beginning of the file.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        if self.buffer.is_empty() && !self.fill()? {
            return Ok(None);
        }
        let ended = match self.buffer.last() {
            Some(b'\n') => {
                self.buffer.pop();
                Ended::Newline
            }
            Some(_) | None => Ended::File,
        };
        // What was searched already is not searched again: each block is looked at once.
        let mut searched = 0;
        loop {
            let fresh = self.buffer.len() - searched;
            if let Some(at) = memchr::memrchr(b'\n', self.buffer.get(..fresh).unwrap_or_default()) {
                let bytes = self.buffer.split_off(at + 1);
                return Ok(Some(self.piece(bytes, ended)));
            }
            searched = self.buffer.len();
            if !self.fill()? {
                let bytes = std::mem::take(&mut self.buffer);
                return Ok(Some(self.piece(bytes, ended)));
            }
            if self.buffer.len() > 4 * LONGEST {
                // Longer than any record: only that it is too long matters, and where it begins.
                let cut = searched.min(2 * LONGEST);
                self.buffer.truncate(self.buffer.len() - (searched - cut));
                searched = cut;
            }
        }
    }

    fn piece(&self, bytes: Vec<u8>, ended: Ended) -> Piece {
        let kept = u64::try_from(self.buffer.len()).unwrap_or(u64::MAX);
        Piece {
            start: self.unread + kept,
            bytes,
            ended,
        }
    }

    /// Puts the block before in front. `false`: there is none.
    fn fill(&mut self) -> io::Result<bool> {
        if self.unread == 0 {
            return Ok(false);
        }
        let length = usize::try_from(self.unread).unwrap_or(BLOCK).min(BLOCK);
        let start = self.unread - u64::try_from(length).unwrap_or(self.unread);
        let mut block = vec![0; length];
        self.file.read_exact_at(&mut block, start)?;
        block.append(&mut self.buffer);
        self.buffer = block;
        self.unread = start;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;
    use proptest::prelude::*;

    use super::*;

    fn pieces(text: &[u8]) -> Vec<Piece> {
        let home = Home::new();
        let path = home.work().join("f");
        std::fs::write(&path, text).unwrap();
        let file = File::open(path).unwrap();
        let mut lines = Backward::new(&file, u64::try_from(text.len()).unwrap());
        let mut found = Vec::new();
        while let Some(piece) = lines.next().unwrap() {
            found.push(piece);
        }
        found.reverse();
        found
    }

    #[test]
    fn a_line_that_does_not_end_is_told_apart() {
        let check = |text: &str, want: &[(u64, &str, Ended)]| {
            let found = pieces(text.as_bytes());
            let found: Vec<_> = found
                .iter()
                .map(|piece| {
                    (
                        piece.start,
                        std::str::from_utf8(&piece.bytes).unwrap(),
                        piece.ended,
                    )
                })
                .collect();
            assert_eq!(found, want, "{text:?}");
        };
        check("", &[]);
        check("\n", &[(0, "", Ended::Newline)]);
        check("a\nb\n", &[(0, "a", Ended::Newline), (2, "b", Ended::Newline)]);
        check(
            "a\n\nbc",
            &[
                (0, "a", Ended::Newline),
                (2, "", Ended::Newline),
                (3, "bc", Ended::File),
            ],
        );
    }

    #[test]
    fn a_line_without_end_costs_no_more_memory_than_a_few_records() {
        let mut text = b"first\n".to_vec();
        text.resize(12 * LONGEST, b'x');
        text.extend_from_slice(b"\nlast\n");
        let found = pieces(&text);
        let [first, long, last] = found.as_slice() else {
            panic!("{}", found.len())
        };
        assert_eq!(
            (first.bytes.as_slice(), last.bytes.as_slice()),
            (b"first".as_slice(), b"last".as_slice())
        );
        assert_eq!(long.start, 6);
        assert!(long.bytes.len() > LONGEST && long.bytes.len() < 6 * LONGEST);
    }

    proptest! {
        #[test]
        fn lines_are_those_of_a_forward_reader(
            sizes in prop::collection::vec(prop_oneof![0..9usize, Just(70_000)], 0..6), ended in any::<bool>()
        ) {
            let lines: Vec<String> = sizes.into_iter().map(|size| "x".repeat(size)).collect();
            let mut text = lines.join("\n");
            if ended && !lines.is_empty() {
                text.push('\n');
            }
            let found = pieces(text.as_bytes());
            let found: Vec<_> = found.iter().map(|piece| String::from_utf8(piece.bytes.clone()).unwrap()).collect();
            let want: Vec<_> = text.split_inclusive('\n').map(|line| line.trim_end_matches('\n').to_owned()).collect();
            prop_assert_eq!(found, want);
        }
    }
}
