//! Calls over stdio, one after the other and 32 in flight: how many a second, and what each costs the server.

use std::io;

use super::Row;
use crate::process::processor_time;
use crate::samples::Samples;
use crate::server::{Program, Programs};
use crate::table::{Line, rate, times};

pub(super) const ROW: Row = Row {
    name: "calls",
    about: "calls over stdio with 1 and 32 in flight",
    measure,
};

const ROUNDS: usize = 9;
const CALLS: usize = 20_000;
const WARM_UP: usize = 2_000;

/// The share of a floor's throughput that we have to reach with 32 in flight.
const TARGET: f64 = 0.5;

/// What one server's calls cost, in seconds each.
struct Costs<'a> {
    program: &'a Program,
    elapsed: Samples,
    processor: Samples,
}

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for window in [1, 32] {
        let mut costs = programs.all().map(|program| Costs {
            program,
            elapsed: Samples::default(),
            processor: Samples::default(),
        });
        for _ in 0..ROUNDS {
            costs.iter_mut().try_for_each(|one| one.run(window))?;
        }
        let [ours, floors @ ..] = &costs;
        lines.extend(floors.iter().map(|floor| throughput(window, ours, floor)));
        lines.extend(floors.iter().map(|floor| processor(window, ours, floor)));
    }
    Ok(lines)
}

impl Costs<'_> {
    fn run(&mut self, window: usize) -> io::Result<()> {
        let mut server = self.program.start()?;
        server.client.open()?;
        server.client.call(WARM_UP, window)?;
        let before = processor_time(server.id())?;
        let took = server.client.call(CALLS, window)?;
        let after = processor_time(server.id())?;
        let count = u32::try_from(CALLS).unwrap_or(u32::MAX);
        self.elapsed.push(took.as_secs_f64() / f64::from(count));
        self.processor.push((after - before) / f64::from(count));
        Ok(())
    }
}

fn throughput(window: usize, ours: &Costs<'_>, floor: &Costs<'_>) -> Line {
    let ratio = floor.elapsed.median() / ours.elapsed.median();
    let judged = window > 1;
    Line {
        row: format!("{}: {window} in flight, floor {}", ROW.name, floor.program.name),
        ours: rate(&ours.elapsed),
        floor: rate(&floor.elapsed),
        ratio: format!("{ratio:.2}"),
        target: if judged { "≥ 0.5 × floor" } else { "" },
        ok: judged.then_some(ratio >= TARGET),
    }
}

fn processor(window: usize, ours: &Costs<'_>, floor: &Costs<'_>) -> Line {
    Line {
        row: format!(
            "{}: CPU each, {window} in flight, floor {}",
            ROW.name, floor.program.name
        ),
        ours: times(&ours.processor),
        floor: times(&floor.processor),
        ratio: format!("{:.2}", ours.processor.median() / floor.processor.median()),
        ..Line::default()
    }
}
