//! Tables of Markdown pages, for the rules that hold documents to the code.

/// One table.
#[derive(Debug)]
pub(crate) struct Table {
    /// The names of the columns, lower case.
    header: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// One row of a table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The line of the page, from 1.
    pub(crate) line: usize,
    cells: Vec<String>,
}

impl Table {
    /// Returns the index of a column, by its lower-case name.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.header.iter().position(|column| column == name)
    }
}

impl Row {
    /// Returns a cell; a missing one is empty, as it is when the page is shown.
    pub(crate) fn cell(&self, column: usize) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }
}

/// Returns the tables of `text`, without what stands in code blocks.
pub(crate) fn tables(text: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut fenced = false;
    let mut previous: Option<Vec<String>> = None;
    let mut open = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        let cells = if fenced { None } else { cells(line) };
        match (&cells, open, &previous) {
            (Some(cells), true, _) => {
                if let Some(table) = tables.last_mut() {
                    table.rows.push(Row {
                        line: index + 1,
                        cells: cells.clone(),
                    });
                }
            }
            (Some(cells), false, Some(header)) if cells.iter().all(|cell| is_rule(cell)) => {
                let header = header.iter().map(|name| name.to_lowercase()).collect();
                tables.push(Table {
                    header,
                    rows: Vec::new(),
                });
                open = true;
            }
            (Some(_), false, _) => {}
            (None, _, _) => open = false,
        }
        previous = cells;
    }
    tables
}

/// Returns the backticked items of a cell, and whatever else stands there besides commas and spaces.
pub(crate) fn items(cell: &str) -> (Vec<&str>, String) {
    let (mut items, mut stray) = (Vec::new(), String::new());
    for (index, part) in cell.split('`').enumerate() {
        if index % 2 == 1 {
            items.push(part);
        } else {
            stray.push_str(part);
        }
    }
    (items, stray.replace([',', ' '], ""))
}

/// Splits a row at its bars, or returns `None` if the line is no row. `\|` is a bar in a cell.
fn cells(line: &str) -> Option<Vec<String>> {
    let inside = line.trim().strip_prefix('|')?;
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    let joined = inside.replace("\\|", "\0");
    Some(
        joined
            .split('|')
            .map(|cell| cell.replace('\0', "|").trim().to_owned())
            .collect(),
    )
}

fn is_rule(cell: &str) -> bool {
    cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':'))
}

#[test]
fn tables_are_read_and_code_is_not() {
    let text =
        "| A | b |\n|---|:-:|\n| 1 | x \\| y |\n| 2 |\n\n```\n| A |\n|---|\n| no |\n```\n| not | a table |\n";
    let tables = tables(text);
    assert_eq!(tables.len(), 1);
    let rows: Vec<_> = tables[0]
        .rows
        .iter()
        .map(|row| (row.line, row.cell(0), row.cell(1)))
        .collect();
    assert_eq!(rows, [(3, "1", "x | y"), (4, "2", "")]);
    assert_eq!((tables[0].column("a"), tables[0].column("c")), (Some(0), None));
}

#[test]
fn items_stand_in_backticks() {
    assert_eq!(items("`a`, `b c` `d`"), (vec!["a", "b c", "d"], String::new()));
    assert_eq!(items("`a` and b"), (vec!["a"], "andb".into()));
    assert_eq!(items("—"), (vec![], "—".into()));
}
