//! Who may answer: a person at a terminal, or whoever holds a token that a person made.

use std::path::Path;

use argrail_acli::{Code, Error};
use argrail_engine::policy::{ApprovalMeans, Approver};
use argrail_engine::store::Store;
use jiff::Timestamp;

use super::person::Person;
use super::{token, user};

/// Somebody who may answer.
#[derive(Debug)]
pub(crate) enum Authority {
    /// A person who can be asked.
    Person(Person),
    /// A program with a token.
    Token,
}

impl Authority {
    /// Returns who answers.
    ///
    /// # Errors
    /// When there is neither a terminal nor a token that counts.
    pub(crate) fn obtain(token_file: Option<&Path>, store: &dyn Store) -> Result<Self, Error> {
        if let Some(path) = token_file {
            token::check(path, store)?;
            return Ok(Self::Token);
        }
        Person::here().map(Self::Person).ok_or_else(nobody)
    }

    /// Returns how the record names them.
    pub(crate) fn approver(&self, now: Timestamp) -> Approver {
        match self {
            Self::Person(_) => at_terminal(now),
            Self::Token => by(ApprovalMeans::Token, now),
        }
    }
}

/// Returns how the record names a person at a terminal.
pub(super) fn at_terminal(now: Timestamp) -> Approver {
    by(ApprovalMeans::Terminal, now)
}

fn by(means: ApprovalMeans, now: Timestamp) -> Approver {
    Approver {
        who: user::name(),
        means,
        at: now,
        grant: None,
    }
}

/// Says that nobody is there to answer.
pub(crate) fn nobody() -> Error {
    Error::new(
        Code::PermissionDenied,
        "only a person decides: standard input is no terminal",
    )
    .hint("Run it at a terminal, or add --token-file FILE (made at a terminal by: argrail approvals --new-token FILE)")
    .detail("reason", "denied_by_policy")
}
