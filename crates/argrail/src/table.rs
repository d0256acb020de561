//! Rows in columns for a person: aligned, on one line each, without anything that steers a terminal.

use crate::neutral::one_line;

/// Rows of text, the first of which names the columns.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    columns: usize,
}

impl Table {
    /// Starts a table with the names of its columns.
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self {
            rows: vec![columns.iter().map(|name| (*name).to_owned()).collect()],
            columns: columns.len(),
        }
    }

    /// Adds a row.
    pub(crate) fn row<'a>(&mut self, cells: impl IntoIterator<Item = &'a str>) {
        self.rows.push(cells.into_iter().map(one_line).collect());
    }

    /// Returns the text. The last column takes what it needs; a long cell in another one does not widen all rows.
    pub(crate) fn text(&self) -> String {
        const WIDEST: usize = 40;
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let widths = cells
                .map(|cell| cell.chars().count())
                .filter(|width| *width <= WIDEST);
            widths.max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(&format!("{cell:width$}  "));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_nothing_steers() {
        let mut table = Table::new(&["name", "what"]);
        table.row(["gh", "GitHub\n\u{1b}[2Jx"]);
        table.row(["kubectl", ""]);
        assert_eq!(
            table.text(),
            "name     what\ngh       GitHub\\n\\u{1b}[2Jx\nkubectl\n"
        );
    }
}
