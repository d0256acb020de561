//! Text without what steers a terminal: colours, titles, cursor movements, overstrikes.
//!
//! Line ends become `\n`, and so does a carriage return alone, so that what a progress bar wrote over is still there.
//! A backspace takes the character before it back once another one is written there, as in the pages of `man`. Bytes
//! that are no UTF-8 pass; nothing else is ever added.

/// The longest title or other text for the terminal; longer ones are taken for text again.
const STRING: usize = 4096;

/// Removes terminal control from a stream, however it is cut into pieces.
#[derive(Debug, Default)]
pub struct Strip {
    state: State,
    /// The last character, which a backspace may take back.
    last: Vec<u8>,
    /// Whether a backspace stands behind it.
    taken_back: bool,
    /// Whether a carriage return stands behind it.
    returned: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Text,
    /// Behind the first byte of a C1 control in UTF-8.
    High,
    Escape,
    /// Behind `ESC` and a byte that announces another.
    Intermediate,
    /// `ESC [`: up to a final byte.
    Control(usize),
    /// A title or the like: up to its end.
    String(usize),
    /// The same, behind an `ESC` that may begin its end.
    StringEscape,
    /// The same, behind the first byte of a C1 control.
    StringHigh(usize),
}

const ESC: u8 = 0x1b;
const BEL: u8 = 0x07;
/// The first byte of U+0080 to U+00BF.
const HIGH: u8 = 0xc2;

