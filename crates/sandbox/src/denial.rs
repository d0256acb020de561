//! What a child was refused while it ran, so that an error can teach.
//!
//! A hostile child can be refused a million times: the list is short, without repeats, and says when it is full.

use std::sync::{Arc, Mutex, PoisonError};

/// How many different refusals are kept.
const KEPT: usize = 64;

/// How much of a target is kept, in characters.
const TARGET: usize = 256;

/// What was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DenialKind {
    /// A path.
    Fs,
    /// A host, an address, a name.
    Net,
    /// A program.
    Exec,
    /// A system call.
    Syscall,
}

impl DenialKind {
    /// Returns the name that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fs => "fs",
            Self::Net => "net",
            Self::Exec => "exec",
            Self::Syscall => "syscall",
        }
    }
}

/// One thing that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Denial {
    /// What kind of thing.
    pub kind: DenialKind,
    /// The path, host, program or system call. Foreign text.
    pub target: String,
    /// Whether this was concluded from what the child said, rather than seen.
    pub inferred: bool,
}

/// The refusals of one child, collected from many threads.
#[derive(Debug, Clone, Default)]
pub struct Denials {
    seen: Arc<Mutex<Vec<Denial>>>,
}

impl Denials {
    /// Notes what was seen to be refused.
    pub fn saw(&self, kind: DenialKind, target: &str) {
        self.note(kind, target, false);
    }

    /// Notes what seems to have been refused.
    pub fn inferred(&self, kind: DenialKind, target: &str) {
        self.note(kind, target, true);
    }

    /// Returns what was refused so far, in order.
    pub fn list(&self) -> Vec<Denial> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, kind: DenialKind, target: &str, inferred: bool) {
        let target: String = target.chars().take(TARGET).collect();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let known = seen
            .iter()
            .any(|denial| denial.kind == kind && denial.target == target);
        if !known && seen.len() < KEPT {
            seen.push(Denial {
                kind,
                target,
                inferred,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeats_and_floods_are_not_kept() {
        let denials = Denials::default();
        denials.saw(DenialKind::Net, "evil.test");
        denials.inferred(DenialKind::Net, "evil.test");
        assert_eq!(denials.list().len(), 1);
        for number in 0..1_000 {
            denials.saw(DenialKind::Fs, &format!("/{number}"));
        }
        denials.saw(DenialKind::Exec, &"x".repeat(10_000));
        assert_eq!(denials.list().len(), KEPT);
        assert!(denials.list().iter().all(|denial| denial.target.len() <= TARGET));
    }
}
