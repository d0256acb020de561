//! Who was found to be signed in, for a short while and in memory only. That nobody is signed in is never remembered.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use argrail_spec::identity::Identity;

/// How long it is remembered.
const GOOD: Duration = Duration::from_secs(5 * 60);
/// How many are remembered.
const MOST: usize = 256;

/// What must be the same for an answer to hold.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    /// The tool.
    pub(super) tool: String,
    /// The command that was asked.
    pub(super) check: Vec<String>,
    /// The file that its program is.
    pub(super) program: Option<Identity>,
    /// The variables that were set. Their values are nobody's business.
    pub(super) variables: Vec<String>,
}

/// Who was found to be signed in.
#[derive(Debug, Default)]
pub struct SignedIn {
    known: Mutex<HashMap<Key, Instant>>,
}

impl SignedIn {
    pub(super) fn is_known(&self, key: &Key, now: Instant) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(key).is_some_and(|since| is_good(*since, now))
    }

    pub(super) fn remember(&self, key: Key, now: Instant) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.retain(|_, since| is_good(*since, now));
        }
        if known.len() < MOST {
            known.insert(key, now);
        }
    }

    pub(super) fn forget(&self, key: &Key) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.remove(key);
    }
}

fn is_good(since: Instant, now: Instant) -> bool {
    now.saturating_duration_since(since) < GOOD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tool: &str) -> Key {
        Key {
            tool: tool.to_owned(),
            check: Vec::new(),
            program: None,
            variables: Vec::new(),
        }
    }

    #[test]
    fn it_is_remembered_for_a_while_and_not_without_bound() {
        let (signed_in, now) = (SignedIn::default(), Instant::now());
        signed_in.remember(key("a"), now);
        assert!(signed_in.is_known(&key("a"), now + GOOD / 2));
        assert!(!signed_in.is_known(&key("a"), now + GOOD));
        assert!(!signed_in.is_known(&key("b"), now));
        signed_in.forget(&key("a"));
        assert!(!signed_in.is_known(&key("a"), now));
        for n in 0..2 * MOST {
            signed_in.remember(key(&n.to_string()), now);
        }
        assert_eq!(signed_in.known.lock().unwrap().len(), MOST);
        // Old ones make room.
        signed_in.remember(key("late"), now + GOOD);
        assert!(signed_in.is_known(&key("late"), now + GOOD));
    }
}
