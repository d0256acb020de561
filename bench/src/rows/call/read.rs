//! `cat` of a small file as an agent calls it, beside the same child in the same profile and nothing around it.

use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use argrail_engine::policy::Confinement;
use argrail_engine::profile::{Profile, profile};
use argrail_sandbox::{Command, Launcher};
use serde_json::{Value, json};

use super::ground::{Ground, facts, reader};
use crate::samples::Samples;
use crate::server::{Programs, SYSTEM_PATH};
use crate::table::{Line, time, times};

const TURNS: usize = 300;
const WARM_UP: usize = 10;
/// The most that a call may take, of what its child takes.
const TARGET: f64 = 1.15;
const COLD_TURNS: usize = 60;
/// The most that a call by a process of its own may take above its child, in seconds.
const COLD_TARGET: f64 = 0.008;

const PROGRAM: &str = "/usr/bin/cat";
const FILE: &str = "small.txt";
const TEXT: &str = "a line of usual length, as it stands in many files\n";

pub(super) fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let ground = Ground::new(programs, "call-read")?;
    fs::write(ground.work.join(FILE), TEXT)?;
    let words = [FILE.to_owned()];
    let facts = facts(&reader("cat")?, &words)?;
    let profile = profile(
        &facts,
        Confinement::Effects,
        Path::new(PROGRAM),
        &ground.surroundings()?,
    )
    .map_err(io::Error::other)?;
    let mut server = ground.server().start()?;
    server.client.open()?;

    let mut call = || {
        let (took, envelope) = server.client.command(&format!("cat {FILE}"))?;
        is_right(&envelope)?;
        Ok::<f64, io::Error>(took.as_secs_f64())
    };
    let (mut ours, mut floor) = (Samples::default(), Samples::default());
    for turn in 0..TURNS + WARM_UP {
        let (mine, theirs) = (call()?, alone(&ground, &profile)?);
        if turn >= WARM_UP {
            ours.push(mine);
            floor.push(theirs);
        }
    }
    drop(server);
    let (mut cold, mut beside) = (Samples::default(), Samples::default());
    for _ in 0..COLD_TURNS {
        cold.push(cold_call(&ground, programs)?);
        beside.push(alone(&ground, &profile)?);
    }
    let above = cold.median() - beside.median();
    let cold = Line {
        row: "call: one cold call of cat, floor the child alone".to_owned(),
        ours: times(&cold),
        floor: times(&beside),
        ratio: format!("floor + {}", time(above)),
        target: "≤ floor + 8 ms",
        ok: Some(above <= COLD_TARGET),
    };
    let ratio = ours.median() / floor.median();
    let best = ours.p10() / floor.p10();
    let warm = Line {
        row: "call: cat of a small file over MCP, floor the child alone".to_owned(),
        ours: times(&ours),
        floor: times(&floor),
        ratio: format!("{ratio:.2} (p10 {best:.2})"),
        target: "≤ 1.15 × floor",
        ok: Some(ratio <= TARGET && best <= TARGET),
    };
    Ok(vec![warm, cold])
}

/// The same call by `argrail call`, from the start of the process to its end: configuration, catalogue, record and all.
#[expect(clippy::disallowed_methods, reason = "argrail itself is what is measured")]
fn cold_call(ground: &Ground, programs: &Programs) -> io::Result<f64> {
    let started = Instant::now();
    let output = std::process::Command::new(programs.argrail())
        .args(["call", &format!("cat {FILE}")])
        .env_clear()
        .env("HOME", &ground.home)
        .env("PATH", SYSTEM_PATH)
        .current_dir(&ground.work)
        .stdin(Stdio::null())
        .output()?;
    let took = started.elapsed().as_secs_f64();
    is_right(&serde_json::from_slice(&output.stdout)?)?;
    Ok(took)
}

/// The same program in the same profile, started and waited for. Returns the seconds.
fn alone(ground: &Ground, profile: &Profile) -> io::Result<f64> {
    let started = Instant::now();
    let command = Command::confined([PROGRAM, FILE], profile.policy.clone(), profile.anchors.clone())
        .launcher(Launcher::Path(ground.launcher.clone()))
        .search_path(profile.search.iter().cloned())
        .protected(profile.protected.clone());
    let report = command.run().map_err(io::Error::other)?;
    let took = started.elapsed().as_secs_f64();
    if report.stdout == TEXT.as_bytes() {
        return Ok(took);
    }
    Err(io::Error::other(format!("the child failed: {report:?}")))
}

fn is_right(envelope: &Value) -> io::Result<()> {
    if envelope.pointer("/data/stdout") == Some(&json!(TEXT)) {
        return Ok(());
    }
    Err(io::Error::other(format!("a wrong answer: {envelope}")))
}
