//! A session, as its owner holds it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use argrail_acli::{Code, Error, Text};
use argrail_sandbox::Child;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

use super::asks::Asks;
use super::canceller::Canceller;
use super::closed::Closed;
use super::driver::Driver;
use super::flow::{Flow, Opened, Order};
use super::last_words::LastWords;
use super::lines::Lines;
use super::process::{Leash, Process};
use super::side_channel::SideChannel;
use super::telling::{Told, WAITING};
use super::turn::{Turn, too_long, too_many};
use crate::arm::acp::{Acp, Wishes};
use crate::event::Event;
use crate::governor::Governor;
use crate::session_options::SessionOptions;

/// The longest prompt.
const PROMPT: usize = 8 << 20;

/// A conversation with an agent that runs. Dropping it ends the agent and everything that it started.
#[derive(Debug)]
pub struct Session {
    id: String,
    not_offered: Vec<String>,
    orders: mpsc::Sender<Order>,
    canceller: Canceller,
    turn: Arc<AtomicU64>,
    seq: u64,
    most_turns: Option<u64>,
    failure: Arc<OnceLock<Error>>,
    driver: JoinHandle<Closed>,
    leash: Leash,
}

impl Session {
    /// Opens a session with an agent that was started: handshake, sign-in where it is asked for, session, settings.
    /// Runs in a tokio runtime with its clock and its streams enabled, which drives it from then on.
    ///
    /// # Errors
    /// When the agent does not answer in time, ends, cannot be understood, or refuses; `AUTH_REQUIRED` when somebody
    /// must sign in first. The agent is being ended then.
    pub async fn open(opening: SessionOptions, governor: Arc<dyn Governor>) -> Result<Self, Error> {
        let leash = Leash::new(opening.child.cancel());
        let turn = Arc::new(AtomicU64::new(0));
        let (cancel, cancels) = watch::channel(0);
        let (orders, ordered) = mpsc::channel(2);
        let (opened, opens) = oneshot::channel();
        let failure = Arc::new(OnceLock::new());
        let id = opening.session.clone();
        let agent = opening.agent.clone();
        let most_turns = opening.limits.turns;
        let parts = Parts {
            governor,
            orders: ordered,
            cancels,
            opened,
            failure: Arc::clone(&failure),
        };
        let driver = assemble(opening, parts).map_err(|source| no_streams(&agent, &source))?;
        let driver = tokio::spawn(driver.run());
        let opened = match opens.await {
            Ok(opened) => opened?,
            Err(_) => return Err(gone(&failure, &agent)),
        };
        Ok(Self {
            id,
            not_offered: opened.not_offered,
            orders,
            canceller: Canceller::new(Arc::clone(&turn), cancel),
            turn,
            seq: 0,
            most_turns,
            failure,
            driver,
            leash,
        })
    }

    /// Returns our own id of the session.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns what was wished for and what the agent does not offer: `mode`, `model`, or the name of an option.
    pub fn not_offered(&self) -> &[String] {
        &self.not_offered
    }

