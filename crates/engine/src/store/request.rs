//! A question to a person, from the moment it is asked to the one use of its answer.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::policy::{Approver, RequestId};

/// How far a clock may go back before what was asked or given after `now` is over. Processes of one machine share a clock,
/// and time services move it by seconds: a question from later than that was asked while the clock was ahead, and its
/// answer would hold for as long as that was.
pub(super) const CLOCK_SLACK: Duration = Duration::from_secs(60);

/// Returns the latest moment at which something can have been made that is looked at `now`.
pub(super) fn latest_start(now: Timestamp) -> Timestamp {
    let slack = SignedDuration::try_from(CLOCK_SLACK).unwrap_or_default();
    now.checked_add(slack).unwrap_or(Timestamp::MAX)
}

/// A question that is to be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRequest {
    /// The hash of everything that the answer holds for, in hexadecimal digits.
    pub binding: String,
    /// Who asks.
    pub caller: String,
    /// What a person is shown: words, effects, reasons, sandbox. No secret is in it.
    pub shown: Value,
    /// How long it waits for an answer, and its answer for its use.
    pub lives: Duration,
}

/// The most questions that may wait at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Of one caller.
    pub per_caller: usize,
    /// Of all.
    pub all: usize,
}

/// What became of asking.
#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "one a call, and it is looked at at once"
)]
pub enum Asked {
    /// It waits: a new question, or one that was asked before. Its state tells when somebody answered meanwhile; the
    /// answer is there to be claimed.
    Waits(Request),
    /// Too many wait already.
    Full(Caps),
}

/// A question.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its name.
    pub id: RequestId,
    /// What the answer holds for.
    pub binding: String,
    /// Who asked.
    pub caller: String,
    /// What a person is shown.
    pub shown: Value,
    /// When it was asked first.
    pub created: Timestamp,
    /// When it is over.
    pub expires: Timestamp,
    /// How often it was asked.
    pub times: u64,
    /// What became of it.
    pub state: State,
}

impl Request {
    /// Whether its time is not over at `now`, and has begun.
    pub(super) fn is_in_time(&self, now: Timestamp) -> bool {
        now < self.expires && self.created <= latest_start(now)
    }
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It waits.
    Pending,
    /// A person said yes, and nobody has used that yet.
    Approved(Approver),
    /// A person said yes, and it was used.
    Used(Approver),
    /// A person said no.
    Denied(Approver, Option<String>),
    /// Nobody answered, or nobody used the answer, in time.
    Expired,
}

/// A person's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// Yes, once.
    Approve(Approver),
    /// No, and perhaps why.
    Deny(Approver, Option<String>),
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// It counts.
    Taken(Request),
    /// The question did not wait any more; this is what became of it before.
    TooLate(Request),
}

/// What there is to a binding.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// A yes, which is used up by this: its state is [`State::Used`].
    Approved(Request),
    /// A no, which holds until the question expires.
    Denied(Request),
    /// Nobody answered, or used the answer, in time. It is told once; then there is nothing.
    Expired(Request),
    /// Nobody has answered yet.
    Pending(Request),
    /// Nobody was asked.
    Nothing,
}
