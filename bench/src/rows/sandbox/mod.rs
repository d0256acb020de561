//! What confinement costs: starting a program, many at once, and moving bytes out of it.

mod contender;
mod spawn;
mod throughput;

use std::io;

use super::Row;
use crate::server::Programs;
use crate::table::Line;

pub(super) const ROW: Row = Row {
    name: "sandbox",
    about: "spawn and wait of /bin/true in each tier, 32 at once, 1 GB out",
    measure,
};

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut lines = spawn::measure(programs)?;
    lines.extend(throughput::measure(programs)?);
    Ok(lines)
}
