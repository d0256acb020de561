//! The store itself: opened when it is first used, and again when another file took its place.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use rusqlite::Transaction;
use serde_json::Value;

use super::super::{
    Answer, Asked, Caps, Claim, Damaged, Document, Head, Kind, NewRequest, Request, Revision, Ruling, Store,
    StoreError,
};
use super::fault::Fault;
use super::session::{Durability, Session};
use super::{documents, grants, heads, requests};
use crate::places::Places;
use crate::policy::RequestId;
use crate::policy::{Grant, GrantId};

/// The file below the directory of our state.
const NAME: &str = "store.db";

/// A store in a SQLite file.
///
/// One connection, used by one thread at a time: a transaction takes microseconds, or one wait for the disk.
#[derive(Debug)]
pub struct SqliteStore {
    directory: PathBuf,
    session: Mutex<Option<Session>>,
}

impl SqliteStore {
    /// Returns the store of a user. Nothing is opened or made until it is used.
    pub fn new(places: &Places) -> Self {
        Self {
            directory: places.state().to_owned(),
            session: Mutex::new(None),
        }
    }

    /// Returns its file.
    pub fn path(&self) -> PathBuf {
        self.directory.join(NAME)
    }

    fn read<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>) -> Result<T, StoreError> {
        self.with(|session| session.read(work))
    }

    pub(super) fn write<T>(
        &self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, StoreError> {
        self.with(|session| session.write(durability, work))
    }

    fn with<T>(&self, work: impl FnOnce(&mut Session) -> Result<T, Fault>) -> Result<T, StoreError> {
        let mut slot = self.slot();
        let mut session = match slot.take().filter(Session::is_there) {
            Some(session) => session,
            None => Session::open(&self.directory, NAME)?,
        };
        let done = work(&mut session).map_err(|fault| fault.at(session.path()));
        // After trouble with the file the next one opens it anew, and is told at once if that does not help.
        if !matches!(
            done,
            Err(StoreError::Corrupt { .. } | StoreError::Io { .. } | StoreError::Unsafe { .. })
        ) {
            *slot = Some(session);
        }
        done
    }

    /// Sets how long this one waits for its turn.
    #[cfg(test)]
    pub(super) fn patience(&self, wait: std::time::Duration) -> Result<(), StoreError> {
        self.with(|session| session.patience(wait))
    }

    /// Lets the file of this connection not grow any more.
    #[cfg(test)]
    pub(super) fn fill_the_disk(&self) -> Result<(), StoreError> {
        self.with(|session| session.fill_the_disk())
    }

    fn slot(&self) -> MutexGuard<'_, Option<Session>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for SqliteStore {
    fn ask(&self, new: &NewRequest, caps: Caps, now: Timestamp) -> Result<Asked, StoreError> {
        self.write(Durability::Synced, |change| requests::ask(change, new, caps, now))
    }

    fn request(&self, id: &RequestId, now: Timestamp) -> Result<Option<Request>, StoreError> {
        self.read(|view| requests::request(view, id, now))
    }

    fn pending(&self, now: Timestamp) -> Result<Vec<Request>, StoreError> {
        self.read(|view| requests::pending(view, now))
    }

    fn answer(&self, id: &RequestId, ruling: &Ruling, now: Timestamp) -> Result<Answer, StoreError> {
        self.write(Durability::Synced, |change| {
            requests::answer(change, id, ruling, now)
        })
    }

    fn claim(&self, binding: &str, now: Timestamp) -> Result<Claim, StoreError> {
        match self.read(|view| requests::look(view, binding, now))? {
            Some(claim) => Ok(claim),
            None => self.write(Durability::Synced, |change| requests::take(change, binding, now)),
        }
    }

    fn add_grant(&self, grant: &Grant) -> Result<(), StoreError> {
        self.write(Durability::Synced, |change| grants::add(change, grant))
    }

    fn grants(&self) -> Result<Vec<Grant>, StoreError> {
        self.read(grants::all)
    }

    fn grants_of(&self, tools: &[&str], now: Timestamp) -> Result<Vec<Grant>, StoreError> {
        self.read(|view| grants::of_tools(view, tools, now))
    }

    fn damaged(&self, now: Timestamp) -> Result<Vec<Damaged>, StoreError> {
        self.read(|view| {
            let mut damaged = requests::damaged(view, now)?;
            damaged.extend(grants::damaged(view)?);
            Ok(damaged)
        })
    }

    fn discard(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        self.write(Durability::Synced, |change| {
            Ok(requests::discard(change, id, now)? || grants::discard(change, id)?)
        })
    }

    fn revoke(&self, id: &GrantId, now: Timestamp) -> Result<Grant, StoreError> {
        self.write(Durability::Synced, |change| grants::revoke(change, id, now))
    }

    fn use_grant(&self, id: &GrantId, now: Timestamp) -> Result<bool, StoreError> {
        self.write(Durability::Cached, |change| grants::take_use(change, id, now))
    }

    fn get(&self, kind: Kind, key: &str) -> Result<Option<Document>, StoreError> {
        self.read(|view| documents::get(view, kind, key))
    }

    fn all(&self, kind: Kind) -> Result<Vec<Document>, StoreError> {
        self.read(|view| documents::all(view, kind))
    }

    fn put(
        &self,
        kind: Kind,
        key: &str,
        seen: Option<Revision>,
        body: &Value,
        now: Timestamp,
    ) -> Result<Revision, StoreError> {
        self.write(Durability::Synced, |change| {
            documents::put(change, kind, key, seen, body, now)
        })
    }

    fn remove(&self, kind: Kind, key: &str, seen: Revision) -> Result<(), StoreError> {
        self.write(Durability::Synced, |change| {
            documents::remove(change, kind, key, seen)
        })
    }

    fn head(&self, chain: &str) -> Result<Option<Head>, StoreError> {
        self.read(|view| heads::head(view, chain))
    }

    fn advance(&self, chain: &str, head: &Head) -> Result<(), StoreError> {
        self.write(Durability::Cached, |change| heads::advance(change, chain, head))
    }
}
