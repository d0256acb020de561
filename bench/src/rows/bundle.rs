//! CLI bundles: a call through one beside the same call without one, and a list of two hundred, remembered and not.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::Row;
use super::catalogue::start;
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, time, times};

pub(super) const ROW: Row = Row {
    name: "bundle",
    about: "a warm call through a bundle, and a list of 200 bundles",
    measure,
};

const TURNS: usize = 300;
const WARM_UP: usize = 10;
/// The most that a call may take, of what it takes without the bundle.
const CALL: f64 = 1.1;

const BUNDLES: usize = 200;
const ROUNDS: usize = 30;
/// What a list may take, in seconds: from the index, and without it.
const WARM: f64 = 0.030;
const COLD: f64 = 0.150;

const FILE: &str = "small.txt";
const TEXT: &str = "a line of usual length, as it stands in many files\n";

const TOOL: &str = "---\nname: Show\nid: cat.show\ndescription: Shows a file.\nversion: 1.0.0\n\
inputs: { type: object, properties: { file: { type: string } }, required: [file] }\noutputs: {}\n\
runner: { cli: ../../CLI.md, argv: [\"${input.file}\"] }\n---\n";

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    Ok(vec![called(programs)?]
        .into_iter()
        .chain(listed(programs)?)
        .collect())
}

/// The same words to two servers, of which one has a bundle.
fn called(programs: &Programs) -> io::Result<Line> {
    let root = programs.home().canonicalize()?.join("bundle-call");
    let mut servers = Vec::new();
    for name in ["with", "without"] {
        let (home, work) = (root.join(name), root.join(name).join("work"));
        fs::create_dir_all(&work)?;
        fs::write(work.join(FILE), TEXT)?;
        if name == "with" {
            bundle(&home.join(".local/share/agent-tools/cli/cat"), "cat", "cat")?;
        }
        let mut server = programs.ours.at(&home, &work).start()?;
        server.client.open()?;
        servers.push(server);
    }
    let mut costs = [Samples::default(), Samples::default()];
    for turn in 0..TURNS + WARM_UP {
        for (server, costs) in servers.iter_mut().zip(&mut costs) {
            let (took, envelope) = server.client.command(&format!("cat {FILE}"))?;
            is_right(&envelope)?;
            if turn >= WARM_UP {
                costs.push(took.as_secs_f64());
            }
        }
    }
    let [ours, floor] = costs;
    let (ratio, best) = (ours.median() / floor.median(), ours.p10() / floor.p10());
    Ok(Line {
        row: "bundle: a warm call, floor the same without a bundle".to_owned(),
        ours: times(&ours),
        floor: times(&floor),
        ratio: format!("{ratio:.2} (p10 {best:.2})"),
        target: "≤ 1.1 × floor",
        ok: Some(ratio <= CALL && best <= CALL),
    })
}

fn is_right(envelope: &Value) -> io::Result<()> {
    if envelope.pointer("/data/stdout") == Some(&json!(TEXT)) {
        return Ok(());
    }
    Err(io::Error::other(format!("a wrong answer: {envelope}")))
}

/// `argrail list` with many bundles, from the index and without one.
fn listed(programs: &Programs) -> io::Result<Vec<Line>> {
    let home = programs.home().canonicalize()?.join("bundle-home");
    let folder = home.join(".local/share/agent-tools/cli");
    for index in 0..BUNDLES {
        let id = format!("tool-{index}");
        bundle(&folder.join(&id), &id, &id)?;
    }
    let remembered = home.join(".cache/agent-tools/discovery/bundles.json");
    let words = ["list", "--json"];
    let (mut warm, mut cold, mut floor) = (Samples::default(), Samples::default(), Samples::default());
    for _ in 0..ROUNDS {
        floor.push(start(programs.argrail(), &home, &["--version"])?);
        if remembered.exists() {
            fs::remove_file(&remembered)?;
        }
        cold.push(start(programs.argrail(), &home, &words)?);
        warm.push(start(programs.argrail(), &home, &words)?);
    }
    let line = |what: &str, costs: &Samples, target, most: f64| Line {
        row: format!("bundle: list of {BUNDLES}, {what}, floor --version"),
        ours: times(costs),
        floor: times(&floor),
        ratio: format!("floor + {}", time((costs.median() - floor.median()).abs())),
        target,
        ok: Some(costs.median() <= most),
    };
    Ok(vec![
        line("from the index", &warm, "≤ 30 ms", WARM),
        line("cold", &cold, "≤ 150 ms", COLD),
    ])
}

/// Writes a bundle whose one tool shows a file.
fn bundle(folder: &Path, id: &str, bin: &str) -> io::Result<()> {
    let text = format!(
        "---\nname: {id}\nid: {id}\ndescription: A program of usual size, described in a sentence of usual length.\n\
         version: 1.0.0\nbin: {bin}\ninstall:\n  - {{ method: apt, package: {bin} }}\n\
         version_check: {{ cmd: {bin} --version, parse: '(\\d+\\.\\d+)', range: \"*\" }}\n\
         sandbox:\n  network: {{ egress: [] }}\n  fs: {{ read: [\"**\"], write: [] }}\n  exec: {{ allow: false }}\n  env: {{}}\n\
         commands:\n  \"\": ./tools/show/TOOL.md\n---\n## Gotchas\n- None.\n"
    );
    fs::create_dir_all(folder.join("tools/show"))?;
    fs::write(folder.join("CLI.md"), text)?;
    fs::write(
        folder.join("tools/show/TOOL.md"),
        TOOL.replace("cat.show", &format!("{id}.show")),
    )
}
