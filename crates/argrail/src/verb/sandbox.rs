//! `argrail sandbox`: one command under a policy. Its output, its exit number; a report on request.

use std::ffi::OsStr;
use std::future::pending;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::output::streams;
use argrail_engine::places::Places;
use argrail_sandbox::policy::{Anchors, Protected};
use argrail_sandbox::{Cancel, Command, Ended, Output, Report as Ran, Stdin, Traffic};
use serde_json::{Map, Value, json};

use crate::args::command_line::SandboxArgs;
use crate::neutral::Neutral;
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended as Interrupt};
use crate::verb::run::shown;
use argrail_engine::refusal;

use crate::policy_file;

/// What a process that was killed or ended for writing too much is reported as.
const KILLED: u8 = 137;
const TIMED_OUT: u8 = 124;

/// What a shell reports of somebody who was interrupted.
const INTERRUPTED: u8 = 130;

/// Runs the command; returns its exit number, or ours when it did not run.
pub(crate) fn run(args: &SandboxArgs, report: Report) -> u8 {
    let outcome = command(args).and_then(|command| {
        let command = match report {
            Report::Envelope => command,
            Report::Text => command
                .stdout(Output::Each(shown(io::stdout(), io::stdout().is_terminal())))
                .stderr(Output::Each(shown(io::stderr(), io::stderr().is_terminal()))),
        };
        execute(command).map_err(|error| refusal::not_started(&error))
    });
    match (outcome, report) {
        (Ok(ran), Report::Envelope) => {
            let line: Vec<String> = args
                .argv
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect();
            let answer = Answer::new(data(&ran));
            let envelope = Envelope::new(&argrail_acli::join(&line), Ok(answer), Some(ran.duration));
            match out::envelope(&envelope, Layout::Compact) {
                0 => exit(&ran),
                failed => failed,
            }
        }
        (Ok(ran), Report::Text) => {
            explain(&ran);
            exit(&ran)
        }
        (Err(error), report) => out::refuse(error, report),
    }
}

fn command(args: &SandboxArgs) -> Result<Command, Error> {
    let directory = std::env::current_dir().map_err(|error| {
        Error::execution(error).hint("Start argrail in a directory that exists and that you may read")
    })?;
    let home = argrail_sandbox::home().map_err(|error| {
        Error::execution(error).hint("Set HOME to the home directory of the user that runs argrail")
    })?;
    let anchors = Anchors::new(&home, &directory).map_err(|error| refusal::refused(&error))?;
    let policy = policy_file::read(&args.policy, &anchors)?;
    let search: Vec<PathBuf> = std::env::var_os("PATH")
        .map(|path| std::env::split_paths(&path).collect())
        .unwrap_or_default();
    let protected = protected(&home, &directory, &search, args.argv.first().map(OsStr::new));
    let command = Command::confined(args.argv.iter().cloned(), policy, anchors)
        .environment(std::env::vars_os())
        .search_path(search)
        .protected(protected)
        .resolve(args.resolve.iter().cloned())
        .timeout(args.timeout)
        .max_output(args.max_output)
        .stdin(Stdin::Pipe);
    Ok(if args.allow_loopback {
        command.allow_loopback()
    } else {
        command
    })
}

/// What the command cannot change, whatever its policy says. Git may change what is git's.
fn protected(home: &Path, directory: &Path, search: &[PathBuf], program: Option<&OsStr>) -> Protected {
    let places = Places::new(|name| std::env::var_os(name)).ok();
    let installed = places.as_ref().map(Places::installed);
    let protected = Protected::standard(home, directory)
        .search_path(search.iter().cloned().chain(installed))
        .hide("it belongs to argrail", places.iter().flat_map(Places::own));
    if program.is_some_and(|program| program == "git") {
        protected.for_git(directory)
    } else {
        protected
    }
}

fn execute(command: Command) -> Result<Ran, argrail_sandbox::Error> {
    let command = match Cancel::new() {
        Ok(cancel) => {
            end_on_signal(cancel.clone());
            command.cancel_with(cancel)
        }
        // Then the spawn says what is missing.
        Err(_) => command,
    };
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // Ends with the input, or with this process.
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut buffer = [0; 16 * 1024];
            while let Ok(length) = input.read(&mut buffer) {
                let bytes = buffer.get(..length).unwrap_or_default();
                if bytes.is_empty() || stdin.write_all(bytes).is_err() {
                    break;
                }
            }
        });
    }
    child.wait()
}

