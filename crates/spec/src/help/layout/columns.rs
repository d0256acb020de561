//! Where descriptions begin around a line.
//!
//! Two signs tell: what stands behind a gap on lines that begin alike, and the indentation of lines that go on.

use crate::help::text::{Line, find_gap};

const NEAR: usize = 24;
const MAX_COLUMNS: usize = 6;

/// Returns the columns where descriptions begin near the line at `at`, the most frequent first.
pub(crate) fn columns(lines: &[Line<'_>], at: usize) -> Vec<usize> {
    let mut counted: Vec<(usize, usize)> = Vec::new();
    let from = at.saturating_sub(NEAR);
    let near = lines.iter().take(at + NEAR + 1).skip(from);
    let indent = lines.get(at).map_or(0, |line| line.indent);
    for line in near.filter(|line| !line.is_blank()) {
        for column in [behind_gap(line), Some(line.indent)].into_iter().flatten() {
            if column <= indent + 2 {
                continue;
            }
            match counted.iter_mut().find(|(known, _)| *known == column) {
                Some((_, count)) => *count += 1,
                None => counted.push((column, 1)),
            }
        }
    }
    // One line alone tells only its neighbours.
    let beside: Vec<usize> = [at.wrapping_sub(1), at + 1]
        .iter()
        .filter_map(|near| {
            lines
                .get(*near)
                .filter(|line| line.indent == indent)
                .and_then(behind_gap)
        })
        .collect();
    counted.retain(|(column, count)| *count > 1 || beside.contains(column));
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted
        .into_iter()
        .map(|(column, _)| column)
        .take(MAX_COLUMNS)
        .collect()
}

fn behind_gap(line: &Line<'_>) -> Option<usize> {
    let (_, end) = find_gap(line.text, 0)?;
    Some(line.column_of(end))
}
