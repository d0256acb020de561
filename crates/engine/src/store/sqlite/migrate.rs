//! The tables, step by step: a file of any earlier version becomes the latest, in one transaction.
//!
//! A step that was ever released stays as it is; what changes is one more step at the end.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::fault::Fault;

/// Says whose file it is: `argr`.
pub(super) const APPLICATION: i32 = 0x6172_6772;

/// One step from a version to the next.
type Step = fn(&Transaction<'_>) -> rusqlite::Result<()>;

const STEPS: &[Step] = &[first, second];

/// What kind of file was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A store as this program makes it.
    Current,
    /// Nothing yet, or a store of an earlier version.
    Earlier,
    /// A store of a later version.
    Later(i64),
    /// A database of another program.
    Foreign,
}

/// The version that this program makes.
pub(super) fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// Looks what the file is. Changes nothing.
pub(super) fn look(connection: &Connection) -> Result<Found, Fault> {
    // In one transaction: another process may be making it, and half of what it made is a database of nobody.
    let view = connection.unchecked_transaction()?;
    let number = |name: &str| view.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    if application == i64::from(APPLICATION) {
        return Ok(match version {
            version if version == known() => Found::Current,
            version if version > known() => Found::Later(version),
            _ => Found::Earlier,
        });
    }
    let things: i64 = view.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let empty = (application, version, things) == (0, 0, 0);
    Ok(if empty { Found::Earlier } else { Found::Foreign })
}

/// Takes the steps that are missing.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), Fault> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: i64 = change.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let done = usize::try_from(version).map_err(|_| Fault::Row(format!("version {version}")))?;
    for step in STEPS.iter().skip(done) {
        step(&change)?;
    }
    change.pragma_update(None, "application_id", APPLICATION)?;
    change.pragma_update(None, "user_version", known())?;
    change.commit()?;
    Ok(())
}

/// Makes a store as an earlier version did.
#[cfg(test)]
pub(super) fn make_version(connection: &mut Connection, version: usize) -> Result<(), Fault> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in STEPS.iter().take(version) {
        step(&change)?;
    }
    change.pragma_update(None, "application_id", APPLICATION)?;
    change.pragma_update(None, "user_version", i64::try_from(version).unwrap_or(i64::MAX))?;
    change.commit()?;
    Ok(())
}

/// Makes grants found by tool and end, and questions by their beginning.
///
/// What a grant says stays in `body` alone: the columns are computed from it, so a process of the earlier version that
/// still runs goes on writing rows that fit. A body that is no JSON has no tool, and is found for none.
fn second(change: &Transaction<'_>) -> rusqlite::Result<()> {
    change.execute_batch(
        "ALTER TABLE standing ADD COLUMN tool TEXT GENERATED ALWAYS AS
            (CASE WHEN json_valid(body) THEN json_extract(body, '$.pattern.tool') END) VIRTUAL;
        ALTER TABLE standing ADD COLUMN ends INTEGER GENERATED ALWAYS AS
            (min(coalesce(expires, 9223372036854775807), coalesce(revoked, 9223372036854775807))) VIRTUAL;
        CREATE INDEX standing_by_tool ON standing (tool, ends);
        CREATE INDEX standing_by_end ON standing (ends);
        CREATE INDEX standing_by_start ON standing (created);
        CREATE INDEX request_by_start ON request (created);",
    )
}

/// Questions, grants, documents and ends of chains.
///
/// `seq` only ever grows: the latest question of a binding is the one that counts, whatever clocks did, and a
/// document that was removed and made again has another revision.
fn first(change: &Transaction<'_>) -> rusqlite::Result<()> {
    change.execute_batch(
        "CREATE TABLE request (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            binding TEXT NOT NULL,
            caller TEXT NOT NULL,
            shown TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            times INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'used', 'denied', 'told')),
            approver TEXT,
            reason TEXT
        ) STRICT;
        CREATE INDEX request_by_binding ON request (binding, seq);
        CREATE INDEX request_that_waits ON request (caller, expires) WHERE state = 'pending';
        CREATE INDEX request_by_end ON request (expires);
        CREATE TABLE standing (
            id TEXT PRIMARY KEY NOT NULL,
            body TEXT NOT NULL,
            created INTEGER NOT NULL,
            expires INTEGER,
            revoked INTEGER,
            last_used INTEGER,
            uses INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE document (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            written INTEGER NOT NULL,
            body TEXT NOT NULL,
            UNIQUE (kind, key)
        ) STRICT;
        CREATE TABLE head (
            chain TEXT PRIMARY KEY NOT NULL,
            seq INTEGER NOT NULL,
            hash TEXT NOT NULL
        ) STRICT;",
    )
}
