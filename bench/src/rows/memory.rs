//! Resident memory of the server: after the start, and after many calls, when growth would show.

use std::io;

use super::Row;
use crate::process::memory;
use crate::samples::Samples;
use crate::server::{Program, Programs};
use crate::table::Line;

pub(super) const ROW: Row = Row {
    name: "memory",
    about: "resident memory after the start and after 20,000 calls",
    measure,
};

const ROUNDS: usize = 5;
const CALLS: usize = 20_000;
const WINDOW: usize = 32;

const MEGABYTE: f64 = 1e6;

/// What may be resident.
const TARGET: f64 = 15.0 * MEGABYTE;

/// One server's memory at one moment, over all rounds.
#[derive(Default)]
struct Moment {
    resident: Samples,
    peak: Samples,
}

impl Moment {
    fn look(&mut self, id: u32) -> io::Result<()> {
        let memory = memory(id)?;
        self.resident.push(memory.resident);
        self.peak.push(memory.peak);
        Ok(())
    }

    fn shown(&self) -> String {
        let (resident, peak) = (self.resident.median(), self.peak.median());
        format!("{:.1} MB (peak {:.1})", resident / MEGABYTE, peak / MEGABYTE)
    }
}

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut all = programs
        .all()
        .map(|program| (program, Moment::default(), Moment::default()));
    for _ in 0..ROUNDS {
        for (program, started, used) in &mut all {
            let mut server = program.start()?;
            server.client.open()?;
            started.look(server.id())?;
            server.client.call(CALLS, WINDOW)?;
            used.look(server.id())?;
        }
    }
    let [(_, ours_started, ours_used), floors @ ..] = &all;
    let line = |when: &str, program: &Program, ours: &Moment, floor: &Moment| Line {
        row: format!("{}: {when}, floor {}", ROW.name, program.name),
        ours: ours.shown(),
        floor: floor.shown(),
        ratio: format!("{:.2}", ours.resident.median() / floor.resident.median()),
        target: "< 15 MB",
        ok: Some(ours.resident.median() < TARGET),
    };
    let starts = floors
        .iter()
        .map(|(program, started, _)| line("after start", program, ours_started, started));
    let uses = floors
        .iter()
        .map(|(program, _, used)| line("after 20,000 calls", program, ours_used, used));
    Ok(starts.chain(uses).collect())
}
