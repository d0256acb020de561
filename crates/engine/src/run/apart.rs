//! Work that blocks, in a thread of its own, for a task that waits without a runtime.
//!
//! A thread stays for a while after its work: the next work is picked up by it, which is cheaper than a new thread.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argrail_sandbox::Cancel;

use super::error::Error;
use super::promise::promise;

/// How long a thread waits for more work.
const IDLE: Duration = Duration::from_secs(10);

static CREW: Crew = Crew {
    state: Mutex::new(State {
        waiting: VecDeque::new(),
        idle: 0,
    }),
    work: Condvar::new(),
};

type Work = Box<dyn FnOnce() + Send>;

/// The threads that stayed.
struct Crew {
    state: Mutex<State>,
    work: Condvar,
}

struct State {
    /// Work that an idle thread will take; never more than there are of them.
    waiting: VecDeque<Work>,
    idle: usize,
}

/// Does `work` in a thread. Dropping the future pulls `cancel`, which ends what the work waits for.
///
/// # Errors
/// When there is no thread left, or the work panicked.
pub(crate) async fn apart<T: Send + 'static>(
    cancel: Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let leash = Leash(cancel);
    let (made, waits) = promise();
    CREW.give(Box::new(move || made.keep(work())))
        .map_err(|source| Error::Host {
            what: "thread",
            source,
        })?;
    let outcome = waits.await;
    drop(leash);
    outcome.ok_or(Error::Lost)
}

impl Crew {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives work to an idle thread, or to a new one.
    fn give(&'static self, work: Work) -> std::io::Result<()> {
        let mut state = self.state();
        if state.idle > state.waiting.len() {
            state.waiting.push_back(work);
            self.work.notify_one();
            return Ok(());
        }
        drop(state);
        std::thread::Builder::new()
            .name("run".into())
            .spawn(move || {
                work();
                while let Some(work) = self.more() {
                    work();
                }
            })
            .map(drop)
    }

    /// Waits for work, for a while.
    fn more(&self) -> Option<Work> {
        let mut state = self.state();
        state.idle += 1;
        let nothing = |state: &mut State| state.waiting.is_empty();
        let waited = self.work.wait_timeout_while(state, IDLE, nothing);
        (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        state.waiting.pop_front()
    }
}

/// Ends the work when it goes: at the end there is none any more.
struct Leash(Cancel);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn more_work_than_threads_is_all_done_and_a_panic_takes_only_its_own() {
        let switch = || Cancel::new().unwrap();
        for number in 0..50 {
            assert_eq!(apart(switch(), move || number).await.unwrap(), number);
        }
        // Each waits for the other, so neither may be behind it in one thread.
        let ((here, there), (back, forth)) = (mpsc::channel(), mpsc::channel());
        let first = apart(switch(), move || {
            here.send(1).unwrap();
            forth.recv().unwrap()
        });
        let second = apart(switch(), move || {
            back.send(2).unwrap();
            there.recv().unwrap()
        });
        let (first, second) = tokio::join!(first, second);
        assert_eq!((first.unwrap(), second.unwrap()), (2, 1));
        let lost = apart(switch(), || -> u8 { std::panic::resume_unwind(Box::new("lost")) }).await;
        assert!(matches!(lost, Err(Error::Lost)), "{lost:?}");
        assert_eq!(apart(switch(), || 7).await.unwrap(), 7);
    }
}
