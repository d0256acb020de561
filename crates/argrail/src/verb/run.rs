//! `argrail run`: one command by the path that agents' calls take, for a person: raw output, the tool's own exit number.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use std::sync::Arc;

use argrail_acli::{Envelope, Error, Request};
use argrail_engine::call::{Passthrough, Reader, Streams, Words};
use argrail_sandbox::{Ended, OutputCallback, Stdin};

use crate::args::command_line::RunArgs;
use crate::deciding::{Person, decide_here};
use crate::neutral::Neutral;
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended as Interrupt};
use crate::setup::Setup;

/// What a shell reports of somebody that a signal ended.
const SIGNALLED: u8 = 128;
/// The bits of a descriptor's flags that say whether it can be written to.
const ACCESS: u64 = 0o3;

/// Runs the command; returns its exit number, or ours when it did not run.
pub(crate) fn run(args: &RunArgs, report: Report) -> u8 {
    match report {
        Report::Envelope => match answer(args, &passed(Words::Answer)) {
            Ok((Interrupt::Done(envelope), _setup)) => match out::envelope(&envelope, Layout::Compact) {
                0 => own_exit(&envelope).unwrap_or(0),
                refused => refused,
            },
            Ok((Interrupt::Interrupted(exit), _)) => exit,
            Err(error) => out::refuse(error, report),
        },
        Report::Text => raw(args),
    }
}

fn raw(args: &RunArgs) -> u8 {
    let (outcome, passthrough) = once(args);
    match waits(&outcome).zip(Person::here()) {
        None => told(outcome, &passthrough),
        // Somebody sits here who can be asked at once; with a yes the same call finds its answer.
        Some((id, mut person)) => match decide_here(&id, &mut person) {
            Ok(()) => {
                let (outcome, passthrough) = once(args);
                told(outcome, &passthrough)
            }
            Err(error) => out::refuse(error, Report::Text),
        },
    }
}

/// What came of it. The setup is held until that is told: its end waits for the disk and for programs that tell people.
type Outcome = Result<(Interrupt<Envelope>, Setup), Error>;

fn once(args: &RunArgs) -> (Outcome, Arc<Passthrough>) {
    let passthrough = passed(Words::Raw {
        stdout: shown(io::stdout(), io::stdout().is_terminal()),
        stderr: shown(io::stderr(), io::stderr().is_terminal()),
        reader: Reader::Person,
    });
    (answer(args, &passthrough), passthrough)
}

/// The question that a call waits for, if it does.
fn waits(outcome: &Outcome) -> Option<String> {
    let Ok((Interrupt::Done(envelope), _)) = outcome else {
        return None;
    };
    let error = envelope.outcome().err()?;
    let text = |name| error.get_detail(name)?.as_str();
    (text("reason") == Some("approval_required")).then(|| text("approval").map(str::to_owned))?
}

fn told(outcome: Outcome, passthrough: &Passthrough) -> u8 {
    match outcome {
        Ok((Interrupt::Done(envelope), _setup)) => match (envelope.outcome(), passthrough.ended()) {
            // What the tool itself has to say is on the screen already.
            (Ok(_), Some(ended)) => exit_of(ended),
            (Ok(_), None) => out::envelope(&envelope, Layout::of(Report::Text)),
            (Err(error), ended) => {
                let refused = out::refuse(error.clone(), Report::Text);
                match ended {
                    Some(Ended::Exit(0)) | None => refused,
                    Some(ended) => exit_of(ended),
                }
            }
        },
        Ok((Interrupt::Interrupted(exit), _)) => exit,
        Err(error) => out::refuse(error, Report::Text),
    }
}

fn answer(args: &RunArgs, passthrough: &Arc<Passthrough>) -> Outcome {
    let setup = Setup::new(None)?;
    let cli = setup.cli()?;
    setup.warn_of_rules(&cli);
    let mut request = Request::of_words(args.argv.clone(), setup.caller("run", "argrail run"));
    request.context = Some(Arc::clone(passthrough) as _);
    let ended = runtime::block_on(cli.answer(request))?;
    Ok((ended, setup))
}

/// What is piped in goes to the tool. A terminal does not: what a tool asks there, it would ask a person.
fn passed(words: Words) -> Arc<Passthrough> {
    let stdin = input().map_or(Stdin::Null, Stdin::File);
    Arc::new(Passthrough::new(Streams { stdin, words }))
}

/// Our own input, if it is a pipe or a file and can only be read.
fn input() -> Option<OwnedFd> {
    let input = io::stdin().as_fd().try_clone_to_owned().ok()?;
    let file = File::from(input);
    let kind = file.metadata().ok()?.file_type();
    let flags = std::fs::read_to_string("/proc/self/fdinfo/0").ok()?;
    let flags = flags.lines().find_map(|line| line.strip_prefix("flags:"))?;
    let reads = u64::from_str_radix(flags.trim(), 8).ok()? & ACCESS == 0;
    ((kind.is_fifo() || kind.is_file()) && reads).then(|| file.into())
}

/// Shows output as it comes: as it is to a pipe, harmless to a terminal.
pub(super) fn shown(mut to: impl Write + Send + 'static, terminal: bool) -> OutputCallback {
    let mut neutral = Neutral::default();
    Box::new(move |bytes| {
        // Whoever stopped reading has read what they wanted.
        let _ = if terminal {
            to.write_all(neutral.next(bytes).as_bytes())
        } else {
            to.write_all(bytes)
        };
        let _ = to.flush();
    })
}

fn exit_of(ended: Ended) -> u8 {
    match ended {
        Ended::Exit(code) => u8::try_from(code).unwrap_or(1),
        Ended::Signal(signal) => {
            u8::try_from(signal).map_or(SIGNALLED, |signal| signal.saturating_add(SIGNALLED))
        }
    }
}

/// The tool's own exit number, where the answer has it.
fn own_exit(envelope: &Envelope) -> Option<u8> {
    let code = envelope.outcome().ok()?.data().get("exitCode")?.as_i64()?;
    u8::try_from(code).ok()
}
