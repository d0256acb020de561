//! From nothing to the answered `tools/list`: what an agent waits for when it starts a server.

use std::io;
use std::time::Instant;

use super::Row;
use crate::samples::Samples;
use crate::server::{Program, Programs};
use crate::table::{Line, time, times};

pub(super) const ROW: Row = Row {
    name: "start",
    about: "process start, initialize, tools/list over stdio",
    measure,
};

const STARTS: usize = 60;

/// What we may cost more than a floor, in seconds.
const TARGET: f64 = 0.005;

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut costs = programs.all().map(|program| (program, Samples::default()));
    for (program, _) in &costs {
        start(program)?; // the first one finds cold caches and no folders
    }
    for _ in 0..STARTS {
        for (program, costs) in &mut costs {
            costs.push(start(program)?);
        }
    }
    let [(_, ours), floors @ ..] = &costs;
    let line = |(program, floor): &(&Program, Samples)| {
        let more = ours.median() - floor.median();
        Line {
            row: format!("{}: to tools/list, floor {}", ROW.name, program.name),
            ours: times(ours),
            floor: times(floor),
            ratio: format!(
                "floor {} {}",
                if more < 0.0 { "−" } else { "+" },
                time(more.abs())
            ),
            target: "≤ floor + 5 ms",
            ok: Some(more <= TARGET),
        }
    };
    Ok(floors.iter().map(line).collect())
}

/// Returns the seconds of one start.
fn start(program: &Program) -> io::Result<f64> {
    let started = Instant::now();
    let mut server = program.start()?;
    server.client.open()?;
    Ok(started.elapsed().as_secs_f64())
}
