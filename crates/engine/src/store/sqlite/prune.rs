//! Forgetting questions that are long over, a few at a time.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::Transaction;

use super::fault::Fault;
use super::moment;

/// How long a question that is over can be looked up.
const KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// How many questions that are over are kept, whatever their age: an agent that asks all day fills no disk.
const MOST: i64 = 1000;

/// How many are forgotten at once, so that nobody waits for it.
const BATCH: i64 = 64;

/// Forgets some of those that are over.
pub(super) fn prune(change: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
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
    Ok(())
}
