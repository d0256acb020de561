//! `argrail run`: one command by the path that agents' calls take, for a person: raw output, the tool's own exit number.

use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;

use argrail_acli::{Envelope, Error, Request};
use argrail_engine::call::{Passthrough, Streams};
use argrail_sandbox::{Each, Ended, Stdin};

use crate::args::RunArgs;
use crate::neutral::Neutral;
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended as Interrupt};
use crate::setup::Setup;

/// What a shell reports of somebody that a signal ended.
const SIGNALLED: u8 = 128;
/// The most that is read from a pipe before the tool starts.
const INPUT: u64 = 64 << 20;

/// Runs the command; returns its exit number, or ours when it did not run.
pub(crate) fn run(args: &RunArgs, report: Report) -> u8 {
    match report {
        Report::Envelope => match answer(args, None) {
            Ok(Interrupt::Done(envelope)) => match out::envelope(&envelope, Layout::Compact) {
                0 => own_exit(&envelope).unwrap_or(0),
                refused => refused,
            },
            Ok(Interrupt::Interrupted(exit)) => exit,
            Err(error) => out::refuse(error, report),
        },
        Report::Text => raw(args),
    }
}

fn raw(args: &RunArgs) -> u8 {
    let streams = match streams() {
        Ok(streams) => streams,
        Err(error) => return out::refuse(error, Report::Text),
    };
    let passthrough = Arc::new(Passthrough::new(streams));
    let outcome = answer(args, Some(Arc::clone(&passthrough)));
    match outcome {
        Ok(Interrupt::Done(envelope)) => match (envelope.outcome(), passthrough.ended()) {
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
        Ok(Interrupt::Interrupted(exit)) => exit,
        Err(error) => out::refuse(error, Report::Text),
    }
}

fn answer(args: &RunArgs, passthrough: Option<Arc<Passthrough>>) -> Result<Interrupt<Envelope>, Error> {
    let setup = Setup::new(None)?;
    let cli = setup.cli()?;
    setup.warn_of_rules(&cli);
    let mut request = Request::of_words(args.argv.clone(), setup.caller("run", "argrail run"));
    request.context = passthrough.map(|streams| streams as _);
    runtime::block_on(cli.answer(request))
}

/// What is piped in goes to the tool. A terminal does not: what a tool asks there, it would ask a person.
fn streams() -> Result<Streams, Error> {
    let stdin = if io::stdin().is_terminal() {
        Stdin::Null
    } else {
        let mut input = Vec::new();
        let read = io::stdin().lock().take(INPUT + 1).read_to_end(&mut input);
        read.map_err(Error::execution)?;
        if input.len() as u64 > INPUT {
            return Err(Error::execution("more than 64 MiB of input").hint("Name a file instead of a pipe"));
        }
        Stdin::Bytes(input)
    };
    Ok(Streams {
        stdin,
        stdout: shown(io::stdout(), io::stdout().is_terminal()),
        stderr: shown(io::stderr(), io::stderr().is_terminal()),
    })
}

/// Shows output as it comes: as it is to a pipe, harmless to a terminal.
pub(super) fn shown(mut to: impl Write + Send + 'static, terminal: bool) -> Each {
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
