//! Requests that came while as many calls as allowed were in flight.
//!
//! Reading must go on then: what frees a place, a cancellation or the answer to a question of ours, may
//! come behind them. They are kept as the text they came in, which is a fraction of the decoded message,
//! so that the limit in bytes is one in memory.

use std::collections::{BTreeMap, HashMap};

use rmcp::model::RequestId;

/// How much may wait.
#[derive(Debug, Clone)]
pub(super) struct Most {
    pub(super) requests: usize,
    pub(super) bytes: usize,
}

impl Default for Most {
    fn default() -> Self {
        Self {
            requests: 65_536,
            bytes: 8 * 1024 * 1024,
        }
    }
}

/// A request in its turn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub(super) id: RequestId,
    pub(super) text: Box<[u8]>,
}

/// Requests in the order they came.
#[derive(Debug)]
pub(super) struct Backlog {
    most: Most,
    /// By the number of their arrival.
    queue: BTreeMap<u64, Waiting>,
    arrivals: HashMap<RequestId, u64>,
    next: u64,
    bytes: usize,
}

impl Backlog {
    pub(super) fn new(most: Most) -> Self {
        Self {
            most,
            queue: BTreeMap::new(),
            arrivals: HashMap::new(),
            next: 0,
            bytes: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn has(&self, id: &RequestId) -> bool {
        self.arrivals.contains_key(id)
    }

    /// Takes in a request whose id is not here yet; `false` if it does not fit.
    pub(super) fn push(&mut self, id: &RequestId, text: &[u8]) -> bool {
        if self.queue.len() >= self.most.requests || self.bytes + text.len() > self.most.bytes {
            return false;
        }
        self.bytes += text.len();
        self.arrivals.insert(id.clone(), self.next);
        let waiting = Waiting {
            id: id.clone(),
            text: text.into(),
        };
        self.queue.insert(self.next, waiting);
        self.next += 1;
        true
    }

    /// Returns the request that has waited longest.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let (_, waiting) = self.queue.pop_first()?;
        self.arrivals.remove(&waiting.id);
        self.bytes -= waiting.text.len();
        Some(waiting)
    }

    /// Drops a request; `false` if it is not here.
    pub(super) fn remove(&mut self, id: &RequestId) -> bool {
        let Some(arrival) = self.arrivals.remove(id) else {
            return false;
        };
        if let Some(waiting) = self.queue.remove(&arrival) {
            self.bytes -= waiting.text.len();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(n: i64) -> RequestId {
        RequestId::Number(n)
    }

    #[test]
    fn requests_wait_in_order_and_within_limits() {
        let mut backlog = Backlog::new(Most {
            requests: 3,
            bytes: 10,
        });
        assert!(backlog.push(&id(1), b"one"));
        assert!(backlog.push(&id(2), b"two"));
        assert!(!backlog.push(&id(3), b"three"), "too many bytes");
        assert!(backlog.push(&id(3), b"3"));
        assert!(!backlog.push(&id(4), b"4"), "too many requests");
        assert!(backlog.has(&id(2)) && backlog.remove(&id(2)) && !backlog.remove(&id(2)));
        assert!(backlog.push(&id(2), b"again")); // the place and the bytes are free again
        let order: Vec<RequestId> = std::iter::from_fn(|| backlog.pop())
            .map(|waiting| waiting.id)
            .collect();
        assert_eq!(order, [id(1), id(3), id(2)]);
        assert!(backlog.is_empty() && backlog.bytes == 0 && backlog.arrivals.is_empty());
    }
}
