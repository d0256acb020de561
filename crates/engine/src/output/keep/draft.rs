//! An output that is still coming, on its way to the disk.
//!
//! Its directory is locked while its process lives, so that a sweep knows those that were left behind. What is not
//! published is removed.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustix::fs::{FlockOperation, flock};

use super::id::OutputId;
use super::shelf::{ABOUT, About, Keep, create};
use super::sweep::{DRAFT, sweep};
use crate::output::Stream;

/// How much is written before it is looked how much there is.
const LOOK_AFTER: u64 = 8 << 20;

/// A place for the output of one call, shared by its two streams.
#[derive(Debug, Clone)]
pub struct Draft(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    keep: Keep,
    account: String,
    made: Option<Made>,
    /// How much more may be written.
    room: u64,
    /// How much was written since somebody looked how much there is.
    unlooked: u64,
    /// Whether the disk refused, once and for all.
    broken: bool,
}

#[derive(Debug)]
struct Made {
    id: OutputId,
    path: PathBuf,
    /// The lock on the directory.
    _lock: File,
}

/// A file of a draft.
#[derive(Debug)]
pub(crate) struct Kept {
    draft: Draft,
    file: io::BufWriter<File>,
}

impl Draft {
    pub(super) fn new(keep: Keep, account: &str) -> Self {
        let room = keep.limits.output;
        Self(Arc::new(Mutex::new(State {
            keep,
            account: account.to_owned(),
            made: None,
            room,
            unlooked: 0,
            broken: false,
        })))
    }

    /// Opens the file of a stream. `None` if the disk refuses: then nothing is kept.
    pub(crate) fn open(&self, stream: Stream) -> Option<Kept> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.broken {
            return None;
        }
        match state.file(stream) {
            Ok(file) => Some(Kept {
                draft: self.clone(),
                file: io::BufWriter::with_capacity(64 * 1024, file),
            }),
            Err(_) => {
                state.broken = true;
                None
            }
        }
    }

    /// Keeps a text as standard output, and returns its name, if all of it could be kept.
    pub(crate) fn whole(&self, text: &str) -> Option<String> {
        let mut kept = self.open(Stream::Stdout)?;
        let written = kept.write(text.as_bytes());
        kept.close();
        let id = self.publish(written as u64, 0)?;
        Some(id.to_string())
    }

    /// Makes what was written readable; `lengths` are those of the whole streams. `None` if it could not be kept.
    pub(crate) fn publish(&self, stdout: u64, stderr: u64) -> Option<OutputId> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.broken {
            return None;
        }
        let made = state.made.take()?;
        let about = About {
            account: state.account.clone(),
            stdout,
            stderr,
        };
        let published = serde_json::to_vec(&about)
            .map_err(io::Error::from)
            .and_then(|bytes| create(&made.path.join(ABOUT))?.write_all(&bytes))
            .and_then(|()| fs::rename(&made.path, state.keep.directory.join(made.id.as_str())));
        if published.is_err() {
            let _ = fs::remove_dir_all(&made.path);
            return None;
        }
        sweep(&state.keep, SystemTime::now());
        Some(made.id)
    }

    /// Takes room for this much; returns how much of it there is. Outputs of many calls may be coming at once, so now and
    /// then it is looked whether all of them together are too much.
    fn reserve(&self, bytes: usize) -> usize {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.unlooked = state.unlooked.saturating_add(bytes as u64);
        if state.unlooked >= LOOK_AFTER {
            state.unlooked = 0;
            if sweep(&state.keep, SystemTime::now()) > state.keep.limits.total {
                state.room = 0;
            }
        }
        let granted = usize::try_from(state.room).unwrap_or(usize::MAX).min(bytes);
        state.room -= granted as u64;
        granted
    }

    fn give_up(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).broken = true;
    }
}

impl Kept {
    /// Writes as much as there is room for; returns how much that was.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> usize {
        let granted = self.draft.reserve(bytes.len());
        if self
            .file
            .write_all(bytes.get(..granted).unwrap_or_default())
            .is_err()
        {
            self.draft.give_up();
        }
        granted
    }

    /// Writes what is still in memory.
    pub(crate) fn close(mut self) {
        if self.file.flush().is_err() {
            self.draft.give_up();
        }
    }
}

impl State {
    fn file(&mut self, stream: Stream) -> io::Result<File> {
        if self.made.is_none() {
            self.made = Some(self.make()?);
        }
        match &self.made {
            Some(made) => create(&made.path.join(stream.as_str())),
            None => Err(io::Error::other("there is no directory")),
        }
    }

    fn make(&self) -> io::Result<Made> {
        self.keep.make()?;
        sweep(&self.keep, SystemTime::now());
        let id = OutputId::random()?;
        let path = self.keep.directory.join(format!("{DRAFT}{id}"));
        DirBuilder::new().mode(0o700).create(&path)?;
        let lock = File::open(&path)?;
        flock(&lock, FlockOperation::NonBlockingLockExclusive)?;
        Ok(Made {
            id,
            path,
            _lock: lock,
        })
    }
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(made) = self.made.take() {
            // Nobody can read it, and a sweep finds what stays.
            let _ = fs::remove_dir_all(made.path);
        }
    }
}