    /// Sends a prompt. The turn has exactly one `turn-end` or `error`, which is its last event.
    pub fn send(&mut self, prompt: &str) -> Turn<'_> {
        let turn = self.turn.fetch_add(1, Ordering::AcqRel) + 1;
        if let Some(most) = self.most_turns.filter(|most| turn > *most) {
            return Turn::refused(self, too_many(most));
        }
        if prompt.len() > PROMPT {
            return Turn::refused(self, too_long(PROMPT));
        }
        let (events, heard) = mpsc::channel(WAITING);
        let order = Order::Prompt {
            turn,
            text: prompt.to_owned(),
            events,
        };
        match self.orders.try_send(order) {
            Ok(()) => Turn::new(self, heard),
            Err(_) => {
                let error = self.lost();
                Turn::refused(self, error)
            }
        }
    }

    /// Returns what cancels a turn from elsewhere.
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// Closes the session: says goodbye where the agent understands it, ends its input, asks it to end, and kills what
    /// has not ended after the grace that it was started with.
    pub async fn close(mut self) -> Closed {
        // One that is over already says how.
        let _ = self.orders.send(Order::Close).await;
        match (&mut self.driver).await {
            Ok(closed) => closed,
            Err(_) => Closed {
                report: None,
                failure: Some(self.lost()),
            },
        }
    }

    /// Gives an event its number.
    pub(super) fn number(&mut self, told: Told) -> Event {
        self.seq += 1;
        Event {
            kind: told.kind,
            session: self.id.clone(),
            turn: self.turn.load(Ordering::Acquire),
            seq: self.seq,
            ts: told.ts,
        }
    }

    /// A turn was left before its end: the agent goes on with it, so it is ended.
    pub(super) fn abandon(&self) {
        self.leash.pull();
    }

    /// Returns why nothing more can be sent.
    pub(super) fn lost(&self) -> Error {
        gone(&self.failure, &self.id)
    }
}

/// What the owner and the driver share.
struct Parts {
    governor: Arc<dyn Governor>,
    orders: mpsc::Receiver<Order>,
    cancels: watch::Receiver<u64>,
    opened: oneshot::Sender<Result<Opened, Error>>,
    failure: Arc<OnceLock<Error>>,
}

fn assemble(opening: SessionOptions, parts: Parts) -> std::io::Result<Driver> {
    let mut child = opening.child;
    let (stdin, stdout, stderr) = pipes(&mut child)?;
    let last_words = LastWords::default();
    let side = SideChannel::open(
        opening.side_channel.as_deref(),
        opening.limits.side_channel,
        opening.secrets.clone(),
    )?;
    let resumes = opening.resume.is_some();
    let arm = Acp::new(Wishes {
        agent: opening.agent.clone(),
        directory: opening.directory,
        servers: opening.servers,
        mode: opening.mode,
        config: opening.config,
        model: opening.model,
        sign_in: opening.sign_in,
        resume: opening.resume,
        serves: opening.serves,
        carryover: opening.carryover,
    });
    Ok(Driver {
        agent: opening.agent,
        arm: Box::new(arm),
        asks: Asks::new(Arc::clone(&parts.governor)),
        governor: parts.governor,
        process: Process::watch(child),
        stdin: Some(stdin),
        lines: Lines::new(stdout, opening.limits.line),
        stderr: tokio::spawn(last_words.clone().listen(stderr, opening.secrets)),
        last_words,
        side,
        orders: parts.orders,
        cancels: parts.cancels,
        opened: Some(parts.opened),
        failure: parts.failure,
        streaming: opening.streaming,
        times: opening.times,
        limits: opening.limits,
        resumes,
        flow: Flow::new(),
    })
}

/// Takes the child's streams. All three are pipes.
fn pipes(child: &mut Child) -> std::io::Result<(Sender, Receiver, Receiver)> {
    let no_pipe = || std::io::Error::other("a stream of it is no pipe");
    let stdin = child.stdin.take().ok_or_else(no_pipe)?;
    let stdout = child.stdout.take().ok_or_else(no_pipe)?;
    let stderr = child.stderr.take().ok_or_else(no_pipe)?;
    Ok((
        Sender::from_file(stdin)?,
        Receiver::from_file(stdout)?,
        Receiver::from_file(stderr)?,
    ))
}

fn no_streams(agent: &str, source: &std::io::Error) -> Error {
    let message = Text::new("agent {} cannot be spoken to: {}")
        .value(agent)
        .value(source.to_string());
    Error::new(Code::ExecutionError, message)
        .hint("Run 'argrail doctor' to see what this machine can enforce")
}

fn gone(failure: &OnceLock<Error>, of: &str) -> Error {
    failure.get().cloned().unwrap_or_else(|| {
        let message = Text::new("the session of {} is over").value(of);
        Error::new(Code::ExecutionError, message).hint("Open a new session")
    })
}
