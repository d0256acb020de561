//! Lines with their indentation, frames taken off.
//!
//! Some programs draw boxes around their lists (`╭─ Options ─╮`), others rule titles off (`--- Options ---`). Both
//! become lines like any other, with a [`Mark`] that says they are titles.

use unicode_width::UnicodeWidthChar;

use super::word::find_gap;

const MAX_LINES: usize = 200_000;

/// What is known of a line from how it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing.
    Plain,
    /// A frame or a rule makes it a title.
    Title,
    /// A star before an option says that it has to be given.
    Starred,
}

/// One line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'t> {
    /// From 1.
    pub(crate) number: usize,
    /// The column of its first character.
    pub(crate) indent: usize,
    /// What it says, without white space around it.
    pub(crate) text: &'t str,
    /// How it is drawn.
    pub(crate) mark: Mark,
    /// The column behind its first gap.
    pub(crate) behind_gap: Option<usize>,
}

impl<'t> Line<'t> {
    pub(crate) fn is_blank(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns what stands before and from a column on, if a word begins there.
    pub(crate) fn split_at_column(&self, column: usize) -> Option<(&'t str, &'t str)> {
        let offset = column.checked_sub(self.indent).filter(|offset| *offset > 0)?;
        let at = if self.text.is_ascii() {
            offset
        } else {
            byte_of_column(self.text, offset)?
        };
        let (left, right) = self.text.split_at_checked(at)?;
        (left.ends_with(' ') && !right.is_empty() && !right.starts_with(' '))
            .then(|| (left.trim_end(), right))
    }

    /// Returns the column of a byte of its text.
    pub(crate) fn column_of(&self, byte: usize) -> usize {
        let before = self.text.get(..byte).unwrap_or(self.text);
        self.indent + width(before)
    }
}

fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

fn byte_of_column(text: &str, column: usize) -> Option<usize> {
    let mut seen = 0;
    for (at, c) in text.char_indices() {
        if seen >= column {
            return (seen == column).then_some(at);
        }
        seen += c.width().unwrap_or(0);
    }
    None
}

/// Returns the lines of a cleaned text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let count = text.bytes().filter(|byte| *byte == b'\n').count();
    let mut lines = Vec::with_capacity(count.min(MAX_LINES) + 1);
    for (index, raw) in text.lines().take(MAX_LINES).enumerate() {
        let mut line = line(index + 1, raw);
        line.behind_gap = find_gap(line.text, 0).map(|(_, end)| line.column_of(end));
        lines.push(line);
    }
    lines
}

fn line(number: usize, raw: &str) -> Line<'_> {
    let trimmed = raw.trim_end_matches(' ');
    let text = trimmed.trim_start_matches(' ');
    let indent = trimmed.len() - text.len();
    let plain = Line {
        number,
        indent,
        text,
        mark: Mark::Plain,
        behind_gap: None,
    };
    match text.chars().next() {
        Some(c) if is_frame(c) => starred(framed(plain)),
        Some('*') if starred(plain).mark == Mark::Starred => starred(plain),
        Some('-' | '=' | '*' | '#' | '~' | '_') => ruled(plain),
        Some(_) | None => plain,
    }
}

/// `* --name  text`
fn starred(line: Line<'_>) -> Line<'_> {
    let behind = line.text.strip_prefix("* ").map(str::trim_start);
    match behind.filter(|behind| behind.starts_with('-')) {
        Some(text) => Line {
            indent: line.indent + line.text.len() - text.len(),
            text,
            mark: Mark::Starred,
            ..line
        },
        None => line,
    }
}

fn is_frame(c: char) -> bool {
    matches!(c, '\u{2500}'..='\u{257f}')
}

fn framed(line: Line<'_>) -> Line<'_> {
    let is_side = |c: char| matches!(c, '│' | '┃' | '║' | '┆' | '┊');
    if line.text.starts_with(is_side) {
        let inner = line.text.trim_matches(is_side).trim_end();
        let text = inner.trim_start();
        return Line {
            indent: line.indent + 1 + inner.len() - text.len(),
            text,
            ..line
        };
    }
    Line {
        text: line.text.trim_matches(|c: char| is_frame(c) || c == ' '),
        mark: Mark::Title,
        ..line
    }
}

/// `------- Title -------`, and a line that only rules off.
fn ruled(line: Line<'_>) -> Line<'_> {
    let is_rule = |c: char| matches!(c, '-' | '=' | '*' | '#' | '~' | '_');
    let inner = line.text.trim_matches(is_rule);
    let first = line.text.chars().next().unwrap_or_default();
    let before = line.text.len() - line.text.trim_start_matches(first).len();
    if before < 3 {
        return line;
    }
    if inner.trim().is_empty() {
        return Line { text: "", ..line };
    }
    if !inner.starts_with(' ') {
        return line;
    }
    Line {
        text: inner.trim(),
        mark: Mark::Title,
        ..line
    }
}
