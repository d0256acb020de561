//! The progress of one call, on its way to a client that asked for it with a progress token.
//!
//! The handler reports as often as it likes; the client gets the latest state at most twenty times a
//! second, rising only, and never after the answer. A slow client delays its own notifications, not
//! the work.

use std::time::Duration;

use argrail_acli::{Progress, ProgressSink};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use std::sync::Arc;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How long the client is left in peace after a notification.
const INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` with a progress sink if the request has a progress token.
pub(crate) async fn reporting<F: Future>(
    context: &RequestContext<RoleServer>,
    work: impl FnOnce(Option<ProgressSink>) -> F,
) -> F::Output {
    let Some(token) = context.meta.get_progress_token() else {
        return work(None).await;
    };
    let (latest, seen) = watch::channel(None);
    let sink: ProgressSink = Arc::new(move |progress| {
        latest.send_replace(Some(progress));
    });
    let reporter = Reporter {
        seen,
        token,
        peer: &context.peer,
        sent: f64::NEG_INFINITY,
    };
    let work = work(Some(sink));
    let done = CancellationToken::new();
    let worked = async {
        let output = work.await;
        done.cancel();
        output
    };
    // Joined, not raced: a notification that is being sent goes out before the answer does.
    tokio::join!(worked, reporter.run(&done)).0
}

struct Reporter<'a> {
    seen: watch::Receiver<Option<Progress>>,
    token: ProgressToken,
    peer: &'a Peer<RoleServer>,
    sent: f64,
}

impl Reporter<'_> {
    async fn run(mut self, done: &CancellationToken) {
        loop {
            tokio::select! {
                biased;
                changed = self.seen.changed() => if changed.is_err() { return },
                () = done.cancelled() => return,
            }
            self.send_latest().await;
            tokio::select! {
                () = tokio::time::sleep(INTERVAL) => {}
                () = done.cancelled() => {}
            }
        }
    }

    async fn send_latest(&mut self) {
        let Some(param) = self.latest() else { return };
        // A client that is gone will not miss it.
        let _ = self.peer.notify_progress(param).await;
    }

    fn latest(&mut self) -> Option<ProgressNotificationParam> {
        let seen = self.seen.borrow_and_update();
        // The protocol wants each value larger than the one before.
        let progress = seen.as_ref().filter(|progress| progress.done > self.sent)?;
        self.sent = progress.done;
        let mut param = ProgressNotificationParam::new(self.token.clone(), progress.done);
        param.total = progress.total;
        param.message = progress.message.as_ref().map(ToString::to_string);
        Some(param)
    }
}
