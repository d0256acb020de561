//! A child's output on a terminal: its text, without what steers the terminal or hides in it.

use std::str;

/// Makes a stream of bytes safe to show. Text may be cut anywhere, in the middle of a character too.
#[derive(Debug, Default)]
pub(crate) struct Neutral {
    /// The beginning of a character whose rest has not come.
    begun: Vec<u8>,
}

impl Neutral {
    /// Returns what can be shown of the next bytes.
    pub(crate) fn next(&mut self, bytes: &[u8]) -> String {
        let mut input = std::mem::take(&mut self.begun);
        input.extend_from_slice(bytes);
        let mut shown = String::with_capacity(input.len());
        let mut rest = input.as_slice();
        loop {
            match str::from_utf8(rest) {
                Ok(text) => {
                    show(&mut shown, text);
                    return shown;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to());
                    show(&mut shown, str::from_utf8(good).unwrap_or_default());
                    let Some(length) = error.error_len() else {
                        self.begun = bad.to_vec();
                        return shown;
                    };
                    let (broken, after) = bad.split_at(length);
                    broken
                        .iter()
                        .for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
                    rest = after;
                }
            }
        }
    }
}

/// Returns words of ours, in which the system's may stand, on one line and without anything that steers a terminal.
pub(crate) fn one_line(text: &str) -> String {
    let text = text.replace('\n', "\\n").replace('\r', "\\r").replace('\t', " ");
    Neutral::default().next(text.as_bytes())
}

fn show(shown: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            // Going back to the start of a line would let it be written over.
            '\r' => {}
            c if c.is_control() || argrail_acli::is_invisible(c) => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &[&[u8]]) -> String {
        let mut neutral = Neutral::default();
        parts.iter().map(|part| neutral.next(part)).collect()
    }

    #[test]
    fn a_terminal_cannot_be_steered() {
        assert_eq!(
            shown(&[b"\x1b]0;title\x07red\x1b[31m"]),
            "\\u{1b}]0;title\\u{7}red\\u{1b}[31m"
        );
        assert_eq!(shown(&[b"100%\rroot# rm\n\tx"]), "100%root# rm\n\tx");
        assert_eq!(shown(&["a\u{202e}b\u{9b}c".as_bytes()]), "a\\u{202e}b\\u{9b}c");
        assert_eq!(shown(&[b"\xff\xfe!"]), "\\xff\\xfe!");
    }

    #[test]
    fn characters_may_arrive_in_pieces() {
        let text = "größe → 😀";
        for cut in 0..text.len() {
            let (one, two) = text.as_bytes().split_at(cut);
            assert_eq!(shown(&[one, two]), text);
        }
    }
}
