//! The task that drives one session: one loop over everything that can happen, until the agent has ended.
//!
//! Nothing grows with what the agent says: while its words wait to be heard, or our answers to be read, it is not
//! listened to. Whatever ends a turn ends it once, and whatever ends the session ends the agent with it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout};

use super::asks::{Asks, Reply};
use super::closed::Closed;
use super::failing::{Lost, ended, event_of, named};
use super::last_words::LastWords;
use super::limits::Limits;
use super::lines::{Line, Lines};
use super::opening::{Streaming, Times};
use super::process::Process;
use super::side_channel::SideChannel;
use super::telling::{Telling, Told};
use crate::arm::{Arm, Scope, Step};
use crate::event::EventKind;
use crate::governor::{Governor, Happening};

/// How much may wait to be read by the agent before it is not listened to any more.
const UNREAD: usize = 16 << 20;
/// How long history may trickle in after the agent said that it was all.
const STRAGGLERS: Duration = Duration::from_millis(100);
/// How long that is waited for altogether.
const ALL_STRAGGLERS: Duration = Duration::from_secs(1);
/// How long an agent whose output has ended may take to end, so that its exit is known.
const LAST_BREATH: Duration = Duration::from_secs(1);
/// How long the goodbye may take.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long an agent may take to end by itself when its input has ended.
const LEAVING: Duration = Duration::from_millis(200);
/// How much sooner than allowed a cancelled turn is ended.
const MARGIN: Duration = Duration::from_millis(100);

/// What the owner of a session wants.
pub(super) enum Order {
    /// A turn.
    Prompt {
        turn: u64,
        text: String,
        events: mpsc::Sender<Told>,
    },
    /// The end.
    Close,
}

/// What is known once a session is open.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) not_offered: Vec<String>,
}

/// What the driver is made of.
pub(super) struct Driver {
    pub(super) agent: String,
    pub(super) arm: Box<dyn Arm>,
    pub(super) governor: Arc<dyn Governor>,
    pub(super) asks: Asks,
    pub(super) process: Process,
    pub(super) stdin: Option<Sender>,
    pub(super) lines: Lines<Receiver>,
    pub(super) stderr: JoinHandle<()>,
    pub(super) last_words: LastWords,
    pub(super) side: SideChannel,
    pub(super) orders: mpsc::Receiver<Order>,
    pub(super) cancels: watch::Receiver<u64>,
    pub(super) opened: Option<oneshot::Sender<Result<Opened, Error>>>,
    pub(super) failure: Arc<OnceLock<Error>>,
    pub(super) streaming: Streaming,
    pub(super) times: Times,
    pub(super) limits: Limits,
    /// Whether history may come.
    pub(super) resumes: bool,
    pub(super) flow: Flow,
}

/// What changes as a session goes on.
pub(super) struct Flow {
    /// When it was begun.
    begun: Instant,
    /// When something was heard last, or the agent was last kept waiting.
    heard: Instant,
    /// Until when the cancelled turn has to be over.
    cancelled: Option<Instant>,
    /// The session is open, and its owner hears of it when history has come to its end.
    ready: Option<(Opened, Instant)>,
    telling: Option<Telling>,
    turn: u64,
    to_write: Vec<u8>,
    written: usize,
    bytes: usize,
    messages: usize,
}

impl Flow {
    pub(super) fn new() -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            heard: now,
            cancelled: None,
            ready: None,
            telling: None,
            turn: 0,
            to_write: Vec::new(),
            written: 0,
            bytes: 0,
            messages: 0,
        }
    }

    fn unread(&self) -> usize {
        self.to_write.len() - self.written
    }

    /// Whether something waits to be heard by the owner.
    fn is_unheard(&self) -> bool {
        self.telling.as_ref().is_some_and(|telling| !telling.is_empty())
    }
}

/// What happened.
enum Happened {
    Order(Option<Order>),
    Cancel,
    Due,
    Written(std::io::Result<usize>),
    Heard { listening: bool },
    Reply(Option<Reply>),
    Line(std::io::Result<Line>),
}

