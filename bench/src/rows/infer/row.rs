//! The row: reading, and asking.

use std::hint::black_box;
use std::io;
use std::time::Instant;

use argrail_spec::help::{Page, Subject, read_help, read_man};

use super::super::Row;
use super::git;
use super::texts::{Kind, Text, made, recorded};
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::Line;

pub(in crate::rows) const ROW: Row = Row {
    name: "infer",
    about: "help texts and manual pages read, MB/s; infer git --depth 2",
    measure,
};

const ROUNDS: usize = 15;
/// What is asked of reading, in bytes a second.
const TARGET: f64 = 20e6;

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (name, texts) in [("made here", made()), ("recorded", recorded())] {
        for (kind, what) in [(Kind::Help, "help"), (Kind::Man, "man")] {
            let texts: Vec<&Text> = texts.iter().filter(|text| text.kind == kind).collect();
            if !texts.is_empty() {
                lines.push(reading(&format!("infer: {what} texts, {name}"), &texts)?);
            }
        }
    }
    lines.extend(git::measure(programs)?);
    Ok(lines)
}

/// Reads all texts, and looks at all their lines, in turns.
fn reading(row: &str, texts: &[&Text]) -> io::Result<Line> {
    let bytes: usize = texts.iter().map(|text| text.text.len()).sum();
    let bytes = u32::try_from(bytes).map(f64::from).map_err(io::Error::other)?;
    let (mut ours, mut floor) = (Samples::default(), Samples::default());
    let mut found = 0;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        found = texts.iter().map(|text| black_box(page(text)).options.len()).sum();
        ours.push(begun.elapsed().as_secs_f64() / bytes);
        let begun = Instant::now();
        let lines: usize = texts
            .iter()
            .map(|text| text.text.lines().filter(|line| !line.is_empty()).count())
            .sum();
        black_box(lines);
        floor.push(begun.elapsed().as_secs_f64() / bytes);
    }
    if found == 0 {
        return Err(io::Error::other(format!("{row}: no option was found")));
    }
    let speed = |cost: f64| format!("{:.1} MB/s", 1e-6 / cost);
    Ok(Line {
        row: format!(
            "{row}, {:.1} MB, {found} options; floor: lines counted",
            bytes / 1e6
        ),
        ours: format!("{} (p10 {})", speed(ours.median()), speed(ours.p10())),
        floor: speed(floor.median()),
        ratio: format!("{:.0} ×", ours.median() / floor.median()),
        target: "≥ 20 MB/s",
        ok: Some(1.0 / ours.median() >= TARGET),
    })
}

fn page(text: &Text) -> Page {
    let subject = Subject {
        name: &text.name,
        path: &[],
    };
    match text.kind {
        Kind::Help => read_help(&text.text, &subject),
        Kind::Man => read_man(&text.text, &subject),
    }
}
