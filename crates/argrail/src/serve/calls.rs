//! The calls of one connection or session that have not been answered yet.
//!
//! rmcp keeps this to itself, and we need it for three things: a cap on calls in flight, a drain that
//! ends when the last answer is out, and the refusal of a second request under an id that is still in
//! use (rmcp would answer only one of the two, and the other would wait for ever).

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use rmcp::model::RequestId;
use tokio::sync::watch;

/// Whether a request may go on to its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is counted now; [`Calls::end`] takes it off again.
    Admitted,
    /// A request with this id is still being answered.
    Duplicate,
    /// As many calls as allowed are in flight.
    Full,
}

/// A set of request ids and a counter to wait on.
#[derive(Debug)]
pub(crate) struct Calls {
    ids: Mutex<HashSet<RequestId>>,
    count: watch::Sender<usize>,
    most: usize,
}

impl Calls {
    pub(crate) fn new(most: usize) -> Self {
        Self {
            ids: Mutex::default(),
            count: watch::Sender::new(0),
            most,
        }
    }

    /// Counts a request in.
    pub(crate) fn begin(&self, id: &RequestId) -> Admission {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.contains(id) {
            return Admission::Duplicate;
        }
        if ids.len() >= self.most {
            return Admission::Full;
        }
        ids.insert(id.clone());
        self.count.send_replace(ids.len());
        Admission::Admitted
    }

    /// Counts a request out: it was answered, or cancelled and will not be.
    pub(crate) fn end(&self, id: &RequestId) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        if ids.remove(id) {
            self.count.send_replace(ids.len());
        }
    }

    /// Counts everything out: whoever ran it has ended.
    pub(crate) fn clear(&self) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.clear();
        self.count.send_replace(0);
    }

    /// Returns what is in flight, in no order.
    pub(crate) fn ids(&self) -> Vec<RequestId> {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.iter().cloned().collect()
    }

    /// Whether a request with this id is in flight.
    pub(crate) fn has(&self, id: &RequestId) -> bool {
        self.ids
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(id)
    }

    /// How many calls are in flight.
    pub(crate) fn len(&self) -> usize {
        *self.count.borrow()
    }

    /// Waits until another call fits.
    pub(crate) async fn room(&self) {
        self.below(self.most).await;
    }

    /// Waits until nothing is in flight.
    pub(crate) async fn idle(&self) {
        self.below(1).await;
    }

    async fn below(&self, limit: usize) {
        if self.len() >= limit {
            // The sender lives in `self`, so this cannot fail.
            let _ = self.count.subscribe().wait_for(|count| *count < limit).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: i64) -> RequestId {
        RequestId::Number(n)
    }

    #[tokio::test]
    async fn an_id_in_use_and_a_call_too_many_are_refused() {
        let calls = Calls::new(2);
        assert_eq!(calls.begin(&id(1)), Admission::Admitted);
        assert_eq!(calls.begin(&id(1)), Admission::Duplicate);
        assert_eq!(calls.begin(&id(2)), Admission::Admitted);
        assert_eq!(calls.begin(&id(3)), Admission::Full);
        calls.end(&id(1));
        calls.end(&id(1)); // twice does no harm
        calls.room().await;
        assert_eq!(calls.begin(&id(3)), Admission::Admitted);
        calls.end(&id(2));
        calls.end(&id(3));
        calls.idle().await;
        assert_eq!(calls.len(), 0);
        calls.begin(&id(4));
        assert!(calls.has(&id(4)) && calls.ids() == [id(4)]);
        calls.clear();
        assert!(!calls.has(&id(4)) && calls.len() == 0);
    }
}
