//! One turn of a driven agent, from nothing to the end: `argrail agent run` beside the bare protocol, alone and in the
//! same sandbox, and beside another client if it is there.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command as OsCommand, Stdio};
use std::time::Instant;

use argrail_sandbox::policy::{Anchors, Exec, PathPattern, Policy};
use argrail_sandbox::{Command, Launcher, Output, Stdin};
use serde_json::{Value, json};

use super::Row;
use crate::samples::Samples;
use crate::server::Programs;
use crate::table::{Line, time, times};

pub(super) const ROW: Row = Row {
    name: "agent",
    about: "one turn of an agent that echoes, from nothing to the end",
    measure,
};

const TURNS: usize = 60;
const WARM_UP: usize = 3;
/// How often a client is tried that takes a second.
const SLOW_TURNS: usize = 7;
/// What we may cost more than the bare protocol in the same sandbox, in seconds.
const TARGET: f64 = 0.030;

const PROMPT: &str = "say this again";

/// Where the turns happen: a home with the agent's manifest, a directory to work in, and the agent.
struct Ground {
    argrail: PathBuf,
    home: PathBuf,
    work: PathBuf,
    agent: PathBuf,
}

fn measure(programs: &Programs) -> io::Result<Vec<Line>> {
    let ground = Ground::new(programs)?;
    let ways: [fn(&Ground) -> io::Result<f64>; 3] = [Ground::ours, Ground::raw, Ground::confined];
    let mut costs = [Samples::default(), Samples::default(), Samples::default()];
    for turn in 0..TURNS + WARM_UP {
        for (way, costs) in ways.iter().zip(&mut costs) {
            let took = way(&ground)?;
            if turn >= WARM_UP {
                costs.push(took);
            }
        }
    }
    let [ours, raw, confined] = costs;
    let mut lines = vec![
        line("the bare protocol", &ours, &raw),
        Line {
            target: "≤ floor + 30 ms",
            ok: Some(ours.median() - confined.median() <= TARGET),
            ..line("the same in the sandbox", &ours, &confined)
        },
    ];
    match std::env::var_os("ACPX") {
        Some(acpx) => {
            let mut costs = Samples::default();
            for _ in 0..SLOW_TURNS {
                costs.push(ground.acpx(Path::new(&acpx))?);
            }
            lines.push(line("acpx, not confined", &ours, &costs));
        }
        None => writeln!(io::stderr(), "bench: acpx is left out; $ACPX may name it")?,
    }
    Ok(lines)
}

fn line(floor: &str, ours: &Samples, costs: &Samples) -> Line {
    let more = ours.median() - costs.median();
    Line {
        row: format!("agent: one turn, floor {floor}"),
        ours: times(ours),
        floor: times(costs),
        ratio: format!(
            "floor {} {}",
            if more < 0.0 { "−" } else { "+" },
            time(more.abs())
        ),
        ..Line::default()
    }
}

