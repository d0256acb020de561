//! Questions: asked once for each binding, answered once, used once.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Transaction};

use super::super::request::latest_start;
use super::super::{Answer, Asked, Caps, Claim, Damaged, NewRequest, Request, Ruling, State, StoreError};
use super::fault::Fault;
use super::moment;
use super::prune::prune;
use super::row::{self, Kept, Written};
use crate::policy::RequestId;

/// How many names are tried. With a thousand taken, one in a million is.
const ATTEMPTS: usize = 8;

/// The longest that a question lives: what a person left open for a year is no question.
const LONGEST_LIFE: Duration = Duration::from_secs(365 * 24 * 60 * 60);

pub(super) fn ask(
    change: &Transaction<'_>,
    new: &NewRequest,
    caps: Caps,
    now: Timestamp,
) -> Result<Asked, Fault> {
    prune(change, now)?;
    let open = "WHERE binding = ?1 AND caller = ?2 AND state IN ('pending', 'approved', 'denied') AND expires > ?3 \
                AND created <= ?4 ORDER BY seq DESC LIMIT 1";
    let (today, start) = (moment::number(now), moment::number(latest_start(now)));
    let values = (&new.binding, &new.caller, today, start);
    if let Some(found) = row::find(change, open, values, now)? {
        return again(change, found).map(Asked::Waits);
    }
    if is_full(change, &new.caller, caps, now)? {
        return Ok(Asked::Full(caps));
    }
    insert(change, new, now).map(Asked::Waits)
}

pub(super) fn request(
    view: &Transaction<'_>,
    id: &RequestId,
    now: Timestamp,
) -> Result<Option<Request>, Fault> {
    let found = row::find(view, "WHERE id = ?1", [&id.0], now)?;
    Ok(found.map(|kept| kept.request))
}

pub(super) fn pending(view: &Transaction<'_>, now: Timestamp) -> Result<Vec<Request>, Fault> {
    let waiting = "WHERE state = 'pending' AND expires > ?1 AND created <= ?2 ORDER BY seq";
    let times = [moment::number(now), moment::number(latest_start(now))];
    let (found, _) = row::list(view, waiting, times, now)?;
    Ok(found.into_iter().map(|kept| kept.request).collect())
}

/// The questions that cannot be read, whatever is written about them, until their time is over.
pub(super) fn damaged(view: &Transaction<'_>, now: Timestamp) -> Result<Vec<Damaged>, Fault> {
    let (_, damaged) = row::list(
        view,
        "WHERE expires > ?1 ORDER BY seq",
        [moment::number(now)],
        now,
    )?;
    Ok(damaged)
}

/// Forgets a question that cannot be read.
pub(super) fn discard(change: &Transaction<'_>, id: &str, now: Timestamp) -> Result<bool, Fault> {
    let found = damaged(change, now)?.iter().any(|damaged| damaged.id == id);
    if found {
        change.execute("DELETE FROM request WHERE id = ?1", [id])?;
    }
    Ok(found)
}

pub(super) fn answer(
    change: &Transaction<'_>,
    id: &RequestId,
    ruling: &Ruling,
    now: Timestamp,
) -> Result<Answer, Fault> {
    let Some(found) = row::find(change, "WHERE id = ?1", [&id.0], now)? else {
        return Err(Fault::Told(StoreError::NotFound {
            what: "request",
            id: id.0.clone(),
        }));
    };
    match found.request.state {
        State::Pending => {}
        State::Approved(_) | State::Used(_) | State::Denied(..) | State::Expired => {
            return Ok(Answer::TooLate(found.request));
        }
    }
    let (written, state) = match ruling {
        Ruling::Approve(approver) => (Written::Approved, State::Approved(approver.clone())),
        Ruling::Deny(approver, reason) => {
            reason.as_deref().map(row::fits).transpose()?;
            (Written::Denied, State::Denied(approver.clone(), reason.clone()))
        }
    };
    found.becomes(change, written, state).map(Answer::Taken)
}

