//! Tables with two definitions on a line: `-f  freshen   -u  update`.
//!
//! A description may mention an option behind a gap. It defines one if the line above or below does so at the same
//! column.

use crate::help::head::{Ending, Split, split};
use crate::help::text::{Line, find_gap};

const MAX_TABLE: usize = 4;

/// Splits a line of such a table. Returns one definition if it is none.
pub(crate) fn definitions<'t>(lines: &[Line<'t>], at: usize, first: Split<'t>) -> Vec<Split<'t>> {
    let mut found = vec![first];
    let Some(line) = lines.get(at) else {
        return found;
    };
    while found.len() < MAX_TABLE {
        let Some(last) = found.last_mut() else {
            break;
        };
        let Some((left, right)) = second(lines, at, line, last.description) else {
            break;
        };
        last.description = left;
        found.push(right);
    }
    found
}

fn second<'t>(
    lines: &[Line<'t>],
    at: usize,
    line: &Line<'t>,
    description: &'t str,
) -> Option<(&'t str, Split<'t>)> {
    let offset = line.text.len().checked_sub(description.len())?;
    let mut from = 0;
    for _ in 0..8 {
        let (start, end) = find_gap(description, from)?;
        from = end;
        let rest = description.get(end..)?;
        if !rest.starts_with('-') {
            continue;
        }
        let column = line.column_of(offset + end);
        if !is_column(lines, at, column) {
            continue;
        }
        let inner = Line {
            indent: column,
            text: rest,
            ..*line
        };
        let split = split(&inner, &[])?;
        let is_definition = matches!(split.ending, Ending::Gap | Ending::Sign | Ending::Space);
        return is_definition.then(|| (description.get(..start).unwrap_or_default(), split));
    }
    None
}

/// Whether a neighbour has an option at that column, too.
fn is_column(lines: &[Line<'_>], at: usize, column: usize) -> bool {
    let near = [at.wrapping_sub(1), at.wrapping_sub(2), at + 1, at + 2];
    near.iter().any(|index| {
        lines
            .get(*index)
            .and_then(|line| line.split_at_column(column))
            .is_some_and(|(_, right)| right.starts_with('-'))
    })
}