impl Ground {
    fn new(programs: &Programs) -> io::Result<Self> {
        let root = programs.home().canonicalize()?.join("agent");
        let ground = Self {
            argrail: programs.argrail().to_owned(),
            home: root.join("home"),
            work: root.join("work"),
            agent: root.join("bin/echo-agent"),
        };
        for folder in [&ground.home, &ground.work, &root.join("bin"), &root.join("echo")] {
            fs::create_dir_all(folder)?;
        }
        fs::copy(programs.beside("echo-agent"), &ground.agent)?;
        fs::write(root.join("echo/AGENT-CLI.md"), MANIFEST)?;
        fs::write(root.join("echo/ACP.md"), PROFILE)?;
        let folder = root.join("echo").to_string_lossy().into_owned();
        let mut added = ground.system(&ground.argrail, &["add", &folder, "--yes"]);
        ended(added.spawn()?)?;
        Ok(ground)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "measures what a user starts; nothing here runs for a user"
    )]
    fn system(&self, program: &Path, words: &[&str]) -> OsCommand {
        let bin = self.agent.parent().unwrap_or(Path::new("/"));
        let mut command = OsCommand::new(program);
        command
            .args(words)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .current_dir(&self.work)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// A turn of argrail.
    fn ours(&self) -> io::Result<f64> {
        let words = ["agent", "run", "echo", PROMPT, "--events", "ndjson"];
        let started = Instant::now();
        let output = ended(self.system(&self.argrail, &words).spawn()?)?;
        let took = started.elapsed().as_secs_f64();
        let events: Vec<Value> = output
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
        if kinds == ["text-delta", "turn-end"] && output.contains(PROMPT) {
            return Ok(took);
        }
        Err(io::Error::other(format!("a wrong turn: {output}")))
    }

    /// A turn of the bare protocol.
    fn raw(&self) -> io::Result<f64> {
        let started = Instant::now();
        let mut child = self.system(&self.agent, &[]).stdin(Stdio::piped()).spawn()?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => self.turn(input, output)?,
            _ => return Err(io::Error::other("a child without pipes")),
        }
        ended(child)?;
        Ok(started.elapsed().as_secs_f64())
    }

    /// The same in a sandbox that lets it read itself and write where it works.
    fn confined(&self) -> io::Result<f64> {
        let started = Instant::now();
        let anchors = Anchors::new(&self.home, &self.work).map_err(io::Error::other)?;
        let mut policy = Policy::closed()
            .read(PathPattern::exact(&self.agent))
            .write(PathPattern::tree(&self.work));
        policy.exec = Exec::Any;
        let mut child = Command::confined([&self.agent], policy, anchors)
            .launcher(Launcher::Path(self.argrail.clone()))
            .stdin(Stdin::Pipe)
            .stdout(Output::Pipe)
            .spawn()
            .map_err(io::Error::other)?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => self.turn(input, output)?,
            _ => return Err(io::Error::other("a child without pipes")),
        }
        let report = child.wait().map_err(io::Error::other)?;
        match report.ended.code() {
            Some(0) => Ok(started.elapsed().as_secs_f64()),
            _ => Err(io::Error::other(format!("the agent failed: {report:?}"))),
        }
    }

    /// Shakes hands, opens a session and sends the prompt; then the input ends.
    fn turn(&self, mut input: impl Write, output: impl Read) -> io::Result<()> {
        let mut output = BufReader::new(output);
        let client = json!({"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false});
        let prompt = json!([{"type": "text", "text": PROMPT}]);
        let requests = [
            (
                "initialize",
                json!({"protocolVersion": 1, "clientCapabilities": client}),
            ),
            ("session/new", json!({"cwd": self.work, "mcpServers": []})),
            ("session/prompt", json!({"sessionId": "echo-1", "prompt": prompt})),
        ];
        let mut said = String::new();
        for (id, (method, params)) in requests.into_iter().enumerate() {
            let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            writeln!(input, "{request}")?;
            loop {
                let mut line = String::new();
                if output.read_line(&mut line)? == 0 {
                    return Err(io::Error::other("the agent closed its output"));
                }
                let message: Value = serde_json::from_str(&line)?;
                if message["id"] == id {
                    break;
                }
                said.push_str(
                    message["params"]["update"]["content"]["text"]
                        .as_str()
                        .unwrap_or_default(),
                );
            }
        }
        match said == PROMPT {
            true => Ok(()),
            false => Err(io::Error::other(format!("the agent said '{said}'"))),
        }
    }

    /// A turn of another client, which confines nothing.
    fn acpx(&self, acpx: &Path) -> io::Result<f64> {
        let agent = self.agent.to_string_lossy();
        let words = ["--agent", &agent, "--deny-all", "exec", PROMPT];
        let started = Instant::now();
        let output = ended(self.system(acpx, &words).spawn()?)?;
        let took = started.elapsed().as_secs_f64();
        match output.contains(PROMPT) {
            true => Ok(took),
            false => Err(io::Error::other(format!("acpx said '{output}'"))),
        }
    }
}

/// Waits for the end; returns what was written to stdout, if it ended well.
fn ended(child: std::process::Child) -> io::Result<String> {
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!("{}: {text}", output.status)))
}

const MANIFEST: &str = "---\nname: echo\nid: echo\ndescription: Says what it is told.\nversion: 1.0.0\nbin: echo-agent\n\
install:\n  - { method: apt, package: echo-agent }\n\
version_check: { cmd: echo-agent --version, parse: '(\\d+\\.\\d+\\.\\d+)', range: \"*\" }\n\
sandbox:\n  network: { egress: [] }\n  fs: { read: [], write: [\"**\"] }\n  exec: { allow: false }\n  env: {}\n\
protocol: acp\nacp: ./ACP.md\n---\nSays what it is told.\n";

const PROFILE: &str = "---\nname: echo-acp\nid: echo-acp\ndescription: ACP as the echo speaks it.\nversion: 1.0.0\n\
kind: client\ntransport: stdio\nmetadata:\n  aip44: { acp_rev: \"7f3c2a1\", tier: governance-aware }\n---\n";
