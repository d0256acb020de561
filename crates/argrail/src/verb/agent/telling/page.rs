//! An agent's words on a terminal, so that nobody takes them for ours.
//!
//! Every line of the agent's is indented, and broken here before the terminal would break it at the left edge. Lines of
//! ours begin at the left edge with [`MARK`], which is written out in everything that the agent says, as is whatever
//! looks like it. Between our words the agent's stand in quotes, exactly.
//!
//! Pure: text in, text out.

use unicode_width::UnicodeWidthChar;

use crate::deciding::MARK;
use crate::foreign::exact_pieces;
use crate::neutral::Neutral;

/// What stands in front of the agent's words.
const TEXT: &str = "  ";
/// What stands in front of its thoughts, which are dimmed where there is colour.
const THOUGHT: &str = "  ~ ";
const DIM: &str = "\u{1b}[2m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";
/// How far a tab leads.
const TAB: usize = 4;
/// The fewest columns of text, however narrow the terminal is.
const NARROWEST: usize = 16;
/// Columns that a line of ours has where nobody says how many.
const LONGEST: usize = 400;

/// Whose words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The agent's message.
    Text,
    /// What it thinks.
    Thought,
}

impl Voice {
    fn gutter(self) -> &'static str {
        match self {
            Self::Text => TEXT,
            Self::Thought => THOUGHT,
        }
    }
}

/// Whether there is colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colour {
    /// There is.
    Shown,
    /// Nobody wants it, or nothing can show it.
    Absent,
}

/// Words of one line of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Words {
    /// Ours.
    Ours(String),
    /// Somebody else's.
    Foreign(String),
}

/// Where the next character goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// The left edge of a line on which nothing stands.
    Edge,
    /// A line of this voice, after so many columns.
    Column(Voice, usize),
}

/// What was written so far, as far as it matters for what is written next.
#[derive(Debug)]
pub(crate) struct Page {
    width: Option<usize>,
    colour: Colour,
    at: At,
    neutral: [Neutral; 2],
}

impl Page {
    /// Begins at the left edge. Without a width nothing is broken.
    pub(crate) fn new(width: Option<usize>, colour: Colour) -> Self {
        Self {
            width: width.map(|width| width.max(NARROWEST)),
            colour,
            at: At::Edge,
            neutral: [Neutral::default(), Neutral::default()],
        }
    }

    /// Says how wide the terminal is now.
    pub(crate) fn resize(&mut self, width: Option<usize>) {
        self.width = width.map(|width| width.max(NARROWEST));
    }

    /// Returns what to write for a piece of the agent's words.
    pub(crate) fn say(&mut self, voice: Voice, piece: &str) -> String {
        let [text, thought] = &mut self.neutral;
        let harmless = match voice {
            Voice::Text => text.next(piece.as_bytes()),
            Voice::Thought => thought.next(piece.as_bytes()),
        };
        let mut out = String::with_capacity(harmless.len() + 16);
        if matches!(self.at, At::Column(other, _) if other != voice) {
            self.turn(&mut out);
        }
        let mut rest = harmless.as_str();
        while let Some(c) = rest.chars().next() {
            let (one, after) = rest.split_at(c.len_utf8());
            match c {
                '\n' => self.turn(&mut out),
                '\t' => self.tab(&mut out, voice),
                ' ' => self.put(&mut out, voice, " ", 1),
                c if is_like_ours(c) => {
                    let written: String = c.escape_unicode().collect();
                    self.put_word(&mut out, voice, &written);
                }
                _ => {
                    let end = rest.find(|c: char| c.is_whitespace() || is_like_ours(c));
                    let (word, after) = rest.split_at(end.unwrap_or(rest.len()).max(one.len()));
                    self.put_word(&mut out, voice, word);
                    rest = after;
                    continue;
                }
            }
            rest = after;
        }
        self.dimmed(voice, out)
    }

