//! A value that one thread makes and a task waits for, without a runtime of its own.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

#[derive(Debug)]
struct State<T> {
    made: Option<T>,
    /// Whether nobody will make it any more.
    over: bool,
    waker: Option<Waker>,
}

/// The thread's side. Dropped without a value, it tells that, too.
#[derive(Debug)]
pub(super) struct Promise<T>(Arc<Mutex<State<T>>>);

/// The task's side: the value, or nothing when it was never made.
#[derive(Debug)]
pub(super) struct Promised<T>(Arc<Mutex<State<T>>>);

/// Makes both sides.
pub(super) fn promise<T>() -> (Promise<T>, Promised<T>) {
    let state = Arc::new(Mutex::new(State {
        made: None,
        over: false,
        waker: None,
    }));
    (Promise(Arc::clone(&state)), Promised(state))
}

impl<T> Promise<T> {
    /// Hands over the value.
    pub(super) fn keep(self, value: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).made = Some(value);
    }
}

impl<T> Drop for Promise<T> {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Promised<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.over {
            return Poll::Ready(state.made.take());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_value_arrives_from_another_thread_and_a_lost_one_is_told() {
        let (kept, waits) = promise();
        std::thread::spawn(move || kept.keep(7));
        assert_eq!(waits.await, Some(7));
        let (lost, waits) = promise::<u8>();
        std::thread::spawn(move || drop(lost));
        assert_eq!(waits.await, None);
    }
}
