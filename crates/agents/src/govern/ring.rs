//! The last words of a command: bounded, and cut where a character begins.

use std::collections::VecDeque;

/// The most bytes that are kept, and how many are unless somebody says.
const MOST: usize = 4 << 20;
const USUAL: usize = 1 << 20;

/// The last bytes of an output.
#[derive(Debug)]
pub(super) struct Ring {
    bytes: VecDeque<u8>,
    keep: usize,
    truncated: bool,
}

impl Ring {
    pub(super) fn new(keep: Option<usize>) -> Self {
        Self {
            bytes: VecDeque::new(),
            keep: keep.unwrap_or(USUAL).min(MOST),
            truncated: false,
        }
    }

    /// Takes more.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let over = bytes.len().saturating_sub(self.keep);
        self.truncated |= over > 0;
        self.bytes.extend(bytes.iter().skip(over));
        let over = self.bytes.len().saturating_sub(self.keep);
        if over > 0 {
            self.truncated = true;
            self.bytes.drain(..over);
        }
    }

    /// Returns the text, and whether something before it is gone. What is no text is replaced; a character that is not
    /// all there yet waits.
    pub(super) fn text(&self) -> (String, bool) {
        let mut bytes: Vec<u8> = self.bytes.iter().copied().collect();
        if self.truncated {
            let inside = bytes
                .iter()
                .take(3)
                .take_while(|byte| **byte & 0xc0 == 0x80)
                .count();
            bytes.drain(..inside);
        }
        if let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
        {
            bytes.truncate(error.valid_up_to());
        }
        (String::from_utf8_lossy(&bytes).into_owned(), self.truncated)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_last_bytes_are_kept_from_where_a_character_begins() {
        let check = |keep: usize, pieces: &[&[u8]], want: &str, truncated: bool| {
            let mut ring = Ring::new(Some(keep));
            pieces.iter().for_each(|piece| ring.push(piece));
            assert_eq!(ring.text(), (want.to_owned(), truncated), "{pieces:?}");
        };
        check(4, &[b"ab", b"cd"], "abcd", false);
        check(4, &[b"ab", b"cde"], "bcde", true);
        check(4, &[b"abcdefgh"], "efgh", true);
        check(4, &["aé€".as_bytes()], "€", true);
        check(4, &["é€".as_bytes()], "€", true);
        check(9, &[b"a\xe2\x82"], "a", false);
        check(9, &[b"a\xff", b"b"], "a\u{fffd}b", false);
        check(0, &[b"a"], "", true);
    }

    proptest! {
        #[test]
        fn what_is_kept_is_the_end_of_the_text(text in "[a-zé€😀]{0,40}", keep in 0_usize..60) {
            let mut ring = Ring::new(Some(keep));
            for piece in text.as_bytes().chunks(3) {
                ring.push(piece);
            }
            let (kept, truncated) = ring.text();
            prop_assert!(text.ends_with(&kept) && kept.len() <= keep);
            prop_assert_eq!(truncated, text.len() > keep);
        }
    }
}
