//! Reading the catalogue when everything is known: what `list` and `show` cost beside a start that reads nothing.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Map, Value, json};

use super::Row;
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, time, times};

pub(super) const ROW: Row = Row {
    name: "catalogue",
    about: "list, show and search with 50 described tools of 40 commands each, everything known",
    measure,
};

const TOOLS: usize = 50;
const COMMANDS: usize = 40;
const ROUNDS: usize = 40;
/// What a person does not notice, in seconds.
const TARGET: f64 = 0.020;

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let home = programs.home().canonicalize()?.join("catalogue-home");
    let shims = home.join(".local/share/agent-tools/shims");
    fs::create_dir_all(&shims)?;
    for index in 0..TOOLS {
        let name = format!("tool{index}");
        fs::write(shims.join(format!("{name}.json")), tool(&name).to_string())?;
    }
    let verbs: [(&str, &[&str]); 3] = [
        ("list", &["list", "--json"]),
        ("show", &["show", "tool7", "--json"]),
        ("search", &["search", "--json", "delete", "a", "branch"]),
    ];
    let mut costs = verbs.map(|_| Samples::default());
    let mut floor = Samples::default();
    for _ in 0..ROUNDS {
        floor.push(start(programs.argrail(), &home, &["--version"])?);
        for ((_, words), costs) in verbs.iter().zip(&mut costs) {
            costs.push(start(programs.argrail(), &home, words)?);
        }
    }
    let line = |((verb, _), costs): (&(&str, &[&str]), &Samples)| {
        let timed = *verb != "search";
        Line {
            row: format!("catalogue: {verb}, warm, floor --version"),
            ours: times(costs),
            floor: times(&floor),
            ratio: format!("floor + {}", time((costs.median() - floor.median()).abs())),
            target: if timed { "≤ 20 ms" } else { "" },
            ok: timed.then_some(costs.median() <= TARGET),
        }
    };
    Ok(verbs.iter().zip(&costs).map(line).collect())
}

/// Returns the seconds of one run.
#[expect(clippy::disallowed_methods, reason = "argrail itself is what is measured")]
pub(super) fn start(argrail: &Path, home: &Path, words: &[&str]) -> io::Result<f64> {
    let begun = Instant::now();
    let output = Command::new(argrail)
        .args(words)
        .env_clear()
        .env("HOME", home)
        .env("PATH", "/usr/bin:/bin")
        .current_dir(home)
        .stdin(Stdio::null())
        .output()?;
    let seconds = begun.elapsed().as_secs_f64();
    if output.status.success() {
        Ok(seconds)
    } else {
        Err(io::Error::other(format!("{words:?} failed: {:?}", output.stderr)))
    }
}

fn tool(name: &str) -> Value {
    let verbs = [
        "create", "list", "delete", "merge", "show", "copy", "move", "watch",
    ];
    let nouns = ["branch", "issue", "release", "key", "job"];
    let mut commands = Map::new();
    for index in 0..COMMANDS {
        let verb = verbs.get(index % verbs.len()).unwrap_or(&"do");
        let noun = nouns.get(index % nouns.len()).unwrap_or(&"it");
        let options: Vec<Value> = ["force", "output", "format", "limit", "verbose"]
            .iter()
            .map(|option| {
                json!({"name": option, "flags": [format!("--{option}")], "type": "string",
                    "description": format!("What {option} means here, in a sentence of usual length")})
            })
            .collect();
        let command = json!({"description": format!("Will {verb} a {noun}"), "options": options,
            "effects": {"network": true, "idempotent": *verb == "list"}});
        commands.insert(format!("{verb}-{noun}-{index}"), command);
    }
    json!({"atip": "0.1", "name": name, "version": "1.0.0", "description": "A tool of usual size",
        "commands": commands})
}
