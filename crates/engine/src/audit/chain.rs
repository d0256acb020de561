//! The chain of records: appended to by many processes, one record after the other.
//!
//! Each append holds a lock of the kernel for the time of one `write`, so records of many processes are one chain. What
//! is on the disk is never changed, and a record that could not be written is told: whoever wanted to run something
//! then does not.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use argrail_acli::Mask;
use jiff::Timestamp;

use super::directory::Directory;
use super::error::RecordError;
use super::event::Event;
use super::hash::{Hash, hex, keyed, unhex};
use super::hold::Held;
use super::key;
use super::record::time;
use super::reserve::Reserve;
use super::settle::Settle;
use super::tail::Last;
use super::writer::{Rotated, Writer, note};
use crate::store::{Head, Store, StoreError};

/// The name of the chain in the store.
pub const CHAIN: &str = "audit";

/// How large a file becomes before the next one is begun.
pub const FULL: u64 = 64 << 20;

/// What a loss of power may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Nothing: the record is on the disk when the call returns.
    Durable,
    /// The record, for a moment. It outlives this process at once, however that ends, and is on the disk with the
    /// next durable record or a little later.
    Soon,
}

/// A record that was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// Its number.
    pub seq: u64,
}

/// The record of this user, open for appending.
pub struct Chain {
    directory: Directory,
    reserve: Reserve,
    store: Option<Arc<dyn Store>>,
    full: u64,
    state: Mutex<State>,
    settle: Settle,
    key: OnceLock<Hash>,
}

#[derive(Default)]
struct State {
    writer: Option<Writer>,
    /// The last record that we know was written, by us or by what the store says.
    known: Option<Last>,
    asked: Asked,
    health: Health,
    mask: Option<Arc<dyn Mask>>,
}

/// Whether the store was asked where the chain ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Asked {
    #[default]
    NotYet,
    Yes,
}

/// Whether the last record could be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Health {
    #[default]
    Good,
    Broken,
    /// The disk is full, and that was the last word.
    Full,
}

impl fmt::Debug for Chain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Chain")
            .field("directory", &self.directory)
            .finish_non_exhaustive()
    }
}

impl Chain {
    /// Prepares the record in `directory`. Nothing is written yet.
    ///
    /// # Errors
    /// When nothing could be written there, or somebody else could: a call without a record is not made.
    pub fn open(directory: &Path, store: Option<Arc<dyn Store>>) -> Result<Self, RecordError> {
        Self::with_limit(directory, store, FULL)
    }

    /// The same, with files that are full at another size.
    ///
    /// # Errors
    /// As [`Chain::open`].
    pub fn with_limit(
        directory: &Path,
        store: Option<Arc<dyn Store>>,
        full: u64,
    ) -> Result<Self, RecordError> {
        let directory = Directory::new(directory);
        directory.prepare()?;
        let reserve = Reserve::of(directory.path());
        // Whoever only reads can go on; the next call is told.
        let health = reserve.ensure().map_or(Health::Full, |()| Health::Good);
        Ok(Self {
            settle: Settle::new(store.clone()),
            directory,
            reserve,
            store,
            full,
            state: Mutex::new(State {
                health,
                ..State::default()
            }),
            key: OnceLock::new(),
        })
    }

    /// Sees whether a record could be kept now. Nothing is recorded for it, and a record that nobody has begun is not.
    ///
    /// # Errors
    /// Why not.
    pub fn check(directory: &Path) -> Result<(), RecordError> {
        if !directory.exists() {
            return Ok(());
        }
        let directory = Directory::new(directory);
        directory.prepare()?;
        Reserve::of(directory.path()).ensure()
    }

    /// Returns where the files are.
    pub fn directory(&self) -> PathBuf {
        self.directory.path().to_owned()
    }

    /// Sets what no record may hold. Whoever makes an event has masked it already, and knows more about it; what got
    /// past them is masked here.
    pub fn conceal(&self, mask: Arc<dyn Mask>) {
        self.state().mask = Some(mask);
    }

