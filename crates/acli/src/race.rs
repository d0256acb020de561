//! One handler against the clock, and against itself: a timeout and a panic are answers too.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use crate::error::{Code, Error};
use crate::host::Host;
use crate::pause::Pauses;
use crate::text::Text;

/// Runs `work` and turns a panic of it into an answer.
///
/// The caller waits for one: an unwound task would leave it waiting for ever.
pub(crate) async fn caught<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let mut work = pin!(work);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(panicked())))
    })
    .await
}

/// Runs `work` for at most `limit`, not counting the time up to the end of a pause.
pub(crate) async fn run_within<T>(
    limit: Duration,
    host: &dyn Host,
    pauses: &Pauses,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let mut work = pin!(work);
    // The timer is made when the first poll did not finish: most calls never need one.
    let mut timer = None;
    poll_fn(|context| {
        if let Poll::Ready(outcome) = work.as_mut().poll(context) {
            return Poll::Ready(outcome);
        }
        if pauses.is_on() {
            // Whoever ends the pause is polled for it, and then the time starts anew.
            timer = None;
            return Poll::Pending;
        }
        let timer = timer.get_or_insert_with(|| host.sleep(limit));
        timer.as_mut().poll(context).map(|()| Err(timed_out(limit)))
    })
    .await
}

fn timed_out(limit: Duration) -> Error {
    let ms = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    Error::new(
        Code::Timeout,
        Text::new("Command timed out after {}ms").number(ms),
    )
    .hint("Try a simpler query")
}

fn panicked() -> Error {
    Error::execution("the command stopped on a bug of its own")
}
