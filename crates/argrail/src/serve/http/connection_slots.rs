//! How many connections there are, and which one makes way: the oldest that waits for a request.
//!
//! Anybody on the machine can open connections and send half a head on each; without this, whoever comes next waits until
//! their time is up. A connection with a request on it never makes way.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::Response;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use super::kept_body::keeping;
use super::refusal::Body;

/// The places of all connections.
pub(super) struct ConnectionSlots(Arc<SlotTable>);

struct SlotTable {
    free: Arc<Semaphore>,
    /// By age: numbers only grow.
    taken: Mutex<BTreeMap<u64, Arc<Occupant>>>,
    /// Told when a connection has answered its last request.
    idle: Notify,
}

#[derive(Default)]
struct Occupant {
    /// Requests whose answers are not out yet.
    requests: AtomicUsize,
    /// Told when it is to make way.
    leave: Notify,
}

impl Occupant {
    fn is_idle(&self) -> bool {
        self.requests.load(Ordering::Relaxed) == 0
    }
}

impl SlotTable {
    fn taken(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Occupant>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionSlots {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(SlotTable {
            free: Arc::new(Semaphore::new(most)),
            taken: Mutex::default(),
            idle: Notify::new(),
        }))
    }

    /// Takes a place, from the oldest connection without a request if all are taken. Waits while every one has a request.
    pub(super) async fn take(&self) -> Option<ConnectionSlot> {
        let table = &self.0;
        let free = Arc::clone(&table.free).acquire_owned();
        let mut free = std::pin::pin!(free);
        let permit = loop {
            let idle = table.idle.notified();
            if table.free.available_permits() == 0 {
                let oldest = table.taken().values().find(|one| one.is_idle()).cloned();
                if let Some(oldest) = oldest {
                    oldest.leave.notify_one();
                }
            }
            tokio::select! {
                biased;
                permit = free.as_mut() => break permit.ok()?,
                () = idle => {}
            }
        };
        let mut taken = table.taken();
        let number = taken.last_key_value().map_or(0, |(last, _)| last + 1);
        let occupant = Arc::<Occupant>::default();
        taken.insert(number, Arc::clone(&occupant));
        Some(ConnectionSlot {
            table: Arc::clone(table),
            number,
            occupant,
            _permit: permit,
        })
    }
}

/// The place of one connection, until it is dropped.
pub(super) struct ConnectionSlot {
    table: Arc<SlotTable>,
    number: u64,
    occupant: Arc<Occupant>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    /// Completes when the connection has no request and another one needs its place.
    pub(super) async fn is_needed(&self) {
        loop {
            self.occupant.leave.notified().await;
            if self.occupant.is_idle() {
                return;
            }
        }
    }

    /// Counts a request, until its answer is out.
    pub(super) fn begin(&self) -> RequestInFlight {
        self.occupant.requests.fetch_add(1, Ordering::Relaxed);
        RequestInFlight {
            table: Arc::clone(&self.table),
            occupant: Arc::clone(&self.occupant),
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.table.taken().remove(&self.number);
    }
}

/// A request that is being answered.
pub(super) struct RequestInFlight {
    table: Arc<SlotTable>,
    occupant: Arc<Occupant>,
}

impl RequestInFlight {
    /// Keeps it counted until the answer is written, or nobody reads it any more.
    pub(super) fn until_written(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| keeping(body, self))
    }
}

impl Drop for RequestInFlight {
    fn drop(&mut self) {
        self.occupant.requests.fetch_sub(1, Ordering::Relaxed);
        self.table.idle.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_without_a_request_makes_way_and_one_with_a_request_never() {
        let slots = ConnectionSlots::new(2);
        let (busy, waiting) = (slots.take().await.unwrap(), slots.take().await.unwrap());
        let request = busy.begin();
        let (third, ()) = tokio::join!(slots.take(), async move {
            waiting.is_needed().await;
            drop(waiting);
        });
        let third = third.unwrap();
        let second_request = third.begin();
        // Both have requests now; the first that has none any more makes way.
        let (fourth, ()) = tokio::join!(slots.take(), async move {
            tokio::task::yield_now().await;
            drop(request);
            busy.is_needed().await;
            drop(busy);
        });
        assert!(fourth.is_some());
        drop(second_request);
    }
}
