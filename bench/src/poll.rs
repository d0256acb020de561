//! The smallest executor: one poll. The handlers of the bench tree never wait.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Returns what `future` ends with, if it ends at once.
pub(crate) fn once<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}
