//! Values that the cases are made of. Time is what a case says it is.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::super::{Asked, Caps, NewRequest, Request, Ruling, Store, StoreError};
use crate::policy::{ApprovalMeans, Approver};
use crate::policy::{Grant, GrantId, Pattern, WordPatterns};

/// How long the questions of the cases live.
pub(super) const LIFE: i64 = 600;

/// Enough for everybody.
pub(super) const ROOMY: Caps = Caps {
    per_caller: 1000,
    all: 1000,
};

/// Returns the moment so many seconds after a case began.
pub(super) fn at(seconds: i64) -> Timestamp {
    Timestamp::UNIX_EPOCH
        .checked_add(SignedDuration::from_secs(seconds))
        .unwrap_or(Timestamp::MAX)
}

/// Returns a question.
pub(super) fn new(binding: &str, caller: &str) -> NewRequest {
    NewRequest {
        binding: binding.to_owned(),
        caller: caller.to_owned(),
        shown: json!({"argv": ["git", "push", "'; DROP TABLE request; --\0\u{202e}"], "binding": binding}),
        lives: Duration::from_secs(LIFE.unsigned_abs()),
    }
}

/// Asks where there is room.
pub(super) fn ask(store: &dyn Store, binding: &str, now: i64) -> Result<Request, StoreError> {
    let asked = store.ask(&new(binding, "local:agent"), ROOMY, at(now))?;
    match asked {
        Asked::Waits(request) => Ok(request),
        Asked::Full(caps) => Err(StoreError::Conflict {
            key: format!("{binding}: full at {caps:?}"),
        }),
    }
}

/// Returns who answers in the cases.
pub(super) fn person(now: i64) -> Approver {
    Approver {
        who: "alex".to_owned(),
        means: ApprovalMeans::Terminal,
        at: at(now),
        grant: Some(GrantId("g-22222".to_owned())),
    }
}

/// Returns a yes.
pub(super) fn yes(now: i64) -> Ruling {
    Ruling::Approve(person(now))
}

/// Returns a no.
pub(super) fn no(now: i64) -> Ruling {
    Ruling::Deny(person(now), Some("not on a \u{1b}[31mFriday".to_owned()))
}

/// Returns some grant for `git`.
#[cfg(test)]
pub(crate) fn sample_grant() -> Grant {
    grant("g-22222", 0, None)
}

/// Returns a grant from `start` until `end`.
pub(super) fn grant(id: &str, start: i64, end: Option<i64>) -> Grant {
    Grant {
        id: GrantId(id.to_owned()),
        pattern: Pattern {
            tool: "git".to_owned(),
            command: vec!["push".to_owned()],
            options: Vec::new(),
            words: WordPatterns {
                each: vec!["origin".to_owned(), "*".to_owned()],
                more: None,
            },
            hosts: vec!["code.example.com".to_owned()],
            paths: Vec::new(),
            credentials: false,
            dangers: Vec::new(),
        },
        caller: Some("local:agent".to_owned()),
        session: None,
        request: Some("k7m2qd".to_owned()),
        given_by: "alex".to_owned(),
        created_at: at(start),
        expires_at: end.map(at),
        revoked_at: None,
        last_used_at: None,
        uses: 0,
    }
}
