//! Grants: what a person said stays as it was said; whether it was taken back and when it was used stands beside it.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Params, Row, Transaction};

use super::super::{Damaged, DamagedKind, StoreError};
use super::fault::Fault;
use super::prune::prune_grants;
use super::{moment, row};
use crate::policy::{Grant, GrantId};

const COLUMNS: &str = "SELECT id, body, revoked, last_used, uses FROM standing";

pub(super) fn add(change: &Transaction<'_>, grant: &Grant) -> Result<(), Fault> {
    if find(change, &grant.id)?.is_some() {
        return Err(Fault::Told(StoreError::Conflict {
            key: grant.id.0.clone(),
        }));
    }
    row::fits(&grant.id.0)?;
    prune_grants(change, grant.created_at)?;
    let uses = i64::try_from(grant.uses).unwrap_or(i64::MAX);
    change.execute(
        "INSERT INTO standing (id, body, created, expires, revoked, last_used, uses)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        (
            &grant.id.0,
            row::to_text(grant)?,
            moment::number(grant.created_at),
            grant.expires_at.map(moment::number),
            grant.revoked_at.map(moment::number),
            grant.last_used_at.map(moment::number),
            uses,
        ),
    )?;
    Ok(())
}

pub(super) fn all(view: &Transaction<'_>) -> Result<Vec<Grant>, Fault> {
    Ok(list(view, "ORDER BY created, id", [])?.0)
}

/// Which grants of a tool hold. By the index `standing_by_tool`: how many are over does not matter.
pub(super) const OF_TOOL: &str = "WHERE tool = ?1 AND ends > ?2 AND revoked IS NULL AND created <= ?2";

pub(super) fn of_tools(view: &Transaction<'_>, tools: &[&str], now: Timestamp) -> Result<Vec<Grant>, Fault> {
    let mut grants = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        if !tools.iter().take(at).any(|before| before == tool) {
            grants.extend(list(view, OF_TOOL, (tool, moment::number(now)))?.0);
        }
    }
    // What is finer than the database's moments decides here.
    grants.retain(|grant| grant.holds(now));
    grants.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
    Ok(grants)
}

/// The grants that cannot be read.
pub(super) fn damaged(view: &Transaction<'_>) -> Result<Vec<Damaged>, Fault> {
    Ok(list(view, "ORDER BY created, id", [])?.1)
}

/// Forgets a grant that cannot be read.
pub(super) fn discard(change: &Transaction<'_>, id: &str) -> Result<bool, Fault> {
    let (_, damaged) = list(change, "WHERE id = ?1", [id])?;
    if damaged.is_empty() {
        return Ok(false);
    }
    change.execute("DELETE FROM standing WHERE id = ?1", [id])?;
    Ok(true)
}

fn list(
    view: &Transaction<'_>,
    rest: &str,
    values: impl Params,
) -> Result<(Vec<Grant>, Vec<Damaged>), Fault> {
    let mut statement = view.prepare(&format!("{COLUMNS} {rest}"))?;
    let mut rows = statement.query(values)?;
    let (mut grants, mut damaged) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        match raw(row).map_err(Fault::from).and_then(Raw::grant) {
            Ok(grant) => grants.push(grant),
            Err(fault) => damaged.push(Damaged {
                id: row::text_of(row, 0),
                kind: DamagedKind::Grant,
                problem: fault.to_string(),
            }),
        }
    }
    Ok((grants, damaged))
}

pub(super) fn revoke(change: &Transaction<'_>, id: &GrantId, now: Timestamp) -> Result<Grant, Fault> {
    change.execute(
        "UPDATE standing SET revoked = ?2 WHERE id = ?1 AND revoked IS NULL",
        (&id.0, moment::number(now)),
    )?;
    find(change, id)?.ok_or_else(|| {
        Fault::Told(StoreError::NotFound {
            what: "grant",
            id: id.0.clone(),
        })
    })
}

pub(super) fn take_use(change: &Transaction<'_>, id: &GrantId, now: Timestamp) -> Result<bool, Fault> {
    let changed = change.execute(
        "UPDATE standing SET uses = uses + 1, last_used = max(coalesce(last_used, ?2), ?2)
            WHERE id = ?1 AND revoked IS NULL AND created <= ?2 AND (expires IS NULL OR ?2 < expires)",
        (&id.0, moment::number(now)),
    )?;
    Ok(changed == 1)
}

fn find(view: &Transaction<'_>, id: &GrantId) -> Result<Option<Grant>, Fault> {
    let found = view
        .query_row(&format!("{COLUMNS} WHERE id = ?1"), [&id.0], raw)
        .optional()?;
    found.map(Raw::grant).transpose()
}

struct Raw {
    id: String,
    body: String,
    revoked: Option<i64>,
    last_used: Option<i64>,
    uses: i64,
}

fn raw(row: &Row<'_>) -> rusqlite::Result<Raw> {
    Ok(Raw {
        id: row.get(0)?,
        body: row.get(1)?,
        revoked: row.get(2)?,
        last_used: row.get(3)?,
        uses: row.get(4)?,
    })
}

impl Raw {
    fn grant(self) -> Result<Grant, Fault> {
        let name = format!("grant {:?}", self.id);
        let said: Grant = row::from_text(&name, &self.body)?;
        if said.id.0 != self.id {
            return Err(Fault::Row(format!("{name}: it says that it is {:?}", said.id.0)));
        }
        Ok(Grant {
            revoked_at: self.revoked.map(moment::read).transpose()?,
            last_used_at: self.last_used.map(moment::read).transpose()?,
            uses: u64::try_from(self.uses)
                .map_err(|_| Fault::Row(format!("{name}: it was used less than never")))?,
            ..said
        })
    }
}
