//! What the record costs: one more, by one process and by sixteen, and all of it checked.
//!
//! Floor of a durable record: the same bytes written to a file and waited for. Floor of one that is on the disk soon:
//! the same bytes written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use argrail_engine::audit::verify::{Known, verify};
use argrail_engine::audit::{Action, Chain, Durability, Event};
use serde_json::json;

use super::Row;
use crate::samples::Samples;
use crate::server::{Extent, Programs};
use crate::table::{Line, number, time, times};

pub(super) const ROW: Row = Row {
    name: "audit",
    about: "records: appended, by many at once, verified",
    measure,
};

const TURNS: usize = 400;
/// How many processes append at once, and how many records each.
const WRITERS: u32 = 16;
const EACH: u32 = 500;
/// How many records are verified, and in which time a million has to be.
const SHORT: u32 = 200_000;
const FULL: u32 = 1_000_000;
const MILLION: f64 = 3.0;

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let home = programs.home().join("audit-row");
    fs::create_dir_all(&home)?;
    let mut lines = appended(&home)?;
    lines.push(many(programs, &home)?);
    lines.push(verified(programs.extent, &home)?);
    fs::remove_dir_all(&home)?;
    Ok(lines)
}

/// A record of the usual size: the end of a call that read a file.
fn event() -> Event {
    let digest = "sha256:82ed44095e5fc83d5e810529ad830572d9d8ca27959117fe428177860decc2e7";
    let facts = json!({
        "argv": ["/usr/bin/cat", "notes/today.md"], "argvHash": digest, "argv_count": 2, "bytes": {"stderr": 0, "stdout": 812},
        "cli_id": "cat", "command": "cat notes/today.md", "cwd": "/srv/project", "decision": "allow", "denials": [],
        "duration_ms": 3, "envKeys": ["LANG"], "exit_code": 0, "hosts": [], "intent": 1, "ok": true,
        "parsed_command": "cat", "policyVersion": digest, "success": true, "timestamp": "2026-11-16T10:14:03.383Z",
        "sandbox": {"confinement": "effects", "profile": digest, "tier": 1},
        "times": {"durationUs": 2100, "systemUs": 900, "userUs": 300},
        "user_context": {"caller": "stdio", "name": "an editor"},
    });
    let mut event = Event::new(Action::CliInvoked, "stdio", "cli", Some("cat")).role("agent");
    event.metadata = facts.as_object().cloned().unwrap_or_default();
    event
}

fn appended(home: &Path) -> io::Result<Vec<Line>> {
    let chain = Chain::open(&home.join("one"), None)?;
    chain.append(&event(), Durability::Durable)?;
    let bytes = fs::read(home.join("one/audit-log.jsonl"))?;
    let mut raw = OpenOptions::new()
        .create(true)
        .append(true)
        .open(home.join("raw"))?;
    let mut lines = Vec::new();
    for durability in [Durability::Durable, Durability::Soon] {
        let (mut ours, mut floor) = (Samples::default(), Samples::default());
        for _ in 0..TURNS {
            floor.push(clocked(|| write(&mut raw, &bytes, durability))?);
            ours.push(clocked(|| Ok(chain.append(&event(), durability).map(drop)?))?);
        }
        let (name, target) = match durability {
            Durability::Durable => ("on the disk", "≤ floor + 0.1 ms"),
            Durability::Soon => ("on the disk soon", "≤ 50 µs"),
        };
        let ok = match durability {
            Durability::Durable => ours.median() <= floor.median() + 1e-4,
            Durability::Soon => ours.median() <= 5e-5,
        };
        lines.push(Line {
            row: format!("{}: one record, {name}", ROW.name),
            ours: times(&ours),
            floor: times(&floor),
            ratio: format!("floor + {}", time((ours.median() - floor.median()).max(0.0))),
            target,
            ok: Some(ok),
        });
    }
    Ok(lines)
}

fn write(raw: &mut File, bytes: &[u8], durability: Durability) -> io::Result<()> {
    raw.write_all(bytes)?;
    match durability {
        Durability::Durable => raw.sync_data(),
        Durability::Soon => Ok(()),
    }
}

#[expect(clippy::disallowed_methods, reason = "our own processes are what is measured")]
fn many(programs: &Programs, home: &Path) -> io::Result<Line> {
    let run = |directory: &Path, writers: u32, each: u32| {
        let begun = Instant::now();
        let start = |_| {
            Command::new(programs.beside("append-records"))
                .arg(directory)
                .arg(each.to_string())
                .stdin(Stdio::null())
                .spawn()
        };
        let children = (0..writers).map(start).collect::<io::Result<Vec<_>>>()?;
        for mut child in children {
            if !child.wait()?.success() {
                return Err(io::Error::other("a writer failed"));
            }
        }
        whole(directory, u64::from(writers * each))?;
        Ok(begun.elapsed().as_secs_f64() / f64::from(writers * each))
    };
    let alone = run(&home.join("alone"), 1, WRITERS * EACH)?;
    let together = run(&home.join("together"), WRITERS, EACH)?;
    Ok(Line {
        row: format!("{}: {WRITERS} processes at once, each record", ROW.name),
        ours: format!("{}/s, {}", number(1.0 / together), time(together)),
        floor: format!("{}/s, {} (one process)", number(1.0 / alone), time(alone)),
        ratio: format!("{:.2}", together / alone),
        ..Line::default()
    })
}

fn verified(extent: Extent, home: &Path) -> io::Result<Line> {
    let count = match extent {
        Extent::Short => SHORT,
        Extent::Full => FULL,
    };
    let directory = home.join("long");
    let chain = Chain::open(&directory, None)?;
    let event = event();
    for _ in 0..count {
        chain.append(&event, Durability::Soon)?;
    }
    drop(chain);
    let mut costs = Samples::default();
    for _ in 0..5 {
        costs.push(clocked(|| whole(&directory, u64::from(count)))?);
    }
    let floor = clocked(|| {
        for entry in fs::read_dir(&directory)? {
            fs::read(entry?.path())?;
        }
        Ok(())
    })?;
    let million = costs.median() * f64::from(FULL) / f64::from(count);
    Ok(Line {
        row: format!("{}: verify {} records", ROW.name, number(f64::from(count))),
        ours: times(&costs),
        floor: format!("{} (files read)", time(floor)),
        ratio: format!("{} a million", time(million)),
        target: "≤ 3 s a million",
        ok: Some(million <= MILLION),
    })
}

/// Sees that a chain is whole.
fn whole(directory: &Path, count: u64) -> io::Result<()> {
    let found = verify(directory, Known::default())?;
    if found.first_bad.is_some() || found.entries != count {
        return Err(io::Error::other(format!("the chain is not whole: {found:?}")));
    }
    Ok(())
}

fn clocked(work: impl FnOnce() -> io::Result<()>) -> io::Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}
