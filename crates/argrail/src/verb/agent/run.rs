//! `argrail agent run`: one prompt to one agent, and its answer.
//!
//! Everything that can be wrong is found before anything starts: the words, the agent, its wishes, its sandbox. What is
//! to be judged goes through the same rules and to the same people as a call.

use std::time::Duration;

use argrail_acli::{Answer, Envelope, Error};
use argrail_agents::{Event, EventKind};
use argrail_engine::call::Wait;
use jiff::Timestamp;

use super::conversation::{Conversation, converse};
use super::outcome::Outcome;
use super::prompt;
use super::telling::{Answered, Lines, Teller, Told};
use crate::args::agent::AgentRunArgs;
use crate::deciding::Attendant;
use crate::delegation_file;
use crate::out::{self, Layout, Report};
use crate::setup::Setup;

/// How long somebody at the terminal is waited for.
const AT_THE_TERMINAL: Duration = Duration::from_secs(600);

/// Who listens.
enum Listener {
    Person(Told),
    Program(Lines),
    Envelope(Answered),
}

impl Listener {
    fn teller(&mut self) -> &mut dyn Teller {
        match self {
            Self::Person(told) => told,
            Self::Program(lines) => lines,
            Self::Envelope(answered) => answered,
        }
    }
}

/// Sends the prompt, and returns the exit number.
pub(crate) fn run(args: &AgentRunArgs, report: Report) -> u8 {
    let mut listener = match (args.events, report) {
        (Some(_), Report::Text) => Listener::Program(Lines),
        (None, Report::Text) => Listener::Person(Told::new()),
        (Some(_) | None, Report::Envelope) => Listener::Envelope(Answered::default()),
    };
    let session = match session() {
        Ok(session) => session,
        Err(error) => return out::refuse(Error::execution(error), report),
    };
    match attempt(args, report, &session, &mut listener) {
        Ok(outcome) => told(outcome, listener, &session),
        Err(error) => refused(error, listener, &session),
    }
}

fn attempt(
    args: &AgentRunArgs,
    report: Report,
    session: &str,
    listener: &mut Listener,
) -> Result<Outcome, Error> {
    if args.events.is_some() && report == Report::Envelope {
        return Err(Error::invalid(
            "--events and --json are two ways to print",
            "Choose one: --events ndjson for each event, --json for the last message",
        ));
    }
    let prompt = prompt::read(args.prompt.as_deref())?;
    let mut attendant = match listener {
        Listener::Person(_) => Attendant::here()?,
        Listener::Program(_) | Listener::Envelope(_) => None,
    };
    let delegation = args
        .delegation
        .as_deref()
        .map(delegation_file::read)
        .transpose()?;
    let wait = match (args.wait, &attendant) {
        (Some(wait), _) => Wait::For(wait),
        (None, Some(_)) => Wait::For(AT_THE_TERMINAL),
        (None, None) => Wait::AsConfigured,
    };
    let setup = Setup::waiting(delegation, wait)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(Error::execution)?;
    let conversation = Conversation {
        args,
        session,
        prompt: &prompt,
        setup: &setup,
    };
    let outcome = runtime.block_on(converse(&conversation, listener.teller(), attendant.as_mut()));
    // Nothing is waited for: whoever still reads the terminal does so for nobody.
    runtime.shutdown_background();
    outcome
}

/// Returns a new name for a session.
fn session() -> std::io::Result<String> {
    Ok(format!("run-{:016x}", getrandom::u64()?))
}

/// Tells how it ended, and returns the exit number.
fn told(outcome: Outcome, listener: Listener, session: &str) -> u8 {
    let exit = outcome.exit();
    match (listener, outcome) {
        (Listener::Envelope(answered), Outcome::Done) => {
            let warnings = answered.warnings().to_vec();
            let answer = Answer::new(answered.data(session));
            let answer = match warnings.is_empty() {
                true => answer,
                false => answer.meta("warnings", warnings),
            };
            let envelope = Envelope::new("agent run", Ok(answer), None);
            out::envelope(&envelope, Layout::Compact)
        }
        (Listener::Envelope(answered), Outcome::Cancelled) => {
            let error = Error::execution("the turn was cancelled")
                .hint("Send the prompt again")
                .detail("stopReason", "cancelled")
                .detail("partial", answered.data(session));
            out::refuse(error, Report::Envelope);
            exit
        }
        (Listener::Envelope(answered), Outcome::Failed(error)) => {
            out::refuse(error.detail("partial", answered.data(session)), Report::Envelope)
        }
        (Listener::Person(mut told), Outcome::Failed(error)) => {
            told.finish();
            out::refuse(error, Report::Text)
        }
        (Listener::Person(mut told), Outcome::Done | Outcome::Cancelled | Outcome::Stopped(_)) => {
            told.finish();
            exit
        }
        // The last event has told it.
        (Listener::Program(_), _) | (Listener::Envelope(_), Outcome::Stopped(_)) => exit,
    }
}

/// Tells why there was no turn. Programs that listen to events hear it as the one event of that turn.
fn refused(error: Error, listener: Listener, session: &str) -> u8 {
    match listener {
        Listener::Envelope(_) => out::refuse(error, Report::Envelope),
        Listener::Person(mut told) => {
            told.finish();
            out::refuse(error, Report::Text)
        }
        Listener::Program(mut lines) => {
            let event = Event {
                kind: EventKind::Error {
                    code: error.code().name().to_owned(),
                    message: error.to_string(),
                    retryable: false,
                },
                session: session.to_owned(),
                turn: 1,
                seq: 1,
                ts: Timestamp::now(),
            };
            // Whoever does not listen has the words on stderr.
            let _ = lines.tell(&event);
            out::refuse(error, Report::Text)
        }
    }
}
