//! A question as a row of its table, and back.
//!
//! A row that this program would not have written is reported with its name, never guessed at.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Params, Row, Transaction};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::request::latest_start;
use super::super::{Damaged, DamagedKind, Request, State, StoreError};
use super::fault::Fault;
use super::moment;
use crate::policy::{Approver, RequestId};

/// The longest text that one row may hold, in bytes.
pub(super) const LONGEST: usize = 1024 * 1024;

/// What was written about a question. What it is now also depends on the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    /// It waits.
    Pending,
    /// Yes, and unused.
    Approved,
    /// Yes, and used.
    Used,
    /// No.
    Denied,
    /// It expired, and its caller was told.
    Told,
}

impl Written {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Used => "used",
            Self::Denied => "denied",
            Self::Told => "told",
        }
    }

    fn read(word: &str) -> Option<Self> {
        [
            Self::Pending,
            Self::Approved,
            Self::Used,
            Self::Denied,
            Self::Told,
        ]
        .into_iter()
        .find(|written| written.as_str() == word)
    }
}

/// A question as it was found.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) seq: i64,
    pub(super) written: Written,
    pub(super) request: Request,
}

impl Kept {
    /// Whether its time is not over at `now`, and has begun.
    pub(super) fn lives(&self, now: Timestamp) -> bool {
        self.request.is_in_time(now)
    }

    /// Writes what became of it, and returns it as it is then.
    pub(super) fn becomes(
        mut self,
        change: &Transaction<'_>,
        written: Written,
        state: State,
    ) -> Result<Request, Fault> {
        let (approver, reason) = match &state {
            State::Approved(approver) | State::Used(approver) => (Some(approver), None),
            State::Denied(approver, reason) => (Some(approver), reason.as_deref()),
            State::Pending | State::Expired => (None, None),
        };
        let approver = approver.map(to_text).transpose()?;
        let changed = change.execute(
            "UPDATE request SET state = ?3, approver = ?4, reason = ?5 WHERE seq = ?1 AND state = ?2",
            (
                self.seq,
                self.written.as_str(),
                written.as_str(),
                approver,
                reason,
            ),
        )?;
        if changed != 1 {
            return Err(Fault::Row(format!(
                "request {:?} changed by itself",
                self.request.id.0
            )));
        }
        self.request.state = state;
        Ok(self.request)
    }
}

/// Finds the first question that `rest` picks.
pub(super) fn find(
    view: &Transaction<'_>,
    rest: &str,
    values: impl Params,
    now: Timestamp,
) -> Result<Option<Kept>, Fault> {
    let found = view.query_row(&query(rest), values, raw).optional()?;
    found.map(|raw| raw.kept(now)).transpose()
}

/// Finds all questions that `rest` picks, and apart from them those that cannot be read.
pub(super) fn list(
    view: &Transaction<'_>,
    rest: &str,
    values: impl Params,
    now: Timestamp,
) -> Result<(Vec<Kept>, Vec<Damaged>), Fault> {
    let mut statement = view.prepare(&query(rest))?;
    let mut rows = statement.query(values)?;
    let (mut found, mut damaged) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        match raw(row).map_err(Fault::from).and_then(|raw| raw.kept(now)) {
            Ok(kept) => found.push(kept),
            Err(fault) => damaged.push(Damaged {
                id: text_of(row, 1),
                kind: DamagedKind::Question,
                problem: fault.to_string(),
            }),
        }
    }
    Ok((found, damaged))
}

/// The text of a column, as far as it is one.
pub(super) fn text_of(row: &Row<'_>, column: usize) -> String {
    let bytes = row.get_ref(column).ok().and_then(|value| value.as_bytes().ok());
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn is_in_time(created: i64, expires: i64, now: Timestamp) -> bool {
    moment::number(now) < expires && created <= moment::number(latest_start(now))
}

fn query(rest: &str) -> String {
    format!(
        "SELECT seq, id, binding, caller, shown, created, expires, times, state, approver, reason FROM request {rest}"
    )
}

/// A row with the types of its columns, and nothing else known about it.
struct Raw {
    seq: i64,
    id: String,
    binding: String,
    caller: String,
    shown: String,
    created: i64,
    expires: i64,
    times: i64,
    state: String,
    approver: Option<String>,
    reason: Option<String>,
}

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        seq: row.get(0)?,
        id: row.get(1)?,
        binding: row.get(2)?,
        caller: row.get(3)?,
        shown: row.get(4)?,
        created: row.get(5)?,
        expires: row.get(6)?,
        times: row.get(7)?,
        state: row.get(8)?,
        approver: row.get(9)?,
        reason: row.get(10)?,
    })
}

impl Raw {
    fn kept(self, now: Timestamp) -> Result<Kept, Fault> {
        let name = format!("request {:?}", self.id);
        let bad = |what: &str| Fault::Row(format!("{name}: {what}"));
        let written = Written::read(&self.state).ok_or_else(|| bad("its state is unknown"))?;
        let approver: Option<Approver> = self.approver.map(|text| from_text(&name, &text)).transpose()?;
        let over = !is_in_time(self.created, self.expires, now);
        let state = match (written, approver) {
            (Written::Pending, None) if over => State::Expired,
            (Written::Pending, None) => State::Pending,
            (Written::Told, None) => State::Expired,
            (Written::Approved, Some(_)) if over => State::Expired,
            (Written::Approved, Some(approver)) => State::Approved(approver),
            (Written::Used, Some(approver)) => State::Used(approver),
            (Written::Denied, Some(approver)) => State::Denied(approver, self.reason),
            (Written::Pending | Written::Told, Some(_)) => return Err(bad("somebody answered what waits")),
            (Written::Approved | Written::Used | Written::Denied, None) => {
                return Err(bad("nobody answered it"));
            }
        };
        Ok(Kept {
            seq: self.seq,
            written,
            request: Request {
                shown: from_text(&name, &self.shown)?,
                created: moment::read(self.created)?,
                expires: moment::read(self.expires)?,
                times: u64::try_from(self.times).map_err(|_| bad("it was asked less than never"))?,
                id: RequestId(self.id),
                binding: self.binding,
                caller: self.caller,
                state,
            },
        })
    }
}

/// Reads JSON of a row.
pub(super) fn from_text<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| Fault::Row(format!("{name}: {error}")))
}

/// Writes JSON for a row.
pub(super) fn to_text(value: &impl Serialize) -> Result<String, Fault> {
    let text = serde_json::to_string(value).map_err(|error| Fault::Row(error.to_string()))?;
    fits(&text)?;
    // JSON is read to a certain depth and written to any: what could not be read again would spoil the store.
    serde_json::from_str::<Value>(&text).map_err(|_| StoreError::TooDeep)?;
    Ok(text)
}

/// Refuses what is too long for a row.
pub(super) fn fits(text: &str) -> Result<(), StoreError> {
    if text.len() > LONGEST {
        return Err(StoreError::TooLong {
            bytes: text.len(),
            longest: LONGEST,
        });
    }
    Ok(())
}