/// Why a session is over.
enum Over {
    /// Its owner closed it.
    Closed,
    /// Its owner let go of it.
    Dropped,
    /// It failed.
    Lost(Lost),
    /// The agent did not end a cancelled turn.
    Unmoved,
}

impl From<Lost> for Over {
    fn from(lost: Lost) -> Self {
        Self::Lost(lost)
    }
}

impl Driver {
    /// Drives the session to its end.
    pub(super) async fn run(mut self) -> Closed {
        let steps = self.arm.open();
        let over = match self.take(steps) {
            Ok(()) => self.converse().await,
            Err(over) => over,
        };
        let failure = match over {
            Over::Closed => {
                self.farewell().await;
                None
            }
            Over::Dropped => Some(self.left()),
            Over::Unmoved => {
                self.end_turn(EventKind::TurnEnd {
                    reason: "cancelled".to_owned(),
                    usage: None,
                });
                Some(self.unmoved())
            }
            Over::Lost(lost) => {
                self.end_turn(event_of(&lost));
                Some(lost.error)
            }
        };
        self.finish(failure).await
    }

    async fn converse(&mut self) -> Over {
        loop {
            let happened = self.wait().await;
            if let Err(over) = self.handle(happened).await {
                return over;
            }
        }
    }

    /// Waits for the next thing. What comes first in the list is not kept waiting by what comes after.
    async fn wait(&mut self) -> Happened {
        let due = self.due();
        let has_room = self.flow.unread() < UNREAD;
        let is_unheard = self.flow.is_unheard();
        let Self {
            orders,
            cancels,
            stdin,
            asks,
            lines,
            flow,
            ..
        } = self;
        let rest = flow.to_write.get(flow.written..).unwrap_or_default();
        let write = async {
            match (stdin, rest.is_empty()) {
                (Some(stdin), false) => stdin.write(rest).await,
                (Some(_) | None, _) => std::future::pending().await,
            }
        };
        let telling = &mut flow.telling;
        let hear = async {
            match telling {
                Some(telling) if is_unheard => telling.hand_over().await,
                Some(telling) => {
                    telling.unheard().await;
                    false
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            order = orders.recv() => Happened::Order(order),
            Ok(()) = cancels.changed() => Happened::Cancel,
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => Happened::Due,
            listening = hear => Happened::Heard { listening },
            written = write => Happened::Written(written),
            reply = asks.next(), if has_room && !asks.is_empty() => Happened::Reply(reply),
            line = lines.next(), if has_room && !is_unheard => Happened::Line(line),
        }
    }

    /// When the next clock runs out.
    fn due(&self) -> Option<Instant> {
        let flow = &self.flow;
        match (&flow.telling, &flow.ready) {
            (Some(telling), _) if telling.has_ended() => None,
            (Some(_), _) => {
                let waits_for_us = !self.asks.is_empty() || flow.is_unheard();
                let idle = (!waits_for_us).then(|| flow.heard + self.times.idle);
                flow.cancelled.into_iter().chain(idle).min()
            }
            (None, Some((_, at_the_latest))) => Some((flow.heard + STRAGGLERS).min(*at_the_latest)),
            (None, None) => self.opened.as_ref().map(|_| flow.begun + self.times.handshake),
        }
    }

    async fn handle(&mut self, happened: Happened) -> Result<(), Over> {
        match happened {
            Happened::Order(None) => Err(Over::Dropped),
            Happened::Order(Some(Order::Close)) => Err(Over::Closed),
            Happened::Order(Some(Order::Prompt { turn, text, events })) => {
                self.begin_turn(turn, &text, events)
            }
            Happened::Cancel => self.cancel(),
            Happened::Due => self.out_of_time(),
            Happened::Written(written) => {
                match written {
                    Ok(count) => self.flow.written += count,
                    // One that does not listen any more may still speak; its end is heard.
                    Err(_) => self.stdin = None,
                }
                if self.flow.unread() == 0 || self.stdin.is_none() {
                    (self.flow.to_write, self.flow.written) = (Vec::new(), 0);
                }
                Ok(())
            }
            Happened::Heard { listening: false } => Err(Over::Dropped),
            Happened::Heard { listening: true } => {
                self.flow.heard = Instant::now();
                if self.flow.telling.as_ref().is_some_and(Telling::has_ended) {
                    self.flow.telling = None;
                }
                Ok(())
            }
            Happened::Reply(None) => Ok(()),
            Happened::Reply(Some(reply)) => {
                self.flow.heard = Instant::now();
                let (ask, answer) = self.asks.take(reply);
                let steps = self.arm.answered(ask, answer);
                self.take(steps)
            }
            Happened::Line(line) => self.hear(line).await,
        }
    }

    async fn hear(&mut self, line: std::io::Result<Line>) -> Result<(), Over> {
        let line = match line {
            Ok(Line::Text(line)) => line,
            Ok(Line::TooLong) => return Err(self.too_much("a message is too long").into()),
            Ok(Line::End) | Err(_) => return Err(self.gone().await.into()),
        };
        self.flow.heard = Instant::now();
        self.flow.messages += 1;
        self.flow.bytes = self.flow.bytes.saturating_add(line.len());
        if self.flow.messages > self.limits.turn_messages || self.flow.bytes > self.limits.turn_bytes {
            return Err(self.too_much("a turn has too many messages").into());
        }
        let text = self.lines.text(line);
        if text.trim_ascii().is_empty() {
            return Ok(());
        }
        let steps = self.arm.hear(text);
        self.take(steps)
    }

    /// Does what the arm wants done.
    fn take(&mut self, steps: Vec<Step>) -> Result<(), Over> {
        for step in steps {
            self.step(step)?;
        }
        Ok(())
    }

    fn step(&mut self, step: Step) -> Result<(), Over> {
        let turn = self.flow.turn;
        match step {
            Step::Say(bytes) => self.say(&bytes),
            Step::Ready {
                agent,
                session,
                not_offered,
            } => {
                self.record(Happening::Ready { agent, session })?;
                let opened = Opened { not_offered };
                (self.flow.bytes, self.flow.messages) = (0, 0);
                match self.resumes {
                    true => self.flow.ready = Some((opened, Instant::now() + ALL_STRAGGLERS)),
                    false => self.open(opened)?,
                }
            }
            Step::Text(text) => self.tell(EventKind::TextDelta { text }),
            Step::Thought(text) => self.tell(EventKind::Thought { text }),
            Step::Used(tool) => {
                let event = EventKind::ToolCall {
                    id: tool.id.clone(),
                    name: tool.name.clone(),
                    kind: tool.kind.map(|kind| kind.as_str().to_owned()),
                    input: tool.input.clone(),
                };
                self.record(Happening::Observed { turn, tool })?;
                self.tell(event);
            }
            Step::UsedUp { id, output, is_error } => {
                self.record(Happening::ObservedEnd {
                    turn,
                    id: id.clone(),
                    is_error,
                })?;
                self.tell(EventKind::ToolResult { id, output, is_error });
            }
            Step::Prompt(prompted) => self.tell(EventKind::AgentPrompt(prompted)),
            Step::Ask(id, ask) => {
                if let Some(answer) = self.asks.ask(id, ask) {
                    let steps = self.arm.answered(id, answer);
                    self.take(steps)?;
                }
            }
            Step::Withdraw => self.asks.withdraw(),
            Step::TurnEnd(event) => self.turn_over(event)?,
            Step::Failed(failure) => {
                let scope = failure.scope;
                let lost = Lost::of(failure, &self.last_words.text());
                match scope {
                    Scope::Session => return Err(lost.into()),
                    Scope::Turn => self.turn_over(event_of(&lost))?,
                }
            }
            // Nobody has said goodbye yet.
            Step::Closed => {}
            Step::Note(note) => self.side.note(turn, &note),
        }
        Ok(())
    }

    fn say(&mut self, bytes: &[u8]) {
        if self.stdin.is_some() {
            self.flow.to_write.drain(..self.flow.written);
            self.flow.written = 0;
            self.flow.to_write.extend_from_slice(bytes);
        }
    }

    fn tell(&mut self, event: EventKind) {
        if let Some(telling) = &mut self.flow.telling {
            telling.tell(event);
        }
    }

    fn record(&mut self, what: Happening) -> Result<(), Over> {
        self.governor
            .record(what)
            .map_err(|error| Over::Lost(Lost::new(error)))
    }

    /// Tells the owner that the session is open; one that is gone ends it.
    fn open(&mut self, opened: Opened) -> Result<(), Over> {
        match self.opened.take().map(|waiting| waiting.send(Ok(opened))) {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) | None => Err(Over::Dropped),
        }
    }

    fn begin_turn(&mut self, turn: u64, text: &str, events: mpsc::Sender<Told>) -> Result<(), Over> {
        let flow = &mut self.flow;
        flow.telling = Some(Telling::new(turn, events, self.streaming));
        (flow.turn, flow.bytes, flow.messages) = (turn, 0, 0);
        (flow.heard, flow.cancelled) = (Instant::now(), None);
        self.record(Happening::TurnBegun {
            turn,
            bytes: text.len(),
        })?;
        let steps = self.arm.prompt(text);
        self.take(steps)
    }

    /// A turn came to its end, and the session goes on.
    fn turn_over(&mut self, event: EventKind) -> Result<(), Over> {
        let turn = self.flow.turn;
        if self.flow.telling.as_ref().is_none_or(Telling::has_ended) {
            return Ok(());
        }
        let outcome = outcome(&event);
        self.record(Happening::TurnEnded { turn, outcome })?;
        self.flow.cancelled = None;
        self.tell(event);
        Ok(())
    }

    /// Ends the turn that runs, or the opening, together with the session. The record may be what failed.
    fn end_turn(&mut self, event: EventKind) {
        if self
            .flow
            .telling
            .as_ref()
            .is_some_and(|telling| !telling.has_ended())
        {
            let (turn, outcome) = (self.flow.turn, outcome(&event));
            let _ = self.governor.record(Happening::TurnEnded { turn, outcome });
            self.tell(event);
        }
    }

    fn cancel(&mut self) -> Result<(), Over> {
        let wanted = *self.cancels.borrow_and_update();
        let runs = self
            .flow
            .telling
            .as_ref()
            .is_some_and(|telling| telling.turn == wanted && !telling.has_ended());
        if !runs || self.flow.cancelled.is_some() {
            return Ok(());
        }
        let patience = self
            .times
            .cancel
            .saturating_sub(MARGIN)
            .max(self.times.cancel / 2);
        self.flow.cancelled = Some(Instant::now() + patience);
        self.asks.kill_commands();
        let steps = self.arm.cancel();
        self.take(steps)
    }

    fn out_of_time(&mut self) -> Result<(), Over> {
        let now = Instant::now();
        if self.flow.cancelled.is_some_and(|until| until <= now) {
            return Err(Over::Unmoved);
        }
        if self.flow.telling.is_some() {
            let message = named(
                "agent {} has said nothing for {} ms",
                &self.agent,
                self.times.idle,
            );
            let hint = "Send the prompt again in a new session, or raise turn_idle_timeout_ms";
            return Err(self.late(message, hint).into());
        }
        if let Some((opened, _)) = self.flow.ready.take() {
            return self.open(opened);
        }
        let message = named(
            "agent {} has not opened a session within {} ms",
            &self.agent,
            self.times.handshake,
        );
        Err(self
            .late(message, "Run it by hand to see what it waits for")
            .into())
    }

    fn late(&self, message: Text, hint: &'static str) -> Lost {
        Lost::new(self.with_words(Code::Timeout, message, hint)).retryable()
    }

    fn too_much(&self, what: &'static str) -> Lost {
        let message = Text::new("agent {} says more than is listened to: {}")
            .value(&self.agent)
            .word(what);
        Lost::new(self.with_words(Code::ExecutionError, message, "Check what the agent does"))
    }

    fn with_words(&self, code: Code, message: Text, hint: &'static str) -> Error {
        super::failing::with_words(code, message, hint, &self.last_words.text())
    }

    /// The agent has closed its output: it ends, or is ended.
    async fn gone(&mut self) -> Lost {
        if timeout(LAST_BREATH, self.process.ended()).await.is_err() {
            self.process.end();
        }
        if self.process.has_ended() {
            // What it said last stands in the pipe at most.
            let _ = timeout(LAST_BREATH, &mut self.stderr).await;
        }
        Lost::new(ended(&self.agent, self.process.report(), &self.last_words.text())).retryable()
    }

    fn left(&self) -> Error {
        let message =
            Text::new("the session with agent {} was left before the end of a turn").value(&self.agent);
        Error::new(Code::ExecutionError, message).hint("Open a new session")
    }

    fn unmoved(&self) -> Error {
        let message =
            Text::new("agent {} did not end a turn that was cancelled, and was ended").value(&self.agent);
        Error::new(Code::ExecutionError, message).hint("Open a new session")
    }

    /// Says goodbye and lets the agent end by itself, if it does so soon.
    async fn farewell(&mut self) {
        let until = Instant::now() + FAREWELL;
        let mut steps = self.arm.close();
        while !steps.contains(&Step::Closed) {
            for step in std::mem::take(&mut steps) {
                if let Step::Say(bytes) = step {
                    self.say(&bytes);
                }
            }
            let rest = self
                .flow
                .to_write
                .split_off(self.flow.written.min(self.flow.to_write.len()));
            let Self { stdin, lines, .. } = self;
            let goodbye = async {
                if let Some(stdin) = stdin {
                    stdin.write_all(&rest).await?;
                }
                lines.next().await
            };
            (self.flow.to_write, self.flow.written) = (Vec::new(), 0);
            match tokio::time::timeout_at(until, goodbye).await {
                Ok(Ok(Line::Text(line))) => steps = self.arm.hear(self.lines.text(line)),
                Ok(Ok(Line::TooLong | Line::End) | Err(_)) | Err(_) => break,
            }
        }
        self.stdin = None;
        let leaving = async {
            // It may have something to say before it goes.
            while let Ok(Line::Text(_)) = self.lines.next().await {}
            self.process.ended().await;
        };
        let _ = timeout(LEAVING, leaving).await;
    }

    /// Ends the agent, tells what is left to be told, and waits until nothing of the agent is left.
    async fn finish(mut self, failure: Option<Error>) -> Closed {
        if let Some(error) = &failure {
            let _ = self.failure.set(error.clone());
        }
        if !self.process.has_ended() {
            self.process.end();
        }
        self.stdin = None;
        self.asks.withdraw();
        self.asks.kill_commands();
        if let (Some(opened), Some(error)) = (self.opened.take(), &failure) {
            let _ = opened.send(Err(error.clone()));
        }
        if let Some(telling) = &mut self.flow.telling {
            telling.hand_over().await;
        }
        self.flow.telling = None;
        self.process.ended().await;
        let how = self.process.report().map(|report| report.ended);
        let recorded = self.governor.record(Happening::Ended {
            code: how.and_then(argrail_sandbox::Ended::code),
            signal: how.and_then(argrail_sandbox::Ended::signal),
        });
        Closed {
            report: self.process.into_report(),
            failure: failure.or(recorded.err()),
        }
    }
}

fn outcome(event: &EventKind) -> String {
    match event {
        EventKind::TurnEnd { reason, .. } => reason.clone(),
        EventKind::Error { code, .. } => code.clone(),
        EventKind::TextDelta { .. }
        | EventKind::Thought { .. }
        | EventKind::ToolCall { .. }
        | EventKind::ToolResult { .. }
        | EventKind::AgentPrompt(_) => String::new(),
    }
}
