//! `argrail infer git --depth 2` as a person runs it, and as many bare processes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use argrail_engine::catalog::probe::default_jobs;
use argrail_sandbox::policy::{Anchors, Exec, Policy};
use argrail_sandbox::{Command as Confined, Launcher, Output};
use serde_json::Value;

use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, time, times};

const ROUNDS: usize = 3;
const GIT: &str = "/usr/bin/git";
const LIMIT: Duration = Duration::from_secs(10);

/// Measures, if there is a git.
pub(super) fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    if !Path::new(GIT).is_file() {
        return Ok(Vec::new());
    }
    let home = programs.home().canonicalize()?.join("infer-home");
    let (mut ours, mut again, mut floor) = (Samples::default(), Samples::default(), Samples::default());
    let (mut started, mut options, mut commands) = (0, 0, 0);
    for _ in 0..ROUNDS {
        let _ = fs::remove_dir_all(&home);
        fs::create_dir_all(&home)?;
        let (seconds, data) = infer(programs.argrail(), &home)?;
        ours.push(seconds);
        let count = |pointer: &str| data.pointer(pointer).and_then(Value::as_u64).unwrap_or_default();
        (started, options, commands) = (
            count("/started"),
            count("/counts/options"),
            count("/counts/commands"),
        );
        let (seconds, data) = infer(programs.argrail(), &home)?;
        if data.get("started") != Some(&Value::from(0)) {
            return Err(io::Error::other("the second inference started something"));
        }
        again.push(seconds);
        floor.push(bare(programs.argrail(), started)?);
    }
    Ok(vec![
        Line {
            row: format!(
                "infer: git --depth 2, {commands} commands, {options} options, {started} started; floor: git --help as often"
            ),
            ours: times(&ours),
            floor: times(&floor),
            ratio: format!("{:.2} ×", ours.median() / floor.median()),
            ..Line::default()
        },
        Line {
            row: "infer: git again, 0 started; floor: the first time".to_owned(),
            ours: times(&again),
            floor: time(ours.median()),
            ratio: format!("{:.3} ×", again.median() / ours.median()),
            ..Line::default()
        },
    ])
}

#[expect(clippy::disallowed_methods, reason = "argrail itself is what is measured")]
fn infer(argrail: &Path, home: &Path) -> io::Result<(f64, Value)> {
    let begun = Instant::now();
    let output = Command::new(argrail)
        .args(["infer", "git", "--depth", "2", "--json"])
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home)
        .stdin(Stdio::null())
        .output()?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut envelope: Value = serde_json::from_slice(&output.stdout)?;
    match envelope.get_mut("data") {
        Some(data) if output.status.success() => Ok((seconds, data.take())),
        _ => Err(io::Error::other(format!("infer failed: {envelope}"))),
    }
}

/// Starts `git --help` so many times, as many at a time, in the same sandbox, with nothing made of it.
fn bare(launcher: &Path, times: u64) -> io::Result<f64> {
    let anchors = Anchors::new("/empty", "/empty").map_err(io::Error::other)?;
    let launcher = PathBuf::from(launcher);
    let done = AtomicU64::new(0);
    let work = || {
        while done.fetch_add(1, Ordering::Relaxed) < times {
            let policy = Policy::closed().exec(Exec::Any);
            let _ = Confined::confined([GIT, "--help"], policy, anchors.clone())
                .launcher(Launcher::Path(launcher.clone()))
                .directory(Path::new("/"))
                .stderr(Output::Capture)
                .timeout(LIMIT)
                .run();
        }
    };
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..default_jobs() {
            scope.spawn(work);
        }
    });
    Ok(begun.elapsed().as_secs_f64())
}
