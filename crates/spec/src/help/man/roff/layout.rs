//! Lines with their indentation, put together from text, breaks and changes of the margin.
//!
//! A paragraph becomes one line, however long: nothing wraps, so no word of prose starts a line by chance.

use super::escape::{Strings, decode};
use super::inline::{Font, Inline};
use crate::help::man::line::{Line, Role};

/// No margin is deeper; a page that nests further is flat from there on.
const DEEPEST: usize = 400;

/// Whether text is filled or each line stands by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// Lines run together.
    On,
    /// `.nf`, `.EX`.
    Off,
}

/// The page so far.
#[derive(Debug)]
pub(super) struct Layout {
    lines: Vec<Line>,
    pending: Inline,
    pending_number: usize,
    pending_indent: usize,
    /// The text after `\c` goes on without a space.
    joined: bool,
    indent: usize,
    /// Whether lines are filled.
    pub(super) fill: Fill,
    /// The strings that the page defined.
    pub(super) strings: Strings,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            lines: Vec::new(),
            pending: Inline::default(),
            pending_number: 0,
            pending_indent: 0,
            joined: false,
            indent: 0,
            fill: Fill::On,
            strings: Strings::default(),
        }
    }
}

impl Layout {
    /// Moves the margin, after a break.
    pub(super) fn margin(&mut self, indent: usize) {
        self.end_line();
        self.indent = indent.min(DEEPEST);
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
        let text = self.pending.take();
        self.joined = false;
        let text = text.trim();
        if !text.is_empty() {
            let (number, indent) = (self.pending_number, self.pending_indent);
            let role = match self.fill {
                // What stands in by its own spaces was laid out by hand.
                Fill::On if indent > self.indent => Role::Verbatim,
                Fill::On => Role::Text,
                Fill::Off => Role::Verbatim,
            };
            self.lines.push(Line {
                number,
                indent,
                text: squeezed(text, role),
                role,
            });
        }
    }

    /// Ends the line and leaves space below it.
    pub(super) fn blank(&mut self, number: usize) {
        self.end_line();
        if self.lines.last().is_some_and(|line| !line.is_blank()) {
            let role = Role::Text;
            self.lines.push(Line {
                number,
                indent: 0,
                text: String::new(),
                role,
            });
        }
    }

    /// Writes a line of its own with a role.
    pub(super) fn line(&mut self, role: Role, number: usize, indent: usize, text: &str) {
        self.end_line();
        let text = squeezed(text.trim(), role);
        if !text.is_empty() {
            self.lines.push(Line {
                number,
                indent: indent.min(DEEPEST),
                text,
                role,
            });
        }
    }

    /// Writes a line of running text, as it stands in the source.
    pub(super) fn text(&mut self, number: usize, text: &str) {
        if text.trim().is_empty() {
            self.blank(number);
            return;
        }
        let lead = leading(text);
        if lead > 0 || self.fill == Fill::Off {
            self.end_line();
        }
        self.start(number, lead);
        if self.fill == Fill::Off && text.contains('\t') {
            let columns = text.trim_start().replace('\t', "    ");
            decode(&columns, &mut self.strings, &mut self.pending);
        } else {
            decode(text.trim_start(), &mut self.strings, &mut self.pending);
        }
        self.joined = text.ends_with("\\c");
    }

    /// Writes words in one font after another: `.BR`, `.IB`.
    pub(super) fn fonts(&mut self, number: usize, words: &[String], fonts: [Font; 2], between: &str) {
        if self.fill == Fill::Off {
            self.end_line();
        }
        self.start(number, 0);
        write_fonts(words, fonts, between, &mut self.strings, &mut self.pending);
        self.joined = words.last().is_some_and(|word| word.ends_with("\\c"));
    }

    /// Returns the line that is being written, for somebody who knows where spaces go.
    pub(super) fn running(&mut self, number: usize) -> (&mut Strings, &mut Inline) {
        if self.fill == Fill::Off {
            self.end_line();
        }
        if self.pending.is_empty() {
            self.pending_number = number;
            self.pending_indent = self.indent;
        }
        self.joined = false;
        (&mut self.strings, &mut self.pending)
    }

    /// Writes text that has no escapes any more.
    pub(super) fn plain(&mut self, number: usize, text: &str) {
        self.start(number, 0);
        self.pending.push_str(text);
    }

    /// Makes the next text go on without a space.
    pub(super) fn glue(&mut self) {
        self.joined = true;
    }

    /// Returns the lines.
    pub(super) fn finish(mut self) -> Vec<Line> {
        self.end_line();
        self.lines
    }

    fn start(&mut self, number: usize, lead: usize) {
        if self.pending.is_empty() {
            self.pending_number = number;
            self.pending_indent = self.indent.saturating_add(lead).min(DEEPEST);
        } else if !self.joined && !self.pending.ends_in_space() {
            self.pending.push(' ');
        }
        self.joined = false;
    }
}

/// Writes words in one font after another.
pub(super) fn write_fonts(
    words: &[String],
    fonts: [Font; 2],
    between: &str,
    strings: &mut Strings,
    out: &mut Inline,
) {
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            out.push_str(between);
        }
        let [even, odd] = fonts;
        out.font(if index % 2 == 0 { even } else { odd });
        decode(word, strings, out);
    }
    out.font(Font::Roman);
}

/// The columns of the space at the start.
fn leading(text: &str) -> usize {
    let space = text.chars().take_while(|c| c.is_whitespace());
    space.map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// One space where there were several; a verbatim line keeps its columns.
fn squeezed(text: &str, role: Role) -> String {
    if role == Role::Verbatim || !text.contains("  ") {
        return text.to_owned();
    }
    let mut squeezed = String::with_capacity(text.len());
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !squeezed.is_empty() {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}