    /// Appends a record.
    ///
    /// # Errors
    /// Why it could not be kept. What it was about must then not happen.
    pub fn append(&self, event: &Event, durability: Durability) -> Result<Receipt, RecordError> {
        if self.state().health == Health::Full {
            self.reserve.ensure()?;
        }
        let appended = self.written(event);
        let kept = appended.and_then(|(receipt, file)| match durability {
            // Without the lock: many writers are on the disk with one write.
            Durability::Durable => {
                file.sync_data().map_err(RecordError::io(self.directory.log()))?;
                Ok(receipt)
            }
            Durability::Soon => Ok(receipt),
        });
        let health = match &kept {
            Ok(_) => Health::Good,
            Err(RecordError::Full { .. }) => {
                if self.reserve.give_up() {
                    // The last word. If there is no room for it either, the error says the same.
                    let _ = self.written(&note("full"));
                }
                Health::Full
            }
            Err(_) => Health::Broken,
        };
        self.state().health = health;
        kept
    }

    /// Sees that a record could be kept, if the last one could not.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn recovered(&self) -> Result<(), RecordError> {
        let health = self.state().health;
        match health {
            Health::Good => Ok(()),
            Health::Broken | Health::Full => self.append(&note("resumed"), Durability::Soon).map(drop),
        }
    }

    /// Returns a keyed hash of an argv: the same for the same words on this machine, and nothing to guess words from
    /// for whoever has the record and not the key.
    ///
    /// # Errors
    /// When there is no key and none can be made.
    pub fn argv_hash<'a>(&self, argv: impl IntoIterator<Item = &'a OsStr>) -> Result<String, RecordError> {
        let argv = argv.into_iter().map(OsStrExt::as_bytes);
        Ok(format!("hmac-sha256:{}", hex(&keyed(self.key()?, argv))))
    }

    /// Returns a keyed hash of what a yes holds for, in hexadecimal digits. It is kept beside the command, so a plain
    /// hash of words with a secret in them could be guessed as that of an argv could.
    ///
    /// # Errors
    /// As [`argv_hash`](Self::argv_hash).
    pub fn binding_hash(&self, hash: &str) -> Result<String, RecordError> {
        let fields = ["approval", hash];
        Ok(hex(&keyed(
            self.key()?,
            fields.iter().map(|field| field.as_bytes()),
        )))
    }

    fn key(&self) -> Result<&Hash, RecordError> {
        match self.key.get() {
            Some(key) => Ok(key),
            None => {
                let made = key::read_or_make(self.directory.path())?;
                Ok(self.key.get_or_init(|| made))
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the record, and before it whatever was found that has to be told.
    fn written(&self, event: &Event) -> Result<(Receipt, Arc<File>), RecordError> {
        let mut state = self.state();
        let state = &mut *state;
        if state.asked == Asked::NotYet {
            // Before the lock is taken: what the store knows was then written, and must be there.
            state.known = self.store_head().or(state.known.take());
            state.asked = Asked::Yes;
        }
        let (held, mut writer) = self.at_the_end(state)?;
        let mask = state.mask.as_deref();
        let seq = writer.write(&self.directory, event, mask, &time(Timestamp::now()))?;
        drop(held);
        state.known.clone_from(&writer.last);
        if let Some(last) = &writer.last {
            self.settle.later(&writer.file, last.seq, last.hash);
        }
        let file = Arc::clone(&writer.file);
        state.writer = Some(writer);
        Ok((Receipt { seq }, file))
    }

    /// Returns the end of the chain, with the lock: what was found there is told, and a full file is put aside.
    fn at_the_end(&self, state: &mut State) -> Result<(Held, Writer), RecordError> {
        loop {
            let left = state.writer.take();
            let held = Held::wait(&self.directory, left.as_ref().map(Writer::file))?;
            let writer = match left.filter(|writer| writer.is_as_left(&held)) {
                Some(writer) => writer,
                None => {
                    let known = state.known.as_ref();
                    let (mut writer, findings) = Writer::open(&self.directory, &held, known)?;
                    for finding in &findings {
                        writer.write(&self.directory, finding, None, &time(Timestamp::now()))?;
                    }
                    writer
                }
            };
            match writer.rotate(&self.directory, self.full)? {
                Rotated::No => return Ok((held, writer)),
                Rotated::Yes => state.known = writer.last,
            }
        }
    }

    /// What the store says. One that cannot be read is no reason not to record: `verify` tells about it.
    fn store_head(&self) -> Option<Last> {
        let head = self.store.as_ref()?.head(CHAIN);
        head.ok().flatten().and_then(|head| {
            let hash = unhex(head.hash.as_bytes())?;
            Some(Last {
                seq: head.seq,
                hash,
                ts: String::new(),
            })
        })
    }
}

/// Asks a store where the chain ends.
///
/// # Errors
/// When the store cannot be used.
pub fn head(store: &dyn Store) -> Result<Option<Head>, StoreError> {
    store.head(CHAIN)
}
