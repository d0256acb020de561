//! The turn that runs, as its listener hears it: what was told, what waits to be told, and the end.

use std::collections::VecDeque;

use jiff::Timestamp;
use tokio::sync::mpsc;

use crate::event::EventKind;
use crate::session_options::Streaming;

/// How many events wait in the channel, at most. Each may be as long as a message.
pub(super) const WAITING: usize = 4;
/// How much text is collected for one piece. More than that comes in several.
const WHOLE: usize = 8 << 20;

/// An event, before it has its number.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) kind: EventKind,
    pub(super) ts: Timestamp,
}

/// Whether a turn goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Going {
    On,
    Ended,
}

/// What is told of one turn.
#[derive(Debug)]
pub(super) struct Telling {
    pub(super) turn: u64,
    events: mpsc::Sender<Told>,
    outbox: VecDeque<Told>,
    streaming: Streaming,
    /// Text that is told at the end.
    whole: String,
    going: Going,
}

impl Telling {
    pub(super) fn new(turn: u64, events: mpsc::Sender<Told>, streaming: Streaming) -> Self {
        Self {
            turn,
            events,
            outbox: VecDeque::new(),
            streaming,
            whole: String::new(),
            going: Going::On,
        }
    }

    /// Tells something. After the end there is nothing to tell.
    pub(super) fn tell(&mut self, kind: EventKind) {
        if self.going == Going::Ended {
            return;
        }
        match (kind, self.streaming) {
            (EventKind::TextDelta { text }, Streaming::Whole) => {
                self.whole.push_str(&text);
                if self.whole.len() > WHOLE {
                    self.tell_text();
                }
            }
            (kind, _) if kind.is_last() => {
                self.tell_text();
                self.going = Going::Ended;
                self.put(kind);
            }
            (kind, _) => self.put(kind),
        }
    }

    fn tell_text(&mut self) {
        let text = std::mem::take(&mut self.whole);
        if !text.is_empty() {
            self.put(EventKind::TextDelta { text });
        }
    }

    fn put(&mut self, kind: EventKind) {
        self.outbox.push_back(Told {
            kind,
            ts: Timestamp::now(),
        });
    }

    /// Whether everything was handed over.
    pub(super) fn is_empty(&self) -> bool {
        self.outbox.is_empty()
    }

    /// Whether the end was told, though it may wait to be heard.
    pub(super) fn has_ended(&self) -> bool {
        self.going == Going::Ended
    }

    /// Hands over what waits, as fast as it is heard; says whether somebody listens.
    pub(super) async fn hand_over(&mut self) -> bool {
        while !self.outbox.is_empty() {
            let Ok(place) = self.events.reserve().await else {
                return false;
            };
            if let Some(told) = self.outbox.pop_front() {
                place.send(told);
            }
        }
        true
    }

    /// Waits until nobody listens any more.
    pub(super) async fn unheard(&self) {
        self.events.closed().await;
    }
}