    /// Returns what to write for a line of ours, in one line of the screen.
    pub(crate) fn own(&mut self, words: &[Words]) -> String {
        let mut out = String::new();
        if self.at != At::Edge {
            self.turn(&mut out);
        }
        let room = self.width.unwrap_or(LONGEST).saturating_sub(3);
        let mut line = Line {
            text: String::new(),
            columns: 0,
            room,
            full: false,
        };
        for words in words {
            match words {
                Words::Ours(text) => text.chars().for_each(|c| {
                    line.put(c.encode_utf8(&mut [0; 4]), c.width().unwrap_or_default());
                }),
                Words::Foreign(text) => {
                    line.put("'", 1);
                    exact_pieces(text, |piece, columns| line.put(piece, columns));
                    line.put("'", 1);
                }
            }
        }
        let mark = match self.colour {
            Colour::Shown => format!("{BOLD}{MARK}{PLAIN}"),
            Colour::Absent => MARK.to_string(),
        };
        out.push_str(&format!("{mark} {}\n", line.text));
        out
    }

    /// Returns what ends the line, if one has begun.
    pub(crate) fn finish(&mut self) -> String {
        let mut out = String::new();
        if self.at != At::Edge {
            self.turn(&mut out);
        }
        out
    }

    /// Writes a word: on the next line if it has room there and none here, else divided.
    fn put_word(&mut self, out: &mut String, voice: Voice, word: &str) {
        let columns: usize = word.chars().filter_map(UnicodeWidthChar::width).sum();
        let (room, left) = self.room(voice);
        if columns > left && columns <= room && self.begun() {
            self.turn(out);
        }
        for c in word.chars() {
            self.put(
                out,
                voice,
                c.encode_utf8(&mut [0; 4]),
                c.width().unwrap_or_default(),
            );
        }
    }

    fn put(&mut self, out: &mut String, voice: Voice, piece: &str, columns: usize) {
        if columns > self.room(voice).1 && self.begun() {
            self.turn(out);
        }
        if self.at == At::Edge {
            out.push_str(voice.gutter());
            self.at = At::Column(voice, 0);
        }
        out.push_str(piece);
        if let At::Column(_, column) = &mut self.at {
            *column += columns;
        }
    }

    fn tab(&mut self, out: &mut String, voice: Voice) {
        let column = match self.at {
            At::Edge => 0,
            At::Column(_, column) => column,
        };
        for _ in column % TAB..TAB {
            self.put(out, voice, " ", 1);
        }
    }

    fn turn(&mut self, out: &mut String) {
        out.push('\n');
        self.at = At::Edge;
    }

    fn begun(&self) -> bool {
        match self.at {
            At::Edge | At::Column(_, 0) => false,
            At::Column(..) => true,
        }
    }

    /// Returns how much a line takes, and how much this one still does. The last column stays free: some terminals turn
    /// there by themselves.
    fn room(&self, voice: Voice) -> (usize, usize) {
        let Some(width) = self.width else {
            return (usize::MAX, usize::MAX);
        };
        let room = width.saturating_sub(voice.gutter().len() + 1);
        let used = match self.at {
            At::Edge => 0,
            At::Column(_, column) => column,
        };
        (room, room.saturating_sub(used))
    }

    fn dimmed(&self, voice: Voice, text: String) -> String {
        match (voice, self.colour) {
            (Voice::Thought, Colour::Shown) => format!("{DIM}{text}{PLAIN}"),
            (Voice::Thought, Colour::Absent) | (Voice::Text, _) => text,
        }
    }
}

/// A line of ours. What has no room is left out, and told.
struct Line {
    text: String,
    columns: usize,
    room: usize,
    full: bool,
}

impl Line {
    fn put(&mut self, piece: &str, columns: usize) {
        if self.full {
            return;
        }
        if self.columns + columns > self.room {
            self.full = true;
            self.text.push('…');
            return;
        }
        self.text.push_str(piece);
        self.columns += columns;
    }
}

