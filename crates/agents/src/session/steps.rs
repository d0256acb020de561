//! Doing what the arm wants done: saying, telling, asking, writing down; and the beginning and the end of a turn.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::Instant;

use super::driver::{Driver, Over};
use super::failing::{Lost, event_of};
use super::flow::Opened;
use super::telling::{Telling, Told};
use crate::arm::{Scope, Step};
use crate::event::EventKind;
use crate::governor::Happening;

/// How long history may trickle in altogether after the agent said that it was all.
const ALL_STRAGGLERS: Duration = Duration::from_secs(1);

impl Driver {
    /// Does what the arm wants done.
    pub(super) fn take(&mut self, steps: Vec<Step>) -> Result<(), Over> {
        for step in steps {
            self.step(step)?;
        }
        Ok(())
    }

    pub(super) fn step(&mut self, step: Step) -> Result<(), Over> {
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
                match failure.scope {
                    Scope::Session => return Err(Lost::of(failure, &self.last_words.text()).into()),
                    // The agent goes on, and what it says elsewhere need not be about this.
                    Scope::Turn => self.turn_over(event_of(&Lost::of(failure, "")))?,
                }
            }
            // Nobody has said goodbye yet.
            Step::Closed => {}
            Step::Note(note) => self.side.note(turn, &note),
        }
        Ok(())
    }

    pub(super) fn say(&mut self, bytes: &[u8]) {
        if self.stdin.is_some() {
            self.flow.to_write.drain(..self.flow.written);
            self.flow.written = 0;
            self.flow.to_write.extend_from_slice(bytes);
        }
    }

    pub(super) fn tell(&mut self, event: EventKind) {
        if let Some(telling) = &mut self.flow.telling {
            telling.tell(event);
        }
    }

    pub(super) fn record(&mut self, what: Happening) -> Result<(), Over> {
        self.governor
            .record(what)
            .map_err(|error| Over::Lost(Lost::new(error)))
    }

    /// Tells the owner that the session is open; one that is gone ends it.
    pub(super) fn open(&mut self, opened: Opened) -> Result<(), Over> {
        self.flow.used = Instant::now();
        match self.opened.take().map(|waiting| waiting.send(Ok(opened))) {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) | None => Err(Over::Dropped),
        }
    }

    pub(super) fn begin_turn(
        &mut self,
        turn: u64,
        text: &str,
        events: mpsc::Sender<Told>,
    ) -> Result<(), Over> {
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
    pub(super) fn turn_over(&mut self, event: EventKind) -> Result<(), Over> {
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
    pub(super) fn end_turn(&mut self, event: EventKind) {
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
