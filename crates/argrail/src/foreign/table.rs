//! Rows in columns for a person: aligned, with every cell shown exactly.
//!
//! A row that is wider than the screen goes on below, away from the left edge, where rows begin: no cell can look like a
//! row.

use super::exact;
use super::line::wrap_pieces;
use crate::terminal;

/// The widest cell that other rows make room for.
const WIDEST: usize = 40;
/// How far the rest of a row stands from the left edge.
const INDENT: usize = 4;
/// The narrowest screen that rows are broken for.
const NARROWEST: usize = 24;

/// Rows of text, the first of which names the columns.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<Cell>>,
    columns: usize,
}

/// The pieces of a cell that may not be divided, each with its columns.
type Cell = Vec<(String, usize)>;

impl Table {
    /// Starts a table with the names of its columns.
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self {
            rows: vec![columns.iter().copied().map(cell).collect()],
            columns: columns.len(),
        }
    }

    /// Adds a row. Its cells are shown exactly.
    pub(crate) fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        self.rows.push(cells.into_iter().map(cell).collect());
    }

    /// Returns the text for standard output. The last column takes what it needs; a long cell in another one does not
    /// widen all rows.
    pub(crate) fn text(&self) -> String {
        self.laid_out(terminal::width())
    }

    fn laid_out(&self, width: Option<usize>) -> String {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(columns_of).filter(|width| *width <= WIDEST).max()
        };
        let widths: Vec<usize> = (0..self.columns)
            .map(|column| widest(column).unwrap_or_default())
            .collect();
        let room = width.map_or(usize::MAX, |width| width.max(NARROWEST) - INDENT);
        let mut text = String::new();
        for row in &self.rows {
            for (index, line) in wrap_pieces(pieces(row, &widths), room).iter().enumerate() {
                let indent = if index == 0 { 0 } else { INDENT };
                text.push_str(&format!("{:indent$}{line}\n", ""));
            }
        }
        text
    }
}

fn cell(text: &str) -> Cell {
    let mut pieces = Vec::new();
    // A cell without a text has none, and needs no sign for that.
    if !text.is_empty() {
        exact::each(text, None, |piece, columns| {
            pieces.push((piece.to_owned(), columns))
        });
    }
    pieces
}

fn columns_of(cell: &Cell) -> usize {
    cell.iter().map(|(_, columns)| columns).sum()
}

/// A row with what stands between its cells. Behind the last one there is nothing.
fn pieces(row: &[Cell], widths: &[usize]) -> Vec<(String, usize)> {
    let last = row.iter().rposition(|cell| !cell.is_empty()).unwrap_or_default();
    let mut all = Vec::new();
    for (index, (cell, width)) in row.iter().zip(widths).enumerate().take(last + 1) {
        all.extend(cell.iter().cloned());
        if index < last {
            let gap = width.saturating_sub(columns_of(cell)) + 2;
            all.extend(std::iter::repeat_n((" ".to_owned(), 1), gap));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn columns_line_up_and_nothing_steers() {
        let mut table = Table::new(&["name", "what"]);
        table.row(["gh", "GitHub\n\u{1b}[2Jx"]);
        table.row(["kubectl", ""]);
        table.row(["größe", "a  b"]);
        assert_eq!(
            table.laid_out(None),
            "name     what\ngh       GitHub\\n\\u{1b}[2Jx\nkubectl\ngröße    a␠{2}b\n"
        );
    }

    #[test]
    fn no_cell_can_look_like_a_row() {
        let mut table = Table::new(&["name", "trust", "what"]);
        table.row([
            "gh",
            "drift",
            &format!("x{}kubectl  accepted  good", "y".repeat(25)),
        ]);
        let text = table.laid_out(Some(40));
        assert_eq!(
            text,
            "name  trust  what\ngh    drift  xyyyyyyyyyyyyyyyyyyyyy↩\n    yyyykubectl␠{2}accepted␠{2}good\n"
        );
    }

    proptest! {
        #[test]
        fn only_rows_begin_at_the_left_edge(first in any::<String>(), second in any::<String>(), width in 24_usize..90) {
            let mut table = Table::new(&["name", "what"]);
            table.row(["-", &first]);
            table.row(["-", &second]);
            let text = table.laid_out(Some(width));
            let rows = text.lines().filter(|line| !line.starts_with("    ")).count();
            prop_assert_eq!(rows, 3, "{}", text);
        }
    }
}
