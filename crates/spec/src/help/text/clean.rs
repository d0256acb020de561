//! Text of a terminal as plain text: no colours, no overstriking, no tabs, no invisible characters.
//!
//! Columns decide what a help text means, so a tab becomes spaces up to the next multiple of eight, and two at least
//! between words: a tab is always a gap. What a page shows is kept, what steers a terminal is dropped; only inside of a
//! word an invisible character stays, and such a word is no name. At most [`MAX_TEXT`] bytes are read and written.

use std::borrow::Cow;

/// How much of a text is read, and how much comes out of it.
pub const MAX_TEXT: usize = 4 << 20;

const TAB: usize = 8;
const BLOCK: usize = 64;
const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';

/// Returns `text` without what steers a terminal.
pub fn clean(text: &str) -> Cow<'_, str> {
    let text = cut(text, MAX_TEXT);
    if plain_length(text) == text.len() {
        return Cow::Borrowed(text);
    }
    let mut cleaned = Cleaned::with_room_for(text);
    let mut rest = text;
    while cleaned.text.len() + TAB <= MAX_TEXT {
        let (plain, special) = rest.split_at_checked(plain_length(rest)).unwrap_or((rest, ""));
        cleaned.push_plain(cut(plain, MAX_TEXT - TAB - cleaned.text.len()));
        let mut chars = special.chars();
        let Some(c) = chars.next() else {
            break;
        };
        rest = chars.as_str();
        match c {
            ESCAPE => rest = behind_escape(rest),
            '\u{9b}' => rest = behind_control_sequence(rest),
            '\u{8}' => cleaned.step_back(),
            '\r' if rest.starts_with('\n') => {}
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => cleaned.end_line(),
            '\t' => cleaned.tab(),
            '\u{2010}' | '\u{2011}' | '\u{2212}' => cleaned.push('-'),
            c if is_invisible(c) => {
                rest = rest.trim_start_matches(is_invisible);
                cleaned.invisible(c, rest);
            }
            c if c.is_control() => {}
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

/// How many bytes at the beginning of a text need no work.
fn plain_length(text: &str) -> usize {
    // Whole blocks at first: without a way out of the inner loop the compiler looks at many bytes at once.
    let has_special = |block: &&[u8]| block.iter().fold(false, |found, byte| found | !is_plain(*byte));
    let blocks = text.as_bytes().chunks(BLOCK);
    let start = blocks.take_while(|block| !has_special(block)).count() * BLOCK;
    let block = text.as_bytes().get(start..).unwrap_or_default();
    let special = block.iter().position(|byte| !is_plain(*byte));
    special.map_or(text.len(), |at| start + at)
}

/// Whether a byte needs no work: printable ASCII, a newline, or a part of a character that is none of ours.
fn is_plain(byte: u8) -> bool {
    let is_steering = byte < b' ' && byte != b'\n';
    !(is_steering || matches!(byte, 0x7f | 0xc2 | 0xe1 | 0xe2 | 0xe3 | 0xef))
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

    /// Drops an invisible character, unless a word goes on behind it: such a word is not the one that it looks like.
    fn invisible(&mut self, c: char, rest: &str) {
        let is_word = |c: char| !c.is_whitespace() && !c.is_control();
        if rest.starts_with(is_word) && self.text.ends_with(is_word) {
            self.text.push(c);
        }
    }

    /// Adds what needs no work; lines may end in it.
    fn push_plain(&mut self, plain: &str) {
        self.text.push_str(plain);
        let (before, line) = match plain.rsplit_once('\n') {
            Some((_, line)) => (0, line),
            None => (self.column, plain),
        };
        self.column = before + line.chars().count();
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
            let visible = self.text.trim_end_matches(is_invisible).len();
            self.text.truncate(visible);
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

/// Returns what follows a sequence that an escape begins.
fn behind_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some('[') => behind_control_sequence(chars.as_str()),
        // Operating system commands, such as titles and links, up to a bell or `ESC \`.
        Some(']' | 'P' | '_' | '^') => behind_string(text),
        Some('(' | ')' | '#' | '%') => {
            let rest = chars.as_str();
            rest.strip_prefix(|c| c != '\n').unwrap_or(rest)
        }
        Some('\n') | None => text,
        Some(_) => chars.as_str(),
    }
}

fn behind_control_sequence(text: &str) -> &str {
    let rest = text.trim_start_matches(|c| matches!(c, ' '..='?'));
    rest.strip_prefix(|c| matches!(c, '@'..='~')).unwrap_or(rest)
}

fn behind_string(text: &str) -> &str {
    let end = text.find(['\n', BELL, ESCAPE]).unwrap_or(text.len());
    let rest = text.get(end..).unwrap_or_default();
    match rest.strip_prefix([BELL, ESCAPE]) {
        Some(behind) if rest.starts_with(ESCAPE) => behind.strip_prefix('\\').unwrap_or(behind),
        Some(behind) => behind,
        None => rest,
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
        check("a\u{200b}b\u{8}", "a");
        check("\u{8}x\n\u{8}y", "x\ny");
        check("a\r\nb\rc", "a\nb\nc");
        check("\u{feff}a\u{a0}b\u{200b}", "a b");
        check("--c\u{200b}d \u{200e}--all\u{200b} x", "--c\u{200b}d --all x");
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
