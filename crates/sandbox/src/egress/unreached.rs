//! Hosts that may be reached and were not: nobody's refusal, and still the reason why a command comes back with nothing.
//!
//! A child can ask for many: the list is short and without repeats.

use std::sync::{Mutex, PoisonError};

/// How many hosts are kept for a report.
const MAX_UNREACHED: usize = 32;

/// A host that may be reached and was not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Unreached {
    /// Its name and port. Foreign text.
    pub target: String,
    /// Why the host was not reached.
    pub why: Absence,
}

/// Why a host was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Absence {
    /// The name has no address.
    NoAddress,
    /// Nobody answers there.
    NoAnswer,
}

impl Absence {
    /// Returns the words that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoAddress => "no address",
            Self::NoAnswer => "no answer",
        }
    }
}

/// Those of one child, collected from many threads.
#[derive(Debug, Default)]
pub(super) struct UnreachedHosts(Mutex<Vec<Unreached>>);

impl UnreachedHosts {
    /// Notes one host, once.
    pub(super) fn note(&self, target: &str, why: Absence) {
        let target = target.to_owned();
        let one = Unreached { target, why };
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() < MAX_UNREACHED && !seen.contains(&one) {
            seen.push(one);
        }
    }

    /// Returns those so far, in order.
    pub(super) fn list(&self) -> Vec<Unreached> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_and_floods_are_not_kept() {
        let absences = UnreachedHosts::default();
        for _ in 0..2 {
            absences.note("a.test:80", Absence::NoAddress);
        }
        absences.note("a.test:80", Absence::NoAnswer);
        assert_eq!(absences.list().len(), 2);
        for port in 0..1_000 {
            absences.note(&format!("b.test:{port}"), Absence::NoAnswer);
        }
        assert_eq!(absences.list().len(), MAX_UNREACHED);
    }
}
