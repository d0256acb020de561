//! The lines of a page that somebody else rendered, as `man tool | col -b` shows it.
//!
//! The first and the last line of the paper are no part of the page. A heading is known by its column alone.

use super::line::{Line, Role};
use crate::help::text::{Line as TextLine, lines as text_lines};

/// How many lines a page may have.
const LINES: usize = 200_000;

/// Returns the lines of a cleaned text, and how wide the paper was.
pub(crate) fn lines(text: &str) -> (Vec<Line>, usize) {
    let raw = text_lines(text);
    let base = base(&raw);
    let width = width(&raw);
    let mut found = Vec::new();
    for line in raw.iter().take(LINES) {
        let role = match line.indent {
            _ if line.is_blank() => Role::Text,
            0 if is_edge(line.text) => continue,
            0 => Role::Section,
            indent if indent < base => Role::Subsection,
            _ => Role::Text,
        };
        found.push(Line {
            number: line.number,
            indent: line.indent,
            text: line.text.to_owned(),
            role,
        });
    }
    (found, width)
}

/// The first line of the paper goes from edge to edge; without it, hardly any line goes further.
fn width(lines: &[TextLine<'_>]) -> usize {
    let end = |line: &TextLine<'_>| line.indent.saturating_add(line.text.chars().count());
    let first = lines.iter().find(|line| !line.is_blank());
    if let Some(first) = first.filter(|line| line.indent == 0 && is_edge(line.text)) {
        return end(first);
    }
    let mut ends: Vec<usize> = lines.iter().filter(|line| !line.is_blank()).map(end).collect();
    ends.sort_unstable();
    let most = ends.len().saturating_mul(97) / 100;
    ends.get(most).copied().unwrap_or(0)
}

/// The column where text starts: that of the first line below the first heading.
fn base(lines: &[TextLine<'_>]) -> usize {
    let headed = lines
        .iter()
        .skip_while(|line| line.is_blank() || line.indent > 0 || is_edge(line.text));
    let below = headed.skip_while(|line| line.is_blank() || line.indent == 0);
    below.map(|line| line.indent).next().unwrap_or(0)
}

/// Whether a line is the first or the last one of a sheet: `TOOL(1)    User Commands    TOOL(1)`.
fn is_edge(text: &str) -> bool {
    text.contains("   ")
}
