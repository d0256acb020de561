//! What has to happen to a record after it was written, and not before the answer: onto the disk, and into the store.
//!
//! A thread does both a moment later, once for all records of that moment. It is started with the first record and
//! ends with the chain, whose end does what is left to do.

use std::fs::File;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::chain::CHAIN;
use super::hash::{Hash, hex};
use crate::store::{Head, Store};

/// How long records are collected.
const MOMENT: Duration = Duration::from_secs(1);

/// Settles records.
pub(super) struct Settle {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    store: Option<Arc<dyn Store>>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    open: Option<(Arc<File>, u64, Hash)>,
    phase: Phase,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    #[default]
    Working,
    Ending,
}

impl Settle {
    pub(super) fn new(store: Option<Arc<dyn Store>>) -> Self {
        Self {
            shared: Arc::new(Shared {
                store,
                state: Mutex::default(),
                changed: Condvar::new(),
            }),
            thread: Mutex::default(),
        }
    }

    /// Settles what ends with the record `seq` a little later.
    pub(super) fn later(&self, file: &Arc<File>, seq: u64, hash: Hash) {
        let before = self.shared.state().open.replace((Arc::clone(file), seq, hash));
        if before.is_some() {
            // The thread knows, and waits for more.
            return;
        }
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            // Without a thread it happens at the end.
            *thread = std::thread::Builder::new()
                .name("record".into())
                .spawn(move || shared.work())
                .ok();
        }
        self.shared.changed.notify_one();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        loop {
            let waiting = |state: &mut State| state.open.is_none() && state.phase == Phase::Working;
            let state = self
                .changed
                .wait_while(self.state(), waiting)
                .unwrap_or_else(PoisonError::into_inner);
            let working = |state: &mut State| state.phase == Phase::Working;
            let waited = self.changed.wait_timeout_while(state, MOMENT, working);
            let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if state.phase == Phase::Ending {
                return;
            }
            let open = state.open.take();
            drop(state);
            if let Some((file, seq, hash)) = open {
                self.settle(&file, seq, &hash);
            }
        }
    }

    /// The disk first: the store must not know of a record that a loss of power takes away.
    ///
    /// Nobody waits for this. A disk that fails is told with the next durable record; a store that does not take the
    /// head now is told a later one.
    fn settle(&self, file: &File, seq: u64, hash: &Hash) {
        if file.sync_data().is_err() {
            return;
        }
        if let Some(store) = &self.store {
            let head = Head { seq, hash: hex(hash) };
            let _ = store.advance(CHAIN, &head);
        }
    }
}

impl Drop for Settle {
    fn drop(&mut self) {
        self.shared.state().phase = Phase::Ending;
        self.shared.changed.notify_all();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = thread.join();
        }
        let open = self.shared.state().open.take();
        if let Some((file, seq, hash)) = open {
            self.shared.settle(&file, seq, &hash);
        }
    }
}
