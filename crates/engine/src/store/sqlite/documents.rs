//! Documents: written only over the state that the writer saw.
//!
//! A revision is never given twice, also not after a document was removed.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, Transaction};
use serde_json::Value;

use super::super::{Document, Kind, Revision, StoreError};
use super::fault::Fault;
use super::{moment, row};

const COLUMNS: &str = "SELECT seq, key, written, body FROM document";

pub(super) fn get(view: &Transaction<'_>, kind: Kind, key: &str) -> Result<Option<Document>, Fault> {
    let found = view
        .query_row(
            &format!("{COLUMNS} WHERE kind = ?1 AND key = ?2"),
            (kind.as_str(), key),
            raw,
        )
        .optional()?;
    found.map(Raw::document).transpose()
}

pub(super) fn all(view: &Transaction<'_>, kind: Kind) -> Result<Vec<Document>, Fault> {
    let mut statement = view.prepare(&format!("{COLUMNS} WHERE kind = ?1 ORDER BY key"))?;
    let mut rows = statement.query([kind.as_str()])?;
    let mut documents = Vec::new();
    while let Some(row) = rows.next()? {
        documents.push(raw(row)?.document()?);
    }
    Ok(documents)
}

pub(super) fn put(
    change: &Transaction<'_>,
    kind: Kind,
    key: &str,
    seen: Option<Revision>,
    body: &Value,
    now: Timestamp,
) -> Result<Revision, Fault> {
    at(change, kind, key, seen)?;
    row::fits(key)?;
    change.execute(
        "INSERT OR REPLACE INTO document (kind, key, written, body) VALUES (?1, ?2, ?3, ?4)",
        (kind.as_str(), key, moment::number(now), row::to_text(body)?),
    )?;
    revision(change.last_insert_rowid())
}

pub(super) fn remove(change: &Transaction<'_>, kind: Kind, key: &str, seen: Revision) -> Result<(), Fault> {
    at(change, kind, key, Some(seen))?;
    change.execute(
        "DELETE FROM document WHERE kind = ?1 AND key = ?2",
        (kind.as_str(), key),
    )?;
    Ok(())
}

/// Refuses when the document is not at `seen` any more.
fn at(change: &Transaction<'_>, kind: Kind, key: &str, seen: Option<Revision>) -> Result<(), Fault> {
    let found: Option<i64> = change
        .query_row(
            "SELECT seq FROM document WHERE kind = ?1 AND key = ?2",
            (kind.as_str(), key),
            |row| row.get(0),
        )
        .optional()?;
    if found.map(revision).transpose()? == seen {
        return Ok(());
    }
    Err(Fault::Told(StoreError::Conflict { key: key.to_owned() }))
}

fn revision(seq: i64) -> Result<Revision, Fault> {
    u64::try_from(seq)
        .map(Revision)
        .map_err(|_| Fault::Row(format!("revision {seq}")))
}

struct Raw {
    seq: i64,
    key: String,
    written: i64,
    body: String,
}

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        seq: row.get(0)?,
        key: row.get(1)?,
        written: row.get(2)?,
        body: row.get(3)?,
    })
}

impl Raw {
    fn document(self) -> Result<Document, Fault> {
        Ok(Document {
            revision: revision(self.seq)?,
            written: moment::read(self.written)?,
            body: row::from_text(&format!("document {:?}", self.key), &self.body)?,
            key: self.key,
        })
    }
}
