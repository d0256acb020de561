//! Questions on their way to whoever watches an agent. The answer is kept in the store, where whoever waits finds it;
//! nothing comes back here but that the question was put.

use std::sync::Arc;

use argrail_acli::BoxFuture;
use argrail_engine::consent::{Client, Question, Said};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// How many questions may wait to be shown. The store keeps all of them.
const WAITING: usize = 64;

/// A question that somebody should see.
#[derive(Debug)]
pub(super) struct Put {
    /// Its name.
    pub(super) id: String,
    /// Told when nobody waits for the answer any more.
    pub(super) withdrawn: CancellationToken,
    /// Gone when it was put.
    _put: oneshot::Sender<()>,
}

/// Questions as they come.
pub(super) type Questions = mpsc::Receiver<Put>;

/// Returns a way to ask, and where the questions arrive.
pub(super) fn questions() -> (Arc<dyn Client>, Questions) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (Arc::new(Bell(sender)), receiver)
}

struct Bell(mpsc::Sender<Put>);

impl Client for Bell {
    fn ask(&self, question: Question) -> BoxFuture<'static, Said> {
        let (put, was_put) = oneshot::channel();
        let withdrawn = CancellationToken::new();
        let guard = withdrawn.clone().drop_guard();
        // One that has no room waits in the store like all others.
        let _ = self.0.try_send(Put {
            id: question.id.0,
            withdrawn,
            _put: put,
        });
        Box::pin(async move {
            let _guard = guard;
            let _ = was_put.await;
            Said::Nothing
        })
    }
}
