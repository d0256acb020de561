//! Lines of a screen: our own mark in front, in columns that no foreign text reaches, then the text.
//!
//! A text that is wider than the screen goes on in the next line: the line ends in `↩`, and the next one has no mark of
//! its own. Nothing is cut.

use std::fmt;

use unicode_width::UnicodeWidthChar;

use super::exact;

/// What a line that goes on ends in.
const GOES_ON: char = '↩';
/// The fewest columns of text, however narrow the screen is.
const NARROWEST: usize = 8;

/// Some text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Words of ours.
    Ours(String),
    /// Somebody else's, as a whole line or to its end.
    Foreign(String),
    /// Somebody else's between words of ours.
    Quoted(String),
}

impl Part {
    /// Words of ours that are always the same.
    pub(crate) fn ours(text: &str) -> Self {
        Self::Ours(text.to_owned())
    }
}

/// A line before it is known how wide the screen is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Row {
    /// Words of ours at the very left.
    Heading(String),
    /// Text behind a mark.
    Item {
        /// The mark.
        mark: String,
        /// The text.
        parts: Vec<Part>,
    },
    /// Nothing.
    Blank,
}

/// What a line is, for whoever draws it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Words of ours at the very left.
    Heading,
    /// Text behind a mark.
    Item,
}

/// A line of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// What is ours, in front.
    pub(crate) mark: String,
    /// The text.
    pub(crate) text: String,
    /// What it is.
    pub(crate) tone: Tone,
}

impl fmt::Display for Line {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(format!("{}{}", self.mark, self.text).trim_end())
    }
}

/// Lays rows out on a screen of this many columns. Marks line up within a block: up to the next heading or gap.
pub(crate) fn lay_out(rows: &[Row], width: usize) -> Vec<Line> {
    let mut lines = Vec::with_capacity(rows.len());
    for block in rows.chunk_by(|one, next| is_item(one) == is_item(next)) {
        let marks = block.iter().filter_map(|row| match row {
            Row::Item { mark, .. } => Some(mark.chars().count()),
            Row::Heading(_) | Row::Blank => None,
        });
        let gutter = marks.max().unwrap_or_default() + 3;
        block
            .iter()
            .for_each(|row| lay_out_row(&mut lines, row, gutter, width));
    }
    lines
}

fn is_item(row: &Row) -> bool {
    match row {
        Row::Item { .. } => true,
        Row::Heading(_) | Row::Blank => false,
    }
}

fn lay_out_row(lines: &mut Vec<Line>, row: &Row, gutter: usize, width: usize) {
    match row {
        Row::Heading(text) => {
            let parts = [Part::Ours(text.clone())];
            lines.extend(wrap(&parts, width.max(NARROWEST)).into_iter().map(|text| Line {
                mark: String::new(),
                text,
                tone: Tone::Heading,
            }));
        }
        Row::Item { mark, parts } => {
            let room = width.saturating_sub(gutter).max(NARROWEST);
            let mut mark = format!("{mark:>width$} ", width = gutter - 1);
            for text in wrap(parts, room) {
                lines.push(Line {
                    mark,
                    text,
                    tone: Tone::Item,
                });
                mark = " ".repeat(gutter);
            }
        }
        Row::Blank => lines.push(Line {
            mark: String::new(),
            text: String::new(),
            tone: Tone::Item,
        }),
    }
}

/// Returns words of ours behind a mark of ours, without the end of the last line. What goes on in the next line stays away
/// from the left edge: values of others stand among the words.
pub(crate) fn hanging(mark: &str, text: &str, width: Option<usize>) -> String {
    let indent = mark.chars().count();
    let room = width.map_or(usize::MAX, |width| width.saturating_sub(indent).max(NARROWEST));
    let pieces = text
        .chars()
        .map(|c| (c.to_string(), c.width().unwrap_or_default()));
    let lines = wrap_pieces(pieces, room);
    format!("{mark}{}", lines.join(&format!("\n{:indent$}", "")))
}

/// Divides pieces, each with its columns, into lines of at most this many columns.
pub(super) fn wrap_pieces(pieces: impl IntoIterator<Item = (String, usize)>, room: usize) -> Vec<String> {
    let mut wrapped = Wrapped::new(room);
    for (piece, columns) in pieces {
        wrapped.put(&piece, columns);
    }
    wrapped.end()
}

