//! What the screen shows and what it waits for.
//!
//! The question that is looked at stays until a person goes to another: when it is answered elsewhere or expires, that
//! is said in its place, and no key can hit the one that moved up.

use std::time::Duration;

use jiff::Timestamp;

use super::super::asked::Asked;
use super::super::choice::Decision;
use super::input::Input;

/// How long a grant can last by a key.
pub(super) const TIMES: [(&str, Duration); 4] = [
    ("15 minutes", Duration::from_secs(15 * 60)),
    ("1 hour", Duration::from_secs(60 * 60)),
    ("8 hours", Duration::from_secs(8 * 60 * 60)),
    ("24 hours", Duration::from_secs(24 * 60 * 60)),
];

/// Which side the arrows move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// The questions.
    List,
    /// The one that is looked at.
    Details,
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Mode {
    /// Any key.
    Browse,
    /// A key that closes the help.
    Help,
    /// A pattern.
    Scope {
        /// The question.
        asked: Box<Asked>,
        /// The pattern as it is now.
        input: Input,
        /// What is wrong with it.
        problem: Option<String>,
    },
    /// How long a pattern is to hold.
    Time {
        /// The question.
        asked: Box<Asked>,
        /// The pattern.
        scope: String,
    },
    /// Why not.
    Reason {
        /// The question.
        asked: Box<Asked>,
        /// The reason as it is now.
        input: Input,
    },
    /// A yes to what was chosen.
    Confirm(Box<Decision>),
    /// The code that says a yes to something dangerous.
    Code {
        /// What was chosen.
        decision: Box<Decision>,
        /// The code.
        code: String,
        /// What was typed of it.
        input: Input,
    },
}

/// The whole screen.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    /// What waits, the oldest first.
    pub(super) list: Vec<Asked>,
    /// How many wait that cannot be shown.
    pub(super) unreadable: usize,
    /// The question that is looked at, which may be over.
    pub(super) current: Option<Asked>,
    /// Which side the arrows move.
    pub(super) focus: Focus,
    /// How many lines of the question are above the screen.
    pub(super) scroll: usize,
    /// The last line that can be the first of the screen, as it was drawn.
    pub(super) deepest: usize,
    /// How many lines of the question fit, as it was drawn.
    pub(super) page: usize,
    /// What is waited for.
    pub(super) mode: Mode,
    /// What happened last, in our words.
    pub(super) notice: Option<String>,
    /// What time it is.
    pub(super) now: Timestamp,
}

impl State {
    /// An empty screen.
    pub(super) fn new(now: Timestamp) -> Self {
        Self {
            list: Vec::new(),
            unreadable: 0,
            current: None,
            focus: Focus::List,
            scroll: 0,
            deepest: 0,
            page: 1,
            mode: Mode::Browse,
            notice: None,
            now,
        }
    }

    /// Takes in what waits now. Returns whether anything changed that is shown.
    pub(super) fn update(&mut self, waiting: Vec<Asked>, unreadable: usize, now: Timestamp) -> bool {
        let before = self.clone();
        self.now = Timestamp::from_second(now.as_second()).unwrap_or(now);
        self.unreadable = unreadable;
        self.list = waiting;
        match &self.current {
            None => self.current = self.list.first().cloned(),
            // It may have been asked again.
            Some(current) => {
                let newer = self.list.iter().find(|asked| asked.id == current.id);
                if let Some(newer) = newer {
                    self.current = Some(newer.clone());
                }
            }
        }
        *self != before
    }

    /// Where the question that is looked at stands in the list; nothing if it is over.
    pub(super) fn place(&self) -> Option<usize> {
        let current = self.current.as_ref()?;
        self.list.iter().position(|asked| asked.id == current.id)
    }

    /// Goes `by` questions on.
    pub(super) fn go(&mut self, by: isize) {
        let last = self.list.len().saturating_sub(1);
        let next = match self.place() {
            Some(place) => place.saturating_add_signed(by).min(last),
            None => 0,
        };
        self.look_at(next);
    }

    /// Goes to a question of the list.
    pub(super) fn look_at(&mut self, place: usize) {
        let next = self.list.get(place).cloned();
        let same = |next: &Asked| self.current.as_ref().is_some_and(|now| now.id == next.id);
        if !next.as_ref().is_some_and(same) {
            self.scroll = 0;
        }
        self.current = next;
    }
}
