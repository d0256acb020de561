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
use tokio::time::{Instant, sleep_until};

use super::asks::{Asks, Reply};
use super::closed::Closed;
use super::failing::{Lost, event_of, named, with_words};
use super::flow::{Flow, Opened, Order};
use super::last_words::LastWords;
use super::lines::{Line, Lines};
use super::process::Process;
use super::side_channel::SideChannel;
use super::telling::Telling;
use crate::arm::Arm;
use crate::event::EventKind;
use crate::governor::Governor;
use crate::session_options::Limits;
use crate::session_options::{Streaming, Times};

/// How much may wait to be read by the agent before it is not listened to any more.
const UNREAD: usize = 16 << 20;
/// How long history may trickle in after the agent said that it was all.
const STRAGGLERS: Duration = Duration::from_millis(100);
/// How much sooner than allowed a cancelled turn is ended.
const MARGIN: Duration = Duration::from_millis(100);

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
pub(super) enum Over {
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
                flow.cancelled.or(idle)
            }
            (None, Some((_, at_the_latest))) => Some((flow.heard + STRAGGLERS).min(*at_the_latest)),
            (None, None) => Some(match self.opened {
                Some(_) => flow.begun + self.times.handshake,
                None => flow.used + self.times.unused,
            }),
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
                    self.flow.used = Instant::now();
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
        if self.opened.is_none() {
            let message = named(
                "agent {} was asked nothing for {} ms",
                &self.agent,
                self.times.unused,
            );
            return Err(Lost::new(Error::new(Code::Timeout, message).hint("Open a new session")).into());
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
        with_words(code, message, hint, &self.last_words.text())
    }
}
