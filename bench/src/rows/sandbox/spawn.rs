//! Starting `/bin/true` and waiting for it: alone, and 32 at once.

use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use super::contender::{Bench, Way};
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, time, times};

const STARTS: usize = 300;
const ROUNDS: usize = 12;
const AT_ONCE: usize = 32;

pub(super) fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let bench = Bench::new(programs)?;
    let ways: Vec<Way> = Way::ALL
        .into_iter()
        .filter(|way| *way != Way::Bubblewrap || bench.has_bubblewrap())
        .collect();
    let alone = interleaved(&ways, STARTS, |way| bench.once(way))?;
    let together = interleaved(&ways, ROUNDS, |way| at_once(&bench, way))?;
    let mut lines = lines("spawn", &alone);
    lines.extend(lines_together(&together));
    Ok(lines)
}

/// Lets all take turns, and returns the seconds of each turn.
fn interleaved(
    ways: &[Way],
    rounds: usize,
    run: impl Fn(Way) -> io::Result<()>,
) -> io::Result<Vec<(Way, Samples)>> {
    let mut costs: Vec<(Way, Samples)> = ways.iter().map(|way| (*way, Samples::default())).collect();
    for way in ways {
        run(*way)?; // the first one finds cold caches
    }
    for _ in 0..rounds {
        for (way, costs) in &mut costs {
            let started = Instant::now();
            run(*way)?;
            costs.push(started.elapsed().as_secs_f64());
        }
    }
    Ok(costs)
}

/// Starts 32 from as many threads and waits for all.
fn at_once(bench: &Bench, way: Way) -> io::Result<()> {
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            let sender = sender.clone();
            scope.spawn(move || sender.send(bench.once(way)));
        }
    });
    drop(sender);
    receiver.into_iter().collect()
}

fn lines(what: &str, costs: &[(Way, Samples)]) -> Vec<Line> {
    let find = |wanted: Way| {
        costs
            .iter()
            .find(|(way, _)| *way == wanted)
            .map(|(_, samples)| samples)
    };
    let mut lines = Vec::new();
    let mut compare = |ours: Way, floor: Way, target: &'static str, most: Option<f64>| {
        let (Some(our), Some(their)) = (find(ours), find(floor)) else {
            return;
        };
        let median = our.median() / their.median();
        let p10 = our.p10() / their.p10();
        lines.push(Line {
            row: format!("sandbox: {what} {}, floor {}", ours.name(), floor.name()),
            ours: times(our),
            floor: times(their),
            ratio: format!("{median:.2} (p10 {p10:.2})"),
            target,
            ok: most.map(|most| median <= most && p10 <= most),
        });
    };
    compare(Way::Host, Way::Bare, "≤ 1.3 × bare", Some(1.3));
    compare(Way::TierTwo, Way::Bare, "", None);
    compare(Way::TierOne, Way::Bare, "", None);
    compare(Way::TierOne, Way::Bubblewrap, "≤ 0.7 × bubblewrap", Some(0.7));
    compare(Way::Egress, Way::Bubblewrap, "", None);
    if let (Some(with), Some(without)) = (find(Way::Egress), find(Way::TierOne)) {
        let more = with.median() - without.median();
        let best = with.p10() - without.p10();
        lines.push(Line {
            row: format!("sandbox: {what} tier 1 with egress, floor tier 1"),
            ours: times(with),
            floor: times(without),
            ratio: format!("floor + {} (p10 + {})", time(more.max(0.0)), time(best.max(0.0))),
            target: "≤ floor + 1 ms",
            ok: Some(more <= 0.001 && best <= 0.001),
        });
    }
    lines
}

fn lines_together(costs: &[(Way, Samples)]) -> Vec<Line> {
    let bare = costs
        .iter()
        .find(|(way, _)| *way == Way::Bare)
        .map(|(_, samples)| samples);
    costs
        .iter()
        .filter(|(way, _)| *way != Way::Bare)
        .filter_map(|(way, samples)| {
            let bare = bare?;
            Some(Line {
                row: format!("sandbox: 32 at once {}, floor bare", way.name()),
                ours: times(samples),
                floor: times(bare),
                ratio: format!("{:.2}", samples.median() / bare.median()),
                target: "",
                ok: None,
            })
        })
        .collect()
}
