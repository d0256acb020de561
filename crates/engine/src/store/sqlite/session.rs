//! One connection: how it is opened, and how its transactions are made.
//!
//! A transaction that changes something takes the writers' turn before it reads (`BEGIN IMMEDIATE`), so it never
//! finds halfway that somebody else was faster. Waiting for a turn is bounded.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use super::super::StoreError;
use super::fault::Fault;
use super::migrate::{self, Found};
use super::private::{self, Identity};
use crate::files::lock::{Lock, LockError, WAIT};

/// How long a transaction waits for its turn. One takes milliseconds.
const TURN: Duration = Duration::from_secs(15);

/// How long the log may be before it is copied into the file and emptied. Short, because the first process after a
/// pause reads the whole log; not shorter, because copying waits for the disk.
const LONGEST_LOG: u64 = 512 * 1024;

/// How long emptying the log waits for others. The next writer tries again.
const LOG_TURN: Duration = Duration::from_millis(100);

/// One thread of this process opens at a time: see [`private`].
static OPENING: Mutex<()> = Mutex::new(());

/// What a loss of power may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// Nothing: it is on the disk when the transaction is over.
    Synced,
    /// The transaction, and those after it that are like it.
    Cached,
}

/// An open store.
#[derive(Debug)]
pub(super) struct Session {
    connection: Connection,
    path: PathBuf,
    log: PathBuf,
    file: Option<Identity>,
    durability: Durability,
}

impl Session {
    /// Opens the store `name` of a directory, and makes it or brings it up to date if need be.
    pub(super) fn open(directory: &Path, name: &str) -> Result<Self, StoreError> {
        let _turn = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
        let path = private::prepare(directory, name)?;
        let connection = connect(&path).map_err(|fault| fault.at(&path))?;
        let file = private::identity(&path);
        let mut session = Self {
            connection,
            log: private::beside(&path, "-wal"),
            path,
            file,
            durability: Durability::Synced,
        };
        match session.look()? {
            Found::Earlier => session.make()?,
            found @ (Found::Current | Found::Later(_) | Found::Foreign) => session.accept(found)?,
        }
        Ok(session)
    }

    /// Whether the file that was opened is still the one at its path.
    pub(super) fn is_there(&self) -> bool {
        self.file.is_some() && private::identity(&self.path) == self.file
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads one state of the store.
    pub(super) fn read<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let view = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Deferred)?;
        work(&view)
    }

    /// Changes the store: all that `work` does, or nothing.
    pub(super) fn write<T>(
        &mut self,
        durability: Durability,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.set(durability)?;
        let change = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = work(&change)?;
        change.commit()?;
        self.empty_a_long_log();
        Ok(value)
    }

    /// Empties the log rather than only copying it: what was copied is forgotten when the last process leaves, and a
    /// log that many short-lived ones only copy grows for ever.
    fn empty_a_long_log(&self) {
        let length = self.log.symlink_metadata().map_or(0, |found| found.len());
        if length < LONGEST_LOG {
            return;
        }
        // The transaction is made whatever becomes of this.
        let _ = self.connection.busy_timeout(LOG_TURN);
        let _ = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.connection.busy_timeout(TURN);
    }

    #[cfg(test)]
    pub(super) fn patience(&self, wait: Duration) -> Result<(), Fault> {
        Ok(self.connection.busy_timeout(wait)?)
    }

    #[cfg(test)]
    pub(super) fn fill_the_disk(&self) -> Result<(), Fault> {
        // Less than there is means as much as there is.
        let most = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        self.connection
            .pragma_update_and_check(None, "max_page_count", 1, most)?;
        Ok(())
    }

    fn set(&mut self, durability: Durability) -> Result<(), Fault> {
        if self.durability != durability {
            let word = match durability {
                Durability::Synced => "FULL",
                Durability::Cached => "NORMAL",
            };
            self.connection.pragma_update(None, "synchronous", word)?;
            self.durability = durability;
        }
        Ok(())
    }

    fn look(&self) -> Result<Found, StoreError> {
        migrate::look(&self.connection).map_err(|fault| fault.at(&self.path))
    }

    /// Makes the tables while no other process does.
    fn make(&mut self) -> Result<(), StoreError> {
        let _lock = Lock::of(&self.path, WAIT).map_err(|error| locked(&self.path, &error))?;
        match self.look()? {
            Found::Earlier => {
                let made = keep_a_log(&self.connection).and_then(|()| migrate::migrate(&mut self.connection));
                made.map_err(|fault| fault.at(&self.path))
            }
            found @ (Found::Current | Found::Later(_) | Found::Foreign) => self.accept(found),
        }
    }

    fn accept(&self, found: Found) -> Result<(), StoreError> {
        let path = self.path.clone();
        match found {
            Found::Current => Ok(()),
            Found::Earlier => Err(StoreError::Busy { path }),
            Found::Later(found) => Err(StoreError::Later {
                path,
                found,
                known: migrate::known(),
            }),
            Found::Foreign => Err(StoreError::Corrupt {
                path,
                problem: "it is a database of another program".to_owned(),
            }),
        }
    }
}

fn connect(path: &Path) -> Result<Connection, Fault> {
    // No mutex: the connection is behind one of ours. No creating: a file that we did not make has the wrong mode.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
        | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(TURN)?;
    // What the file itself brings along, such as views and triggers, is not to be believed.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // A short-lived process does not wait for the disk when it ends; the log stays and is read by the next.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    // Nothing of it goes into a directory that others share.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(connection)
}

/// Writers append to a log beside the file, so that readers never wait for them.
fn keep_a_log(connection: &Connection) -> Result<(), Fault> {
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(Fault::Told(StoreError::Io {
        path: connection.path().map(PathBuf::from).unwrap_or_default(),
        problem: "this file system cannot share a log between processes".to_owned(),
    }))
}

fn locked(path: &Path, error: &LockError) -> StoreError {
    match error {
        LockError::Busy { .. } => StoreError::Busy {
            path: path.to_owned(),
        },
        LockError::File(error) => StoreError::Io {
            path: path.to_owned(),
            problem: error.to_string(),
        },
    }
}