/// Looks what a claim would tell. Nothing when telling it has to be written down: then it is to be [taken](take).
/// Waiting callers ask often, and need no writers' turn for that.
pub(super) fn look(view: &Transaction<'_>, binding: &str, now: Timestamp) -> Result<Option<Claim>, Fault> {
    let Some(found) = latest(view, binding, now)? else {
        return Ok(Some(Claim::Nothing));
    };
    let lives = found.lives(now);
    Ok(match found.written {
        Written::Pending if lives => Some(Claim::Pending(found.request)),
        Written::Denied if lives => Some(Claim::Denied(found.request)),
        Written::Pending | Written::Approved => None,
        Written::Denied | Written::Used | Written::Told => Some(Claim::Nothing),
    })
}

/// Takes what there is. The writers' turn is ours, so nobody takes it as well.
pub(super) fn take(change: &Transaction<'_>, binding: &str, now: Timestamp) -> Result<Claim, Fault> {
    if let Some(claim) = look(change, binding, now)? {
        return Ok(claim);
    }
    let Some(found) = latest(change, binding, now)? else {
        return Ok(Claim::Nothing);
    };
    match found.request.state.clone() {
        State::Approved(approver) => {
            let used = found.becomes(change, Written::Used, State::Used(approver))?;
            Ok(Claim::Approved(used))
        }
        State::Expired => {
            let told = found.becomes(change, Written::Told, State::Expired)?;
            Ok(Claim::Expired(told))
        }
        State::Pending => Ok(Claim::Pending(found.request)),
        State::Denied(..) => Ok(Claim::Denied(found.request)),
        State::Used(_) => Ok(Claim::Nothing),
    }
}

/// The question that counts for a binding: the last that was asked.
fn latest(view: &Transaction<'_>, binding: &str, now: Timestamp) -> Result<Option<Kept>, Fault> {
    row::find(
        view,
        "WHERE binding = ?1 ORDER BY seq DESC LIMIT 1",
        [binding],
        now,
    )
}

fn again(change: &Transaction<'_>, found: Kept) -> Result<Request, Fault> {
    change.execute("UPDATE request SET times = times + 1 WHERE seq = ?1", [found.seq])?;
    let mut request = found.request;
    request.times = request.times.saturating_add(1);
    Ok(request)
}

fn is_full(change: &Transaction<'_>, caller: &str, caps: Caps, now: Timestamp) -> Result<bool, Fault> {
    let (all, own): (i64, i64) = change.query_row(
        "SELECT count(*), count(*) FILTER (WHERE caller = ?1) FROM request \
            WHERE state = 'pending' AND expires > ?2 AND created <= ?3",
        (caller, moment::number(now), moment::number(latest_start(now))),
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let reached = |count: i64, cap: usize| usize::try_from(count).is_ok_and(|count| count >= cap);
    Ok(reached(all, caps.all) || reached(own, caps.per_caller))
}

fn insert(change: &Transaction<'_>, new: &NewRequest, now: Timestamp) -> Result<Request, Fault> {
    row::fits(&new.binding)?;
    row::fits(&new.caller)?;
    let shown = row::to_text(&new.shown)?;
    let id = free_id(change)?;
    let expires = moment::after(now, new.lives.min(LONGEST_LIFE));
    change.execute(
        "INSERT INTO request (id, binding, caller, shown, created, expires, times, state)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 'pending')",
        (
            &id.0,
            &new.binding,
            &new.caller,
            shown,
            moment::number(now),
            moment::number(expires),
        ),
    )?;
    // Read again rather than repeated: what is told is what was kept.
    request(change, &id, now)?.ok_or_else(|| Fault::Row(format!("request {:?} was not kept", id.0)))
}

fn free_id(change: &Transaction<'_>) -> Result<RequestId, Fault> {
    for _ in 0..ATTEMPTS {
        let id = RequestId::random()?;
        let taken: Option<i64> = change
            .query_row("SELECT 1 FROM request WHERE id = ?1", [&id.0], |row| row.get(0))
            .optional()?;
        if taken.is_none() {
            return Ok(id);
        }
    }
    Err(Fault::Row("every short name is taken".to_owned()))
}
