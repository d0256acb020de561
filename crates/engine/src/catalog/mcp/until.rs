//! How long a server is listened to: until a moment, or until nobody wants to know any more.

use std::time::{Duration, Instant};

use argrail_sandbox::Cancel;

/// The shortest and the longest that can be asked for.
const BOUNDS: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(24 * 60 * 60)];

/// When a conversation ends at the latest.
#[derive(Debug, Clone)]
pub(super) struct Until {
    pub(super) deadline: Instant,
    /// Ends it at once, from elsewhere.
    pub(super) cancel: Option<Cancel>,
}

impl Until {
    /// Counts from now.
    pub(super) fn within(timeout: Duration, cancel: Option<&Cancel>) -> Self {
        let [shortest, longest] = BOUNDS;
        Self {
            deadline: Instant::now() + timeout.clamp(shortest, longest),
            cancel: cancel.cloned(),
        }
    }

    /// Returns how much time is left.
    pub(super) fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
