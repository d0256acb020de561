//! Ends of chains: they only ever move forward.

use rusqlite::{OptionalExtension, Transaction};

use super::super::Head;
use super::fault::Fault;
use super::row;

pub(super) fn head(view: &Transaction<'_>, chain: &str) -> Result<Option<Head>, Fault> {
    let found: Option<(i64, String)> = view
        .query_row("SELECT seq, hash FROM head WHERE chain = ?1", [chain], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((seq, hash)) = found else {
        return Ok(None);
    };
    let seq = u64::try_from(seq).map_err(|_| Fault::Row(format!("chain {chain:?}: it ends at {seq}")))?;
    Ok(Some(Head { seq, hash }))
}

pub(super) fn advance(change: &Transaction<'_>, chain: &str, head: &Head) -> Result<(), Fault> {
    row::fits(chain)?;
    row::fits(&head.hash)?;
    let seq = i64::try_from(head.seq)
        .map_err(|_| Fault::Row(format!("chain {chain:?}: {} is no number of a record", head.seq)))?;
    change.execute(
        "INSERT INTO head (chain, seq, hash) VALUES (?1, ?2, ?3)
            ON CONFLICT (chain) DO UPDATE SET seq = excluded.seq, hash = excluded.hash WHERE excluded.seq > head.seq",
        (chain, seq, &head.hash),
    )?;
    Ok(())
}
