//! In one process: what reading a command line costs, and what deciding costs once it is read.

use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use argrail_engine::policy::{Decision, Facts, Rules, Verdict, decide};
use argrail_spec::atip::Reader;

use super::ground::{facts, reader, words};
use crate::samples::Samples;
use crate::table::{Line, times};

const SAMPLES: usize = 1_000;
/// A sample is short beside the time for which a busy machine takes the core away.
const EACH: u32 = 20;
/// The most that a decision may take, in seconds.
const TARGET: f64 = 50e-6;

/// Lines that are read and decided, and what the decision has to be: none of them tells anything if it is wrong.
const LINES: &[(&str, Verdict)] = &[
    ("git status", Verdict::Allow),
    ("git push --force origin main", Verdict::Ask),
    (
        "env LANG=C nice -n 5 timeout 10 git push --force origin main",
        Verdict::Ask,
    ),
];

/// A command line, and each command in it with its reader: a wrapper's first.
struct Case {
    line: &'static str,
    readers: Vec<(Reader, Vec<String>)>,
    facts: Facts,
    read: Samples,
    decided: Samples,
}

pub(super) fn measure() -> io::Result<Vec<Line>> {
    let rules = Rules {
        home: PathBuf::from("/place/home"),
        ..Rules::default()
    };
    let mut cases = LINES
        .iter()
        .map(|(line, verdict)| Case::new(line, *verdict, &rules))
        .collect::<io::Result<Vec<_>>>()?;
    for _ in 0..SAMPLES {
        for case in &mut cases {
            let Case { readers, facts, .. } = &*case;
            let read = sample(|| {
                for (reader, words) in readers {
                    drop(black_box(reader.read(black_box(words))));
                }
            });
            let decided = sample(|| drop(black_box(decide(black_box(facts), &rules))));
            case.read.push(read);
            case.decided.push(decided);
        }
    }
    Ok(cases.iter().flat_map(Case::lines).collect())
}

impl Case {
    fn new(line: &'static str, verdict: Verdict, rules: &Rules) -> io::Result<Self> {
        let mut readers = Vec::new();
        let facts = inside(&words(line), &mut readers)?;
        let Decision { verdict: found, .. } = decide(&facts, rules);
        if found != verdict {
            return Err(io::Error::other(format!("'{line}' is {found:?}")));
        }
        Ok(Self {
            line,
            readers,
            facts,
            read: Samples::default(),
            decided: Samples::default(),
        })
    }

    fn lines(&self) -> [Line; 2] {
        let line = |what: &str, costs: &Samples| Line {
            row: format!("call: {what} '{}'", self.line),
            ours: times(costs),
            target: "< 50 µs",
            ok: Some(costs.median() < TARGET),
            ..Line::default()
        };
        [line("read", &self.read), line("decide", &self.decided)]
    }
}

/// Reads a command and those inside it.
fn inside(line: &[String], readers: &mut Vec<(Reader, Vec<String>)>) -> io::Result<Facts> {
    let (name, words) = line
        .split_first()
        .ok_or_else(|| io::Error::other("an empty line"))?;
    let reader = reader(name)?;
    let mut facts = facts(&reader, words)?;
    readers.push((reader, words.to_vec()));
    for inner in facts.invoked.inner.clone() {
        facts.inner.push(inside(&inner.words, readers)?);
    }
    Ok(facts)
}

/// Returns the seconds of one.
fn sample(work: impl Fn()) -> f64 {
    let started = Instant::now();
    for _ in 0..EACH {
        work();
    }
    started.elapsed().as_secs_f64() / f64::from(EACH)
}

#[test]
fn every_line_is_decided_as_it_should_be() {
    for (line, verdict) in LINES {
        let case = Case::new(line, *verdict, &Rules::default()).unwrap();
        assert_eq!(case.readers.len(), if line.starts_with("env") { 4 } else { 1 });
    }
}