/// Ends the command when somebody interrupts us, and lets us go on: what it made must be looked at. Who asks again has
/// no patience for that.
fn end_on_signal(cancel: Cancel) {
    thread::spawn(move || {
        if let Ok(Interrupt::Interrupted(_)) = runtime::block_on(pending::<()>()) {
            cancel.cancel();
        }
        if let Ok(Interrupt::Interrupted(code)) = runtime::block_on(pending::<()>()) {
            std::process::exit(code.into());
        }
    });
}

fn exit(ran: &Ran) -> u8 {
    if ran.timed_out {
        return TIMED_OUT;
    }
    if ran.cancelled {
        return INTERRUPTED;
    }
    match ran.ended {
        _ if ran.truncated => KILLED,
        Ended::Exit(code) => u8::try_from(code).unwrap_or(1),
        Ended::Signal(signal) => u8::try_from(signal).map_or(KILLED, |signal| signal.saturating_add(128)),
    }
}

/// Tells a person what the sandbox did to the command, when it did something.
fn explain(ran: &Ran) {
    for note in &ran.notes {
        out::say(&escape(note));
    }
    for denial in &ran.denials {
        let seems = if denial.inferred() {
            "seems to have been refused"
        } else {
            "was refused"
        };
        out::say(&format!(
            "{seems}: {} {}",
            denial.kind.as_str(),
            escape(&denial.target)
        ));
    }
    for host in &ran.unreached {
        let target = escape(&host.target);
        out::say(&format!(
            "was not reached, though it may be: {target} has {}",
            host.why.as_str()
        ));
    }
    for quarantined in &ran.quarantined {
        let path = escape(&quarantined.path.to_string_lossy());
        let now = match &quarantined.moved_to {
            Some(moved) => format!("moved to {}", escape(&moved.to_string_lossy())),
            None => "could not be moved away: look at it before anything runs it".to_owned(),
        };
        out::say(&format!(
            "{path} is protected ({}) and was made by the command: {now}",
            quarantined.why
        ));
    }
    if ran.timed_out {
        out::say("the time was up; give it more with --timeout");
    }
    if ran.truncated {
        out::say("it wrote more than it may; allow more with --max-output");
    }
}

fn escape(text: &str) -> String {
    Neutral::default().next(text.replace('\n', "\\n").as_bytes())
}

/// The report as JSON.
fn data(ran: &Ran) -> Value {
    let mut data = Map::new();
    data.insert("exit".into(), json!(ran.ended.code()));
    if let Some(signal) = ran.ended.signal() {
        data.insert("signal".into(), json!(signal));
    }
    data.insert("timedOut".into(), json!(ran.timed_out));
    for (name, value) in streams(&ran.stdout, &ran.stderr) {
        data.insert(name.into(), json!(value));
    }
    data.insert("truncated".into(), json!(ran.truncated));
    data.insert(
        "durationMs".into(),
        json!(u64::try_from(ran.duration.as_millis()).unwrap_or(u64::MAX)),
    );
    data.insert("peakRssKb".into(), json!(ran.peak_rss_kib));
    data.insert("tier".into(), json!(ran.tier));
    let denials = ran.denials.iter().map(|denial| {
        let mut entry = Map::new();
        entry.insert("kind".into(), json!(denial.kind.as_str()));
        entry.insert("target".into(), json!(denial.target));
        if denial.inferred() {
            entry.insert("inferred".into(), json!(true));
        }
        Value::Object(entry)
    });
    data.insert("denials".into(), denials.collect());
    let user = u64::try_from(ran.user.as_millis()).unwrap_or(u64::MAX);
    let system = u64::try_from(ran.system.as_millis()).unwrap_or(u64::MAX);
    data.insert("cpuMs".into(), json!({"user": user, "system": system}));
    data.insert(
        "bytes".into(),
        json!({"stdout": ran.stdout_bytes, "stderr": ran.stderr_bytes}),
    );
    data.insert("hosts".into(), json!(ran.hosts));
    let unreached = ran.unreached.iter();
    let unreached = unreached.map(|host| json!({"target": host.target, "why": host.why.as_str()}));
    data.insert("unreached".into(), unreached.collect());
    let Traffic {
        sent,
        received,
        connections,
        ..
    } = ran.traffic;
    data.insert(
        "traffic".into(),
        json!({"sent": sent, "received": received, "connections": connections}),
    );
    let quarantined = ran.quarantined.iter().map(|found| {
        json!({"path": found.path.to_string_lossy(), "movedTo": found.moved_to.as_ref().map(|path| path.to_string_lossy()), "why": found.why})
    });
    data.insert("quarantined".into(), quarantined.collect());
    data.insert("notes".into(), json!(ran.notes));
    Value::Object(data)
}
