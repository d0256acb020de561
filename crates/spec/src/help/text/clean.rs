//! Text of a terminal as plain text: no colours, no overstriking, no tabs, no invisible characters.
//!
//! Columns decide what a help text means, so a tab becomes spaces up to the next multiple of eight, and two at least
//! between words: a tab is always a gap. What a page shows is kept, what steers a terminal is dropped. At most
//! [`MAX_TEXT`] bytes are read and written.

use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;

/// How much of a text is read, and how much comes out of it.
pub const MAX_TEXT: usize = 4 << 20;

const TAB: usize = 8;
const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

/// Returns `text` without what steers a terminal.
pub fn clean(text: &str) -> Cow<'_, str> {
    let text = cut(text, MAX_TEXT);
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = Cleaned::with_room_for(text);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if cleaned.text.len() + TAB > MAX_TEXT {
            break;
        }
        match c {
            ESCAPE => skip_escape(&mut rest),
            '\u{9b}' => skip_control_sequence(&mut rest),
            '\u{8}' => cleaned.step_back(),
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.end_line(),
            '\t' => cleaned.tab(),
            '\u{2010}' | '\u{2011}' | '\u{2212}' => cleaned.push('-'),
            c if c.is_control() || is_invisible(c) => {}
            c if c.is_whitespace() => cleaned.push(' '),
            c => cleaned.push(c),
        }
    }
    Cow::Owned(cleaned.text)
}

/// Returns at most `limit` bytes of `text`, whole characters.
pub(crate) fn cut(text: &str, limit: usize) -> &str {
    let mut end = limit.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// Whether a byte needs no work: printable ASCII, a newline, or a part of a character that is none of ours.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'\n' | 0x20..=0x7e) || (byte >= 0x80 && !matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xef))
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

struct Cleaned {
    text: String,
    column: usize,
}

impl Cleaned {
    fn with_room_for(text: &str) -> Self {
        Self {
            text: String::with_capacity(text.len() + text.len() / 4),
            column: 0,
        }
    }

    fn push(&mut self, c: char) {
        self.text.push(c);
        self.column += 1;
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
    }

    /// `a\x08a` is a bold `a`, `_\x08a` an underlined one: what stood there before is written over.
    fn step_back(&mut self) {
        if self.column > 0 {
            self.text.pop();
            self.column -= 1;
        }
    }

    fn tab(&mut self) {
        let mut width = TAB - self.column % TAB;
        let is_between = self.column > 0 && !self.text.ends_with(' ');
        if width == 1 && is_between {
            width = 2;
        }
        for _ in 0..width {
            self.push(' ');
        }
    }
}

fn skip_escape(rest: &mut Peekable<Chars<'_>>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            skip_control_sequence(rest);
        }
        // Operating system commands, such as titles and links, up to a bell or `ESC \`.
        Some(']' | 'P' | '_' | '^') => skip_string(rest),
        Some('(' | ')' | '#' | '%') => {
            rest.next();
            rest.next_if(|c| *c != '\n');
        }
        Some('\n') | None => {}
        Some(_) => {
            rest.next();
        }
    }
}

fn skip_control_sequence(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    rest.next_if(|c| matches!(c, '@'..='~'));
}

fn skip_string(rest: &mut Peekable<Chars<'_>>) {
    while let Some(c) = rest.next_if(|c| *c != '\n') {
        if c == BELL {
            return;
        }
        if c == ESCAPE {
            rest.next_if(|c| *c == '\\');
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_dropped() {
        let check = |text: &str, want: &str| assert_eq!(clean(text), want, "{text:?}");
        check("plain\n  text", "plain\n  text");
        check("\u{1b}[1;32m--all\u{1b}[0m", "--all");
        check("\u{1b}]8;;file:///x\u{1b}\\link\u{1b}]8;;\u{7}", "link");
        check("\u{1b}(Bx", "x");
        check("N\u{8}NA\u{8}A", "NA");
        check("_\u{8}f_\u{8}o", "fo");
        check("\u{8}x\n\u{8}y", "x\ny");
        check("a\r\nb\rc", "a\nb\nc");
        check("\u{feff}a\u{a0}b\u{200b}", "a b");
        check("\u{2010}x \u{2212}y", "-x -y");
        check("open\u{1b}]0;never closed\nnext", "open\nnext");
        check("bell\u{7}\u{0}", "bell");
    }

    #[test]
    fn a_tab_is_a_gap_and_keeps_columns() {
        let check = |text: &str, want: &str| assert_eq!(clean(text), want, "{text:?}");
        check("\tx", "        x");
        check("ab\tx", "ab      x");
        check("1234567\tx", "1234567  x");
        check("       \tx", "        x");
    }

    #[test]
    fn no_text_grows_beyond_the_limit() {
        assert!(clean(&"\t".repeat(MAX_TEXT)).len() <= MAX_TEXT);
        assert_eq!(clean(&"é".repeat(MAX_TEXT)).len(), MAX_TEXT);
    }
}