/// Divides text into pieces of at most this many columns, its mark included.
fn wrap(parts: &[Part], room: usize) -> Vec<String> {
    let mut wrapped = Wrapped::new(room);
    for part in parts {
        match part {
            Part::Ours(text) => {
                let mut buffer = [0; 4];
                for c in text.chars() {
                    wrapped.put(c.encode_utf8(&mut buffer), c.width().unwrap_or_default());
                }
            }
            Part::Foreign(text) => exact::each(text, None, |piece, columns| wrapped.put(piece, columns)),
            Part::Quoted(text) => {
                wrapped.put("'", 1);
                exact::each(text, Some('\''), |piece, columns| wrapped.put(piece, columns));
                wrapped.put("'", 1);
            }
        }
    }
    wrapped.end()
}

struct Wrapped {
    done: Vec<String>,
    line: String,
    columns: usize,
    room: usize,
}

impl Wrapped {
    fn new(room: usize) -> Self {
        Self {
            done: Vec::new(),
            line: String::new(),
            columns: 0,
            room,
        }
    }

    /// Adds a piece. The last column is kept free for the sign that the line goes on.
    fn put(&mut self, piece: &str, columns: usize) {
        if self.columns + columns < self.room {
            self.line.push_str(piece);
            self.columns += columns;
        } else if self.columns > 0 {
            self.turn();
            self.put(piece, columns);
        } else {
            // An escape that is wider than the screen: it may be divided after all.
            for c in piece.chars() {
                if self.columns + 1 >= self.room {
                    self.turn();
                }
                self.line.push(c);
                self.columns += c.width().unwrap_or_default();
            }
        }
    }

    fn turn(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        line.push(GOES_ON);
        self.done.push(line);
        self.columns = 0;
    }

    fn end(mut self) -> Vec<String> {
        self.done.push(self.line);
        self.done
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(rows: &[Row], width: usize) -> Vec<String> {
        lay_out(rows, width).iter().map(Line::to_string).collect()
    }

    fn word(mark: &str, text: &str) -> Row {
        Row::Item {
            mark: mark.to_owned(),
            parts: vec![Part::Foreign(text.to_owned())],
        }
    }

    #[test]
    fn long_text_goes_on_and_nothing_is_cut() {
        let rows = [
            Row::Heading("words".to_owned()),
            word("0", "abcdefghijklm n\n"),
            Row::Blank,
            word("11", "x"),
        ];
        assert_eq!(
            shown(&rows, 13),
            ["words", "  0 abcdefgh↩", "    ijklm n↩", "    \\n", "", "  11 x"]
        );
    }

    #[test]
    fn a_message_stays_away_from_the_left_edge() {
        let text = "the tool 'x   argrail: all is well' is not there";
        assert_eq!(hanging("argrail: ", text, None), format!("argrail: {text}"));
        assert_eq!(
            hanging("argrail: ", text, Some(30)),
            "argrail: the tool 'x   argrai↩\n         l: all is well' is n↩\n         ot there"
        );
    }

    #[test]
    fn words_of_ours_and_of_others_can_be_told_apart() {
        let parts = vec![
            Part::ours("ask: "),
            Part::Quoted("x', said by 'us".to_owned()),
            Part::ours(", said by "),
            Part::Quoted("them".to_owned()),
        ];
        let rows = [Row::Item {
            mark: "-".to_owned(),
            parts,
        }];
        assert_eq!(
            shown(&rows, 80),
            ["  - ask: 'x\\', said by \\'us', said by 'them'"]
        );
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_screen(text in any::<String>(), width in 14_usize..90) {
            for line in lay_out(&[word("0", &text)], width) {
                let columns: usize = line.to_string().chars().filter_map(UnicodeWidthChar::width).sum();
                prop_assert!(columns <= width, "{line:?}");
            }
        }

        #[test]
        fn the_lines_of_a_word_are_the_word(text in any::<String>(), width in 14_usize..90) {
            let lines = lay_out(&[word("0", &text)], width);
            let (last, before) = lines.split_last().unwrap();
            let mut whole: String = before.iter().map(|line| line.text.strip_suffix(GOES_ON).unwrap()).collect();
            whole.push_str(&last.text);
            prop_assert_eq!(whole, exact::exact(&text));
        }
    }
}
