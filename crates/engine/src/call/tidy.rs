//! What was kept for a while and is not needed any more: removed now and then, although nothing new is kept.

use std::collections::HashSet;
use std::sync::PoisonError;
use std::time::{Duration, Instant, SystemTime};

use argrail_acli::Call;
use argrail_sandbox::Cancel;

use super::shop::Shop;
use crate::consent::snapshots;
use crate::run::apart;

/// How often it is looked.
const EVERY: Duration = Duration::from_secs(60 * 60);

impl Shop {
    /// Removes outputs and drafts whose time is over, and copies of files that no question needs. With the first call of
    /// a process and once an hour; what cannot be removed is left to the next time.
    pub(super) async fn tidy(&self, call: &Call) {
        if !self.is_tidy_due(Instant::now()) {
            return;
        }
        let Ok(cancel) = Cancel::new() else { return };
        let (keep, kept) = (self.keep.clone(), self.snapshots.clone());
        let (store, now) = (self.surroundings.store.clone(), call.host().now());
        let swept = apart(cancel, move || {
            keep.sweep_expired(SystemTime::now());
            if kept.is_empty() {
                return;
            }
            // What cannot be read may need all of them.
            if let Ok(pending) = store.pending(now) {
                let needed = pending.iter().flat_map(|request| snapshots(&request.shown));
                let needed: HashSet<String> = needed.map(str::to_owned).collect();
                kept.sweep(&needed, SystemTime::now());
            }
        });
        let _ = swept.await;
    }

    fn is_tidy_due(&self, now: Instant) -> bool {
        let mut last = self.tidied.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| now.duration_since(last) >= EVERY);
        if due {
            *last = Some(now);
        }
        due
    }
}
