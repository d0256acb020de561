//! The row: all that is measured, in one table.

use std::io;

use super::{spawn, throughput};
use crate::rows::Row;
use crate::server::Programs;
use crate::table::Line;

pub(in crate::rows) const ROW: Row = Row {
    name: "sandbox",
    about: "spawn and wait of /bin/true in each tier, 32 at once, 1 GB out",
    measure,
};

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut lines = spawn::measure(programs)?;
    lines.extend(throughput::measure(programs)?);
    Ok(lines)
}