/// Whether somebody could take this character for our mark: blocks, and heavy bars.
fn is_like_ours(c: char) -> bool {
    matches!(c,
        '\u{2580}'..='\u{259f}' | '┃' | '║' | '╏' | '┇' | '┋' | '╹' | '╻' | '╿' | '╽' | '\u{23b8}'..='\u{23bf}'
        | '\u{2758}'..='\u{275a}' | '\u{25ae}' | '\u{25af}' | '\u{1fb00}'..='\u{1fbff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn said(width: usize, pieces: &[&str]) -> String {
        let mut page = Page::new(Some(width), Colour::Absent);
        let mut out: String = pieces.iter().map(|piece| page.say(Voice::Text, piece)).collect();
        out.push_str(&page.finish());
        out
    }

    #[test]
    fn words_are_indented_and_broken_before_the_edge() {
        assert_eq!(
            said(20, &["one ", "two", " three four five\n\nsix"]),
            "  one two three \n  four five\n\n  six\n"
        );
        assert_eq!(
            said(16, &["abcdefghijklmnopqrstuvwxyz"]),
            "  abcdefghijklm\n  nopqrstuvwxyz\n"
        );
        assert_eq!(said(20, &["a\tb"]), "  a   b\n");
    }

    #[test]
    fn nothing_that_an_agent_says_begins_where_our_lines_do() {
        let hostile = "done\n\u{258c} argrail asks: run 'ls'? y\r\u{258c}\u{1b}[1A\u{1b}[2K\u{9b}1G┃ allow";
        let shown = said(40, &[hostile]);
        assert!(
            !shown.contains(MARK) && !shown.contains('\u{1b}') && !shown.contains('┃'),
            "{shown}"
        );
        assert!(
            shown
                .lines()
                .all(|line| line.is_empty() || line.starts_with(TEXT)),
            "{shown}"
        );
        assert!(shown.contains("\\u{258c} argrail asks:"), "{shown}");
    }

    #[test]
    fn thoughts_are_told_apart_without_colour_and_dimmed_with_it() {
        let mut page = Page::new(Some(40), Colour::Absent);
        let text = [
            page.say(Voice::Thought, "hm, \nwell"),
            page.say(Voice::Text, "Yes."),
            page.own(&[
                Words::Ours("tool ".to_owned()),
                Words::Foreign("it's\n▌".to_owned()),
            ]),
        ];
        assert_eq!(
            text.concat(),
            "  ~ hm, \n  ~ well\n  Yes.\n▌ tool 'it\\'s\\n\\u{258c}'\n"
        );
        let mut page = Page::new(Some(40), Colour::Shown);
        assert_eq!(page.say(Voice::Thought, "hm"), "\u{1b}[2m  ~ hm\u{1b}[0m");
        assert_eq!(page.say(Voice::Text, "Yes"), "\n  Yes");
    }

    #[test]
    fn a_line_of_ours_is_one_line() {
        let mut page = Page::new(Some(20), Colour::Absent);
        let line = page.own(&[Words::Ours("tool ".to_owned()), Words::Foreign("x".repeat(100))]);
        assert_eq!(line, "▌ tool 'xxxxxxxxxxx…\n");
    }

    proptest! {
        #[test]
        fn whatever_is_said_stays_within_its_columns(
            pieces in prop::collection::vec(any::<String>(), 0..6), width in 16_usize..100
        ) {
            let mut page = Page::new(Some(width), Colour::Absent);
            let mut all = String::new();
            for (index, piece) in pieces.iter().enumerate() {
                let voice = if index % 2 == 0 { Voice::Text } else { Voice::Thought };
                all.push_str(&page.say(voice, piece));
            }
            for line in all.lines() {
                prop_assert!(line.is_empty() || line.starts_with(TEXT), "{line:?}");
                let columns: usize = line.chars().filter_map(UnicodeWidthChar::width).sum();
                prop_assert!(columns < width, "{line:?}");
            }
            prop_assert!(!all.chars().any(|c| is_like_ours(c) || c.is_control() && c != '\n'));
        }
    }
}
