//! The line that a complaint is about, with a mark under the place.

use super::visible;
use crate::doc::{Lines, Span};

/// How many characters of a line are shown.
const MOST: usize = 120;
/// How many of them may stand before the place.
const BEFORE: usize = 40;
/// Stands where a line was cut.
const CUT: &str = "…";

/// Returns the line of `span.start` and the marks below it, or nothing when the line is blank.
pub(super) fn excerpt(text: &[u8], lines: &Lines, span: Span) -> Option<(String, String)> {
    let number = lines.place(text, span.start).line;
    let line_span = lines.span(text, number)?;
    let bytes = text.get(line_span.start..line_span.end)?;
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let at = span.start.saturating_sub(line_span.start).min(bytes.len());
    let end = span.end.saturating_sub(line_span.start).clamp(at, bytes.len());
    // In characters from here on; bytes that are no text count as the one that stands for them.
    let count = |part: Option<&[u8]>| String::from_utf8_lossy(part.unwrap_or_default()).chars().count();
    let (before, marked) = (count(bytes.get(..at)), count(bytes.get(at..end)).max(1));
    let line = String::from_utf8_lossy(bytes);
    if line.trim().is_empty() {
        return None;
    }
    // A line that fits is shown whole.
    let first = match line.chars().nth(MOST) {
        Some(_) => before.saturating_sub(BEFORE),
        None => 0,
    };
    let mut shown = String::new();
    let mut marks = String::new();
    if first > 0 {
        shown.push_str(CUT);
        marks.push(' ');
    }
    let mut characters = line.chars().enumerate().skip(first);
    for (index, c) in characters.by_ref().take(MOST) {
        let columns = visible::push(&mut shown, c);
        let mark = if (before..before + marked).contains(&index) {
            "^"
        } else {
            " "
        };
        marks.push_str(&mark.repeat(columns));
    }
    if characters.next().is_some() {
        shown.push_str(CUT);
    }
    // A place at the end of the line, where something is missing.
    if !marks.contains('^') {
        marks.push('^');
    }
    Some((shown, marks.trim_end().to_owned()))
}
