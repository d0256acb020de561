//! Forgetting questions and grants that are long over, a few at a time; and ending those of a clock that was ahead.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Transaction;

use super::super::request::latest_start;
use super::fault::Fault;
use super::moment;

/// How long a question or a grant that is over can be looked up.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many questions, and how many grants, that are over are kept, whatever their age: an agent that asks all day fills no
/// disk.
const MOST: i64 = 1000;

/// How many bytes the store takes before more of them are forgotten: long questions count for many.
const MOST_BYTES: i64 = 64 << 20;

/// How many are forgotten at once, so that nobody waits for it.
const BATCH: i64 = 64;

/// Forgets some of those that are over.
pub(super) fn prune(change: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
    end_what_is_ahead(change, now)?;
    prune_grants(change, now)?;
    let old = moment::number(moment::before(now, KEPT));
    change.execute(
        "DELETE FROM request WHERE seq IN (SELECT seq FROM request WHERE expires < ?1 ORDER BY expires LIMIT ?2)",
        (old, BATCH),
    )?;
    let over = moment::number(now);
    change.execute(
        "DELETE FROM request WHERE seq IN
            (SELECT seq FROM request WHERE expires <= ?1 ORDER BY expires DESC LIMIT ?2 OFFSET ?3)",
        (over, BATCH, MOST),
    )?;
    prune_beyond(change, now, MOST_BYTES)
}

/// Ends what was asked, or given for a time, while the clock was ahead: it would hold again when that time comes. What was
/// given until it is taken back stays.
fn end_what_is_ahead(change: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
    let start = moment::number(latest_start(now));
    change.execute(
        "UPDATE request SET state = 'told', approver = NULL, reason = NULL
            WHERE created > ?1 AND state IN ('pending', 'approved')",
        [start],
    )?;
    change.execute(
        "UPDATE standing SET revoked = ?2 WHERE created > ?1 AND expires IS NOT NULL AND revoked IS NULL",
        (start, moment::number(now)),
    )?;
    Ok(())
}

/// Forgets some of the grants that are over.
pub(super) fn prune_grants(change: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
    let old = moment::number(moment::before(now, KEPT));
    change.execute(
        "DELETE FROM standing WHERE id IN (SELECT id FROM standing WHERE ends < ?1 ORDER BY ends LIMIT ?2)",
        (old, BATCH),
    )?;
    change.execute(
        "DELETE FROM standing WHERE id IN
            (SELECT id FROM standing WHERE ends <= ?1 ORDER BY ends DESC LIMIT ?2 OFFSET ?3)",
        (moment::number(now), BATCH, MOST),
    )?;
    Ok(())
}

/// Forgets some of those that are over if the store takes more than so many bytes.
pub(super) fn prune_beyond(change: &Transaction<'_>, now: Timestamp, most: i64) -> Result<(), Fault> {
    let over = moment::number(now);
    let pragma = |name| change.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let pages = pragma("page_count")? - pragma("freelist_count")?;
    if pages.saturating_mul(pragma("page_size")?) > most {
        change.execute(
            "DELETE FROM request WHERE seq IN (SELECT seq FROM request WHERE expires <= ?1 ORDER BY expires LIMIT ?2)",
            (over, BATCH),
        )?;
    }
    Ok(())
}
