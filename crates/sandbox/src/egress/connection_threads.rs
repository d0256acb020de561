//! The threads of the connections: so many and no more, and none is left behind.

use std::io;
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::stop::StopSignal;

/// Whether a connection got its thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// Its thread runs.
    Started,
    /// As many as allowed run, or the machine has no thread left.
    Full,
    /// Everything has ended.
    Closed,
}

/// The threads, and the signal that ends them.
#[derive(Debug)]
pub(super) struct ConnectionThreads {
    stop: StopSignal,
    most: usize,
    threads: Mutex<ThreadsState>,
}

#[derive(Debug)]
enum ThreadsState {
    Open(Vec<JoinHandle<()>>),
    Closed,
}

impl ConnectionThreads {
    /// Allows at most `most` threads.
    pub(super) fn new(most: usize) -> io::Result<Self> {
        Ok(Self {
            stop: StopSignal::new()?,
            most,
            threads: Mutex::new(ThreadsState::Open(Vec::new())),
        })
    }

    /// Returns what every wait of a thread must heed.
    pub(super) fn stop(&self) -> &StopSignal {
        &self.stop
    }

    /// Does the work in a thread of its own, or drops it.
    pub(super) fn start(&self, work: impl FnOnce() + Send + 'static) -> Admission {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let ThreadsState::Open(open) = &mut *threads else {
            return Admission::Closed;
        };
        for ended in open.extract_if(.., |thread| thread.is_finished()) {
            let _ = ended.join();
        }
        if open.len() >= self.most {
            return Admission::Full;
        }
        match Builder::new().name("egress".into()).spawn(work) {
            Ok(thread) => {
                open.push(thread);
                Admission::Started
            }
            Err(_) => Admission::Full,
        }
    }

    /// Ends every thread and waits for it. Again does no harm.
    pub(super) fn close(&self) {
        self.stop.signal();
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        let last = mem::replace(&mut *threads, ThreadsState::Closed);
        drop(threads);
        match last {
            ThreadsState::Open(open) => open.into_iter().for_each(|thread| drop(thread.join())),
            ThreadsState::Closed => {}
        }
    }
}
