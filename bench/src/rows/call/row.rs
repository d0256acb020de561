//! The row: all that is measured, in one table.

use std::io;

use super::{decide, manifest, output, read};
use crate::rows::Row;
use crate::server::Programs;
use crate::table::Line;

pub(in crate::rows) const ROW: Row = Row {
    name: "call",
    about: "calls of tools: a read, tools.json at concurrency 4, the decision alone, 200 MB of output",
    measure,
};

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut lines = read::measure(programs)?;
    lines.extend(manifest::measure(programs)?);
    lines.extend(decide::measure()?);
    lines.extend(output::measure(programs)?);
    Ok(lines)
}
