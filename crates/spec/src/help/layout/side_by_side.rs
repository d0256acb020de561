//! Tables with several definitions on a line: `-f  freshen   -u  update`.
//!
//! A description may mention an option behind a gap. It defines one if the line above or below has an option at the
//! same column. `-f FILE    --file=FILE` is no table: a word behind a letter is its other name, and so
//! is a letter behind a word that nothing describes.

use crate::help::text::{Line, find_gap};

const MAX_CELLS: usize = 6;
const MAX_GAPS: usize = 12;
const NEAR: usize = 4;

/// Returns the cells of the line at `at`. None if it is no line of a table.
pub(crate) fn cells<'t>(lines: &[Line<'t>], at: usize) -> Vec<Line<'t>> {
    let Some(line) = lines.get(at) else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    let mut start = 0;
    let mut from = 0;
    for _ in 0..MAX_GAPS {
        let Some((gap, end)) = find_gap(line.text, from) else {
            break;
        };
        from = end;
        let Some(rest) = line.text.get(end..) else {
            break;
        };
        let before = line.text.get(start..gap).unwrap_or_default();
        if before.starts_with("--") && !before.contains(' ') {
            continue;
        }
        if begins_letter(rest) && is_column(lines, at, line.column_of(end)) && cells.len() < MAX_CELLS {
            cells.extend(cell(line, start, gap));
            start = end;
        }
    }
    if !cells.is_empty() {
        cells.extend(cell(line, start, line.text.len()));
    }
    cells
}

fn cell<'t>(line: &Line<'t>, start: usize, end: usize) -> Option<Line<'t>> {
    Some(Line {
        indent: line.column_of(start),
        text: line.text.get(start..end)?.trim_end(),
        ..*line
    })
}

/// Whether a text begins with an option of one letter, or with one of two that says the same twice.
fn begins_letter(text: &str) -> bool {
    let mut chars = text.chars();
    let is_dash = matches!(chars.next(), Some('-' | '+'));
    let first = chars.next();
    let is_letter = first.is_some_and(|c| c.is_ascii_alphanumeric() || c == '@');
    let third = chars.next();
    is_dash && is_letter && (third == Some(' ') || third == first && chars.next() == Some(' '))
}

/// Whether a neighbour has an option at that column, too.
fn is_column(lines: &[Line<'_>], at: usize, column: usize) -> bool {
    let near = [at.wrapping_sub(1), at.wrapping_sub(2), at + 1, at + 2];
    near.iter().any(|index| {
        lines
            .get(*index)
            .and_then(|line| line.split_at_column(column))
            .is_some_and(|(_, right)| begins_letter(right))
    })
}

/// Whether the line at `at` begins where lines near it have a letter behind a word: `--list  -L`.
pub(crate) fn is_column_of_letters(lines: &[Line<'_>], at: usize) -> bool {
    let Some(column) = lines.get(at).map(|line| line.indent) else {
        return false;
    };
    let near = lines.get(at.saturating_sub(NEAR)..(at + NEAR + 1).min(lines.len()));
    let has_letter = |line: &Line<'_>| {
        line.text.starts_with("--")
            && line.indent < column
            && line
                .split_at_column(column)
                .is_some_and(|(_, right)| begins_letter(right))
    };
    near.unwrap_or_default().iter().any(has_letter)
}
