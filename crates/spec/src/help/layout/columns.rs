//! Where descriptions begin around a line.
//!
//! Two signs tell: what stands behind a gap on lines that begin alike, and the indentation of lines that go on.

use crate::help::text::Line;

const NEAR: usize = 24;
const MAX_COLUMNS: usize = 6;

/// Returns the columns where descriptions begin near the line at `at`, the most frequent first.
pub(crate) fn columns(lines: &[Line<'_>], at: usize) -> Vec<usize> {
    let mut counted: Vec<(usize, usize)> = Vec::new();
    let from = at.saturating_sub(NEAR);
    let to = (at + NEAR + 1).min(lines.len());
    let near = lines.get(from..to).unwrap_or_default();
    let indent = lines.get(at).map_or(0, |line| line.indent);
    for line in near.iter().filter(|line| !line.is_blank()) {
        for column in [line.behind_gap, Some(line.indent)].into_iter().flatten() {
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
                .and_then(|line| line.behind_gap)
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
