//! One handler against the clock, and against itself: a timeout and a panic are answers too.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use crate::envelope::Answer;
use crate::error::{Code, Error};
use crate::host::Host;
use crate::text::Text;

/// Runs what `start` begins for at most `limit`.
///
/// A panic is caught because the caller waits for an answer: an unwound task would leave it waiting for ever.
pub(crate) async fn run_within<F>(
    limit: Duration,
    host: &dyn Host,
    start: impl FnOnce() -> F,
) -> Result<Answer, Error>
where
    F: Future<Output = Result<Answer, Error>>,
{
    let Ok(work) = catch_unwind(AssertUnwindSafe(start)) else {
        return Err(panicked());
    };
    let mut work = pin!(work);
    // The timer is made when the first poll did not finish: most calls never need one.
    let mut timer = None;
    poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(Poll::Ready(outcome)) => return Poll::Ready(outcome),
            Ok(Poll::Pending) => {}
            Err(_) => return Poll::Ready(Err(panicked())),
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
    Error::execution("the handler stopped on a bug of its own")
}
