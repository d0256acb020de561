//! A tool of `tools.json`, four calls at a time: each call has a number, and has to get its own back.

use std::fs;
use std::io;
use std::process::{Command as OsCommand, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use argrail_sandbox::policy::{Anchors, Exec, PathPattern, Policy, Protected};
use argrail_sandbox::{Command, Launcher, Stdin};
use serde_json::{Value, json};

use super::ground::Ground;
use crate::samples::Samples;
use crate::server::{Extent, Programs, SYSTEM_PATH};
use crate::table::{Line, number, rate};

/// How many calls are in flight.
const AT_ONCE: usize = 4;
/// How many calls a turn has.
const TURN: usize = 200;
/// The least of the floor's calls a second that we have to reach.
const TARGET: f64 = 0.9;

const PROGRAM: &str = "/usr/bin/cat";

fn turns(extent: Extent) -> usize {
    match extent {
        Extent::Short => 10,
        Extent::Full => 500,
    }
}

pub(super) fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let ground = project(programs)?;
    let mut server = ground.server().start()?;
    server.client.open()?;
    server.client.commands(AT_ONCE, AT_ONCE, command, is_right)?;
    spawned(&ground, AT_ONCE)?;

    let (mut ours, mut floor) = (Samples::default(), Samples::default());
    let turns = turns(programs.extent);
    for _ in 0..turns {
        let took = server.client.commands(TURN, AT_ONCE, command, is_right)?;
        ours.push(each(took.as_secs_f64()));
        floor.push(each(spawned(&ground, TURN)?));
    }
    let ratio = floor.median() / ours.median();
    let best = floor.p10() / ours.p10();
    let calls = u32::try_from(turns * TURN).unwrap_or(u32::MAX);
    Ok(vec![Line {
        row: format!(
            "call: tools.json, {AT_ONCE} in flight, {} calls, each with its own answer, floor the children alone",
            number(f64::from(calls))
        ),
        ours: rate(&ours),
        floor: rate(&floor),
        ratio: format!("{ratio:.2} (p10 {best:.2})"),
        target: "≥ 0.9 × floor",
        ok: Some(ratio >= TARGET && best >= TARGET),
    }])
}

/// A project with one tool that gives back what it gets, trusted, and its effects told by the user.
fn project(programs: &Programs) -> io::Result<Ground> {
    let ground = Ground::new(programs, "call-manifest")?;
    let schema =
        json!({"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]});
    let tool = json!({"name": "give_back", "description": "Gives back what it gets", "schema": schema, "command": [PROGRAM]});
    fs::write(
        ground.work.join("tools.json"),
        json!({"tools": [tool]}).to_string(),
    )?;
    let overrides = ground.home.join(".config/agent-tools/overrides");
    fs::create_dir_all(&overrides)?;
    let effects = json!({"filesystem": {"read": true, "write": false, "delete": false}, "network": false,
        "subprocess": false, "idempotent": true, "destructive": false});
    fs::write(
        overrides.join("give_back.json"),
        json!({"effects": effects}).to_string(),
    )?;
    trust(&ground)?;
    Ok(ground)
}

#[expect(clippy::disallowed_methods, reason = "argrail itself is what is measured")]
fn trust(ground: &Ground) -> io::Result<()> {
    let output = OsCommand::new(&ground.launcher)
        .args(["trust", "--yes"])
        .env_clear()
        .env("HOME", &ground.home)
        .env("PATH", SYSTEM_PATH)
        .current_dir(&ground.work)
        .stdin(Stdio::null())
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("the project is not trusted: {text}")))
}

fn command(number: usize) -> String {
    format!("give_back --number {number}")
}

fn is_right(number: usize, answer: &Value) -> bool {
    let data = answer.pointer("/result/structuredContent/data/number");
    data.and_then(Value::as_u64) == u64::try_from(number).ok()
}

fn each(seconds: f64) -> f64 {
    seconds / f64::from(u32::try_from(TURN).unwrap_or(u32::MAX))
}

/// Starts the same program `count` times from four threads, in the same policy, and reads what it gives back. Returns
/// the seconds.
fn spawned(ground: &Ground, count: usize) -> io::Result<f64> {
    let next = AtomicUsize::new(0);
    let protected = ground.protected()?;
    let (sender, receiver) = mpsc::channel();
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            let (sender, next, protected) = (sender.clone(), &next, &protected);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    // Whoever receives waits for all of them.
                    let _ = sender.send(child(ground, protected.clone(), number));
                }
            });
        }
    });
    let took = started.elapsed().as_secs_f64();
    drop(sender);
    receiver.into_iter().collect::<io::Result<()>>()?;
    Ok(took)
}

fn child(ground: &Ground, protected: Protected, number: usize) -> io::Result<()> {
    let input = json!({"number": number}).to_string().into_bytes();
    let policy = Policy::closed()
        .read(PathPattern::tree(&ground.work))
        .exec(Exec::Any);
    let anchors = Anchors::new(&ground.home, &ground.work).map_err(io::Error::other)?;
    let report = Command::confined([PROGRAM], policy, anchors)
        .launcher(Launcher::Path(ground.launcher.clone()))
        .protected(protected)
        .minimal_environment()
        .stdin(Stdin::Bytes(input.clone()))
        .run()
        .map_err(io::Error::other)?;
    if report.stdout == input {
        return Ok(());
    }
    Err(io::Error::other(format!("the child failed: {report:?}")))
}