impl Strip {
    /// Takes the next bytes; what is text is appended to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        for byte in bytes {
            self.state = self.step(*byte, out);
        }
    }

    /// Hands out the rest.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        match self.state {
            // The beginning of a character that never came.
            State::High => self.character(&[HIGH], out),
            State::Text
            | State::Escape
            | State::Intermediate
            | State::Control(_)
            | State::String(_)
            | State::StringEscape
            | State::StringHigh(_) => {}
        }
        self.state = State::Text;
        self.end_line(out);
        out.append(&mut self.last);
    }

    fn step(&mut self, byte: u8, out: &mut Vec<u8>) -> State {
        match self.state {
            State::Text => self.text(byte, out),
            State::High => self.high(byte, out),
            State::Escape => self.escape(byte, out),
            State::Intermediate => match byte {
                0x20..=0x2f => State::Intermediate,
                0x30..=0x7e => State::Text,
                other => self.text(other, out),
            },
            State::Control(length) => match byte {
                0x20..=0x3f if length < STRING => State::Control(length + 1),
                0x40..=0x7e => State::Text,
                other => self.text(other, out),
            },
            State::String(length) => self.string(byte, length, out),
            // Its end, or another sequence, which ends a string, too.
            State::StringEscape => self.escape(byte, out),
            State::StringHigh(length) => match byte {
                0x9c => State::Text,
                other => self.string(other, length + 1, out),
            },
        }
    }

    fn text(&mut self, byte: u8, out: &mut Vec<u8>) -> State {
        match byte {
            ESC => return State::Escape,
            HIGH => return State::High,
            b'\n' => {
                self.returned = false;
                self.taken_back = false;
                out.append(&mut self.last);
                out.push(b'\n');
            }
            b'\r' => self.returned = true,
            0x08 => self.taken_back = !self.last.is_empty(),
            // NUL separates names in the output of many tools.
            b'\t' | 0 | 0x20..=0x7e => self.character(&[byte], out),
            0x80..=0xbf if self.is_begun() => self.last.push(byte),
            0x80..=0xff => self.character(&[byte], out),
            0x01..=0x1f | 0x7f => {}
        }
        State::Text
    }

    /// Whether the last character may have more bytes.
    fn is_begun(&self) -> bool {
        let begins = self.last.first().is_some_and(|first| *first >= HIGH);
        begins && self.last.len() < 4 && !self.returned && !self.taken_back
    }

    /// U+0080 to U+009F are the same controls in one character.
    fn high(&mut self, byte: u8, out: &mut Vec<u8>) -> State {
        match byte {
            0x9b => State::Control(0),
            0x90 | 0x98 | 0x9d..=0x9f => State::String(0),
            0x80..=0x9f => State::Text,
            0xa0..=0xbf => {
                self.character(&[HIGH, byte], out);
                State::Text
            }
            other => {
                self.character(&[HIGH], out);
                self.text(other, out)
            }
        }
    }

    fn escape(&mut self, byte: u8, out: &mut Vec<u8>) -> State {
        match byte {
            b'[' => State::Control(0),
            b']' | b'P' | b'X' | b'^' | b'_' => State::String(0),
            0x20..=0x2f => State::Intermediate,
            0x30..=0x7e => State::Text,
            other => self.text(other, out),
        }
    }

    fn string(&mut self, byte: u8, length: usize, out: &mut Vec<u8>) -> State {
        match byte {
            BEL | 0x18 | 0x1a => State::Text,
            ESC => State::StringEscape,
            HIGH => State::StringHigh(length),
            // No title has a line end: this one was never ended.
            b'\n' => self.text(byte, out),
            _ if length >= STRING => self.text(byte, out),
            _ => State::String(length + 1),
        }
    }

    /// Puts a character (or its first byte) behind the last one, or in its place.
    fn character(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.end_line(out);
        // `x` underlined may be written `_` over `x` as well.
        if self.taken_back && bytes == b"_" && self.last != b" " {
            self.taken_back = false;
            return;
        }
        if self.taken_back {
            self.last.clear();
            self.taken_back = false;
        }
        out.append(&mut self.last);
        self.last.extend_from_slice(bytes);
    }

    /// A carriage return that no line feed followed begins another line.
    fn end_line(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.returned) {
            out.append(&mut self.last);
            out.push(b'\n');
            self.taken_back = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stripped<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
        let (mut strip, mut out) = (Strip::default(), Vec::new());
        parts.into_iter().for_each(|part| strip.push(part, &mut out));
        strip.finish(&mut out);
        out
    }

    fn check(given: &[u8], want: &[u8]) {
        let whole = stripped([given]);
        assert_eq!(
            String::from_utf8_lossy(&whole),
            String::from_utf8_lossy(want),
            "{}",
            given.escape_ascii()
        );
        assert_eq!(
            stripped(given.chunks(1)),
            whole,
            "byte by byte: {}",
            given.escape_ascii()
        );
    }

    #[test]
    fn what_steers_a_terminal_is_gone() {
        check(b"\x1b[1;31mred\x1b[0m", b"red");
        check(b"\x1b]0;title\x07text", b"text");
        check(b"\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", b"link");
        check("\u{9b}31mred\u{9d}0;title\u{9c}text".as_bytes(), b"redtext");
        check(b"\x1b(Bplain\x1b=\x1b>", b"plain");
        check(b"\x1bP1$r\x1b\\after\x1b_x\x1b\\", b"after");
        check(b"bell\x07 del\x7f vt\x0b", b"bell del vt");
        check(b"a\x1b", b"a");
        check(b"a\x1b[12", b"a");
        check(b"\x1b]0;never ended\ntext", b"\ntext");
        check(b"\x1b[\x1b[31mred", b"red");
    }

    #[test]
    fn a_string_that_never_ends_does_not_hide_the_rest() {
        let mut text = b"\x1b]0;".to_vec();
        text.extend(std::iter::repeat_n(b'x', STRING + 10));
        assert_eq!(stripped([text.as_slice()]).len(), 10 + "0;".len());
    }

    #[test]
    fn line_ends_are_one_kind_and_nothing_is_written_over() {
        check(b"a\r\nb\n\tc", b"a\nb\n\tc");
        check(b"10%\r20%\r\ndone", b"10%\n20%\ndone");
        check(b"a\r\r\nb", b"a\nb");
        check(b"end\r", b"end\n");
        check(b"a\0b\0", b"a\0b\0");
    }

    #[test]
    fn overstrikes_are_resolved() {
        check(b"N\x08NA\x08AM\x08ME\x08E", b"NAME");
        check(b"_\x08f_\x08i_\x08l_\x08e", b"file");
        check(b"f\x08_i\x08_", b"fi");
        check(b"+\x08+\x08o\x08o", b"o");
        check("ü\u{8}ü→\u{8}→".as_bytes(), "ü→".as_bytes());
        check(b"abc\x08\x08\x08", b"abc");
        check(b"\x08a\n\x08b", b"a\nb");
    }

    #[test]
    fn what_is_no_utf8_passes() {
        check(b"\xff\xfe\x80a\xc2", b"\xff\xfe\x80a\xc2");
        check(b"\xc2\xa9 \xc2x", b"\xc2\xa9 \xc2x");
    }

    proptest! {
        #[test]
        fn plain_text_is_unchanged(text in "[^\u{0}-\u{1f}\u{7f}-\u{9f}]*(\n|\t)?[^\u{0}-\u{1f}\u{7f}-\u{9f}]*") {
            prop_assert_eq!(stripped([text.as_bytes()]), text.as_bytes());
        }

        #[test]
        fn no_control_stays_and_pieces_do_not_matter(
            bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(ESC), Just(b'['), Just(0x08), Just(HIGH), Just(0x9d)], 0..200),
            size in 1_usize..7,
        ) {
            let whole = stripped([bytes.as_slice()]);
            prop_assert!(!whole.iter().any(|byte| matches!(byte, 1..=8 | 0x0b..=0x1f | 0x7f)));
            prop_assert_eq!(stripped(bytes.chunks(size)), whole);
        }
    }
}
