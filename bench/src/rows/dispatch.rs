//! In one process and one thread: what a command costs between its string and its envelope.
//!
//! Floor: the same string split at blanks, its first two words looked up in a map, a fixed answer cloned.
//! Whatever understands a command has to do that much.

use std::collections::HashMap;
use std::hint::black_box;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use argrail_acli::{AuditEntry, AuditSink, Caller, Cli, Limits, Request, mcp, tokenize};

use super::Row;
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, rate};
use crate::{poll, tree};

pub(super) const ROW: Row = Row {
    name: "dispatch",
    about: "a command in one process: words, route, values, handler",
    measure,
};

/// A sample is one pass over all commands, a fraction of a millisecond: far less than the time for which a
/// busy machine takes the core away, so that most samples are whole and the median is one of them.
const SAMPLES: usize = 3_000;

/// Commands a second that one core has to reach.
const TARGET: f64 = 300_000.0;

/// One way to treat a command.
struct Contender<'a> {
    name: &'static str,
    /// Treats one command and returns whether it succeeded.
    treat: Box<dyn Fn(&str) -> bool + 'a>,
    judged: bool,
    costs: Samples,
}

fn measure(_: &Programs) -> io::Result<Vec<Line>> {
    let commands = tree::commands();
    let counter = Arc::new(Counter::default());
    let (plain, recorded) = (build(None)?, build(Some(counter.clone()))?);
    let fixed: HashMap<(&str, &str), String> = tree::leaves()
        .map(|path| (path, "{\"success\":true}".to_owned()))
        .collect();

    let contender = |name, judged, treat| Contender {
        name,
        treat,
        judged,
        costs: Samples::default(),
    };
    let mut all = [
        contender(
            "floor",
            false,
            Box::new(|command: &str| look_up(&fixed, command)) as Box<_>,
        ),
        contender("tokenise", false, Box::new(tokenise)),
        contender(
            "tokenise+route+bind+dispatch",
            true,
            Box::new(|command| answer(&plain, command)),
        ),
        contender(
            "the same with an audit sink",
            true,
            Box::new(|command| answer(&recorded, command)),
        ),
        contender(
            "the same and the MCP result as text",
            false,
            Box::new(|command| answer_as_text(&plain, command)),
        ),
    ];
    for contender in &all {
        if let Some(failed) = commands.iter().find(|command| !(contender.treat)(command)) {
            return Err(io::Error::other(format!("{}: '{failed}' fails", contender.name)));
        }
    }
    for _ in 0..SAMPLES {
        for contender in &mut all {
            contender.costs.push(sample(&contender.treat, &commands));
        }
    }
    if counter.0.load(Ordering::Relaxed) == 0 {
        return Err(io::Error::other("the audit sink saw nothing"));
    }
    let [floor, ours @ ..] = &all;
    Ok(ours.iter().map(|one| line(one, &floor.costs)).collect())
}

fn line(one: &Contender<'_>, floor: &Samples) -> Line {
    let each = one.costs.median();
    Line {
        row: format!("{}: {}", ROW.name, one.name),
        ours: rate(&one.costs),
        floor: rate(floor),
        ratio: format!("{:.3}", floor.median() / each),
        target: if one.judged { "≥ 300,000/s" } else { "" },
        ok: one.judged.then(|| 1.0 / each >= TARGET),
    }
}

/// Returns the seconds that one command took.
fn sample(treat: &dyn Fn(&str) -> bool, commands: &[String]) -> f64 {
    let started = Instant::now();
    for command in commands {
        black_box(treat(black_box(command)));
    }
    let count = u32::try_from(commands.len()).unwrap_or(u32::MAX);
    started.elapsed().as_secs_f64() / f64::from(count)
}

fn build(audit: Option<Arc<dyn AuditSink>>) -> io::Result<Cli> {
    tree::cli(audit).map_err(io::Error::other)
}

fn look_up(fixed: &HashMap<(&str, &str), String>, command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        [group, leaf, ..] => black_box(fixed.get(&(*group, *leaf)).cloned()).is_some(),
        _ => false,
    }
}

fn tokenise(command: &str) -> bool {
    black_box(tokenize(command, &Limits::default())).is_ok()
}

fn answer(cli: &Cli, command: &str) -> bool {
    let envelope = poll::once(cli.answer(request(command)));
    black_box(envelope).is_some_and(|envelope| envelope.success())
}

fn answer_as_text(cli: &Cli, command: &str) -> bool {
    let envelope = poll::once(cli.answer(request(command)));
    envelope.is_some_and(|envelope| {
        let success = envelope.success();
        black_box(mcp::result(envelope).to_string());
        success
    })
}

/// A request owns its string and its caller, as it does when a server makes it.
fn request(command: &str) -> Request {
    let caller = Caller {
        id: "bench".to_owned(),
        ..Caller::default()
    };
    Request::new(command, caller)
}

/// A record that keeps nothing but its length.
#[derive(Default)]
struct Counter(AtomicUsize);

impl AuditSink for Counter {
    fn record(&self, entry: &AuditEntry) -> std::io::Result<()> {
        black_box(entry);
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
